import { describe, expect, test } from 'vitest'
import { readLedger } from '../../../../core/engine/state/ledger.ts'
import { loadRecorded } from '../../../../core/engine/state/runs/recorded.ts'
import { taintRecords, untaintRecords } from '../../../../core/engine/workflows/state/taint-records.ts'
import { putWorkspace } from '../../../../core/engine/workflows/workspace/put-workspace.ts'
import { long } from '../../../builders/long.ts'
import { driveShelves, startShelves, thing } from '../../../builders/servers/shelves.ts'
import { actor } from '../../../builders/workspaces/workspace.ts'

const type = 'shelf_thing'

const start = async (resources = thing('one', 'a') + thing('two', 'b'), more = '') => {
  const server = await startShelves('counted')
  const drive = driveShelves(server.url)
  const want = (...given: Parameters<typeof drive.want>) => {
    drive.want(...given)
    const { files, ...rest } = drive.current.bundle
    // The answer to a create has the id of what was made.
    const document = files['shelf.yaml']?.replace('create: {', 'create: { produces: { id: id },') ?? ''
    drive.current.bundle = { ...rest, files: { ...files, 'shelf.yaml': document } }
  }
  want(resources, more)
  await putWorkspace({ bundle: drive.current.bundle, actor }, drive.deps)
  await drive.apply()
  const request = { workspace: 'shelves', actor, reason: 'it is broken' }
  const taint = (...addresses: readonly string[]) => taintRecords({ ...request, addresses }, drive.deps)
  const untaint = (...addresses: readonly string[]) => untaintRecords({ ...request, addresses }, drive.deps)
  const planned = async () =>
    (await drive.check()).plan?.changes.map(({ address, action, reason, blocked }) =>
      [address, action, reason, blocked?.reason].filter((each) => each !== undefined).join(' '),
    )
  return { server, ...drive, want, taint, untaint, planned, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

const replaced = `${type}.one replace replace_because_tainted`

describe('a resource that is marked', () => {
  test('is replaced by the next apply though nothing differs, and then never again', long, async () => {
    await using world = await start()
    expect(await world.taint(`${type}.one`)).toMatchObject({ change: 'tainted', addresses: [`${type}.one`] })
    expect(await world.planned()).toEqual([replaced])
    // The mark outlives checks.
    expect(await world.planned()).toEqual([replaced])
    const before = world.server.writes().length
    await world.apply()
    expect(world.server.writes().slice(before)).toEqual(['DELETE /things/1', 'POST /things'])
    expect(world.server.names()).toEqual(['b', 'a'])
    expect(await world.planned()).toEqual([])
    const { resources } = await loadRecorded(world.deps.store, 'shelves')
    expect(resources.map(({ tainted }) => tainted)).toEqual([undefined, undefined])
  })

  test('is told in the ledger with who and why, and is no more when the mark is taken back', async () => {
    await using world = await start()
    await world.taint(`${type}.one`)
    const entries = await Array.fromAsync(readLedger(world.deps.store, 'shelves'))
    expect(entries.at(-1)).toMatchObject({
      kind: 'tainted',
      actor,
      reason: 'it is broken',
      state: { addresses: [`${type}.one`] },
    })
    await world.untaint(`${type}.one`)
    expect(await world.planned()).toEqual([])
  })

  test('makes an approval from before invalid', async () => {
    await using world = await start(thing('one', 'a'))
    world.want(thing('one', 'a', 'other'))
    const approved = await world.approve()
    await world.taint(`${type}.one`)
    expect(await world.run(approved)).toMatchObject({ status: 'refused', error: { code: 'STALE_PLAN' } })
  })

  test('goes in the order of its type, with what differs', async () => {
    const createFirst = thing('one', 'a').replace('spec', 'lifecycle: { replaceOrder: createFirst }, spec')
    await using world = await start(createFirst)
    await world.taint(`${type}.one`)
    world.want(createFirst.replace('note: n', 'note: m'))
    const before = world.server.writes().length
    await world.apply()
    expect(world.server.writes().slice(before)).toEqual(['POST /things', 'DELETE /things/1'])
    expect(world.server.things.map(({ body }) => body['note'])).toEqual(['m'])
    expect(await world.planned()).toEqual([])
  })

  test('is still replaced by the next apply where the first one has made the new object and not deleted the old', async () => {
    const createFirst = thing('one', 'a').replace('spec', 'lifecycle: { replaceOrder: createFirst }, spec')
    await using world = await start(createFirst)
    await world.taint(`${type}.one`)
    world.server.behaviour.refuse = (n) => (n === 3 ? 500 : undefined)
    await world.apply()
    expect(world.server.things).toHaveLength(2)
    await world.apply()
    expect(world.server.things.map(({ key }) => key)).toEqual([2])
    expect(await world.planned()).toEqual([])
  })

  test.each([
    ['preventDestroy keeps it', 'lifecycle: { preventDestroy: true }, spec', `${replaced} prevent_destroy`],
    ['it is ignored', 'lifecycle: { ignoreChanges: [note] }, spec', replaced],
  ])('where %s', async (_, written, expected) => {
    await using world = await start(thing('one', 'a').replace('spec', written))
    await world.taint(`${type}.one`)
    expect(await world.planned()).toEqual([expected])
  })

  test('that others have deleted is only made again', async () => {
    await using world = await start(thing('one', 'a'))
    await world.taint(`${type}.one`)
    world.server.things.shift()
    expect(await world.planned()).toEqual([`${type}.one create`])
    await world.apply()
    expect(await world.planned()).toEqual([])
  })

  test('is refused where nothing is recorded', async () => {
    await using world = await start()
    await expect(world.taint(`${type}.none`)).rejects.toMatchObject({ code: 'RECORD_NOT_FOUND' })
  })
})
