import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { loadRecorded } from '../../../../core/engine/state/runs/recorded.ts'
import { approver, type StateWorld, stateWorld } from '../../../builders/workspaces/state-world.ts'

let world: StateWorld
afterEach(() => world.folder.remove())

const lastApplied = async () => {
  const { resources } = await loadRecorded(world.deps.store, world.workspace)
  return Object.fromEntries(resources.map(({ address, lastApplied }) => [address, lastApplied]))
}
const apply = async () => {
  const queued = await world.request()
  world.clock.forward(1_000)
  const at = world.clock.now().toISOString()
  expect((await world.execute(queued.id)).status).toBe('succeeded')
  return { applyId: queued.id, runId: queued.runId, actor: approver, at }
}

it('a record names the apply that last changed its object; a check that finds an object names none', async () => {
  world = await stateWorld(['made', 'found'])
  world.write('found', 'right')
  const first = await apply()
  expect(await lastApplied()).toEqual({ 'host_file.made': first, 'host_file.found': undefined })
  world.write('made', 'wrong')
  await world.check()
  expect(await lastApplied()).toMatchObject({ 'host_file.made': first })
  const second = await apply()
  expect(second.at > first.at).toBe(true)
  expect(await lastApplied()).toEqual({ 'host_file.made': second, 'host_file.found': undefined })
})

it('a check under another configuration keeps that name, and a deleted object leaves nothing', async () => {
  world = await stateWorld(['a', 'b'])
  const first = await apply()
  await world.configure(['a'])
  await world.check()
  expect(await lastApplied()).toEqual({ 'host_file.a': first, 'host_file.b': first })
  await apply()
  expect(await lastApplied()).toEqual({ 'host_file.a': first })
})

it('the apply is recorded also if the object cannot be read after the command', async () => {
  let blind = false
  world = await stateWorld(['a'], {
    wire: (inner) => ({
      send: async (request, signal) => {
        if (request.method === 'GET' && blind) return { status: 500, headers: {}, body: null }
        const answer = await inner.send(request, signal)
        if (request.method === 'PUT') blind = true
        return answer
      },
    }),
  })
  world.write('a', 'right')
  await world.check()
  rmSync(join(world.folder.path, 'a'))
  world.write('a', 'wrong')
  const queued = await world.request()
  await world.execute(queued.id)
  expect(await lastApplied()).toMatchObject({ 'host_file.a': { applyId: queued.id, actor: approver } })
})
