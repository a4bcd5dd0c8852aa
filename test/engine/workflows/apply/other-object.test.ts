import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { driveShelves, startShelves, thing } from '../../../builders/servers/shelves.ts'

const rows = (...names: readonly string[]): readonly JsonObject[] => names.map((name) => ({ name, note: 'n' }))

const notesOf = (things: readonly { readonly body: JsonObject }[]) =>
  Object.fromEntries(things.map(({ body }) => [body['name'], body['note']]))

describe('objects that are identified by their position', () => {
  it('are still recognised after a delete by this apply moved them up', async () => {
    await using api = await startShelves('position', rows('a', 'b', 'c'))
    const { want, check, apply } = driveShelves(api.url, { kind: 'position' })
    want(thing('a', 'a') + thing('b', 'b') + thing('c', 'c'))
    expect((await check()).run.status).toBe('in_sync')
    want(thing('b', 'b') + thing('c', 'c', 'new'))
    expect(await apply()).toMatchObject({ status: 'succeeded' })
    expect(notesOf(api.things)).toEqual({ b: 'n', c: 'new' })
    expect((await check()).run.status).toBe('in_sync')
  })

  it.each([
    ['an update', thing('b', 'b', 'new') + thing('d', 'd', 'new')],
    ['a delete', thing('b', 'b', 'new')],
  ])('are not confused: %s does not change the object that now has the position', async (_, wanted) => {
    await using api = await startShelves('position', rows('a', 'b', 'c', 'd', 'e'))
    const { want, check, apply } = driveShelves(api.url, { kind: 'position' })
    want(thing('b', 'b') + thing('d', 'd'))
    await check()
    want(wanted)
    api.behaviour.after = (n) => {
      if (n === 1) api.things.splice(0, 1)
    }
    const applied = await apply()
    expect(applied).toMatchObject({ status: 'failed' })
    expect(applied.outcomes.at(-1)).toMatchObject({
      status: 'failed',
      detail: expect.stringContaining('another object'),
    })
    expect(api.writes()).toHaveLength(1)
    expect(api.names()).toEqual(['b', 'c', 'd', 'e'])
    expect(notesOf(api.things)).toMatchObject({ c: 'n', e: 'n' })
  })
})

describe('a create that was refused', () => {
  it.each([400, 403, 409, 422])(
    'made nothing (%i), so that an object that takes its name later is not ours',
    async (status) => {
      await using api = await startShelves('counted')
      const { want, check, apply } = driveShelves(api.url)
      want(thing('one', 'one'))
      api.behaviour.refuse = () => status
      expect(await apply()).toMatchObject({ status: 'failed' })
      api.add({ name: 'one', note: 'theirs' })
      want('')
      const { plan } = await check()
      expect(plan?.changes).toEqual([])
      expect(plan?.unchecked).toEqual([])
    },
  )
})

describe('a create whose answer was lost, where lists do not show the new object', () => {
  const lost = async () => {
    const api = await startShelves('counted')
    const { want, check, approve, run } = driveShelves(api.url)
    want(thing('one', 'one'))
    api.behaviour.hides = 'one'
    api.behaviour.loses = () => true
    return { ...api, check, approve, run }
  }

  it('is not sent a second time by an approval from before the loss', async () => {
    await using api = await lost()
    const [first, second] = [await api.approve(), await api.approve()]
    expect((await api.run(first)).status).not.toBe('succeeded')
    api.behaviour.loses = () => false
    expect(await api.run(second)).toMatchObject({ status: 'refused', error: { code: 'STALE_PLAN' } })
    expect(api.names()).toEqual(['one'])
  })

  it('can be approved again by somebody who sees that it was sent, once for each attempt', async () => {
    await using api = await lost()
    await api.run(await api.approve())
    const [second, third] = [await api.approve(), await api.approve()]
    const { plan } = await api.check()
    expect(plan?.commands.map(({ precondition }) => precondition)).toEqual([
      { kind: 'absent', sentBy: expect.any(String) },
    ])
    await api.run(second)
    expect(api.names()).toEqual(['one', 'one'])
    expect(await api.run(third)).toMatchObject({ status: 'refused', error: { code: 'STALE_PLAN' } })
    expect(api.names()).toEqual(['one', 'one'])
  })
})
