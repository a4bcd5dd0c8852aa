import { describe, expect, it } from 'vitest'
import { planUndoOf } from '../../../../core/engine/workflows/apply/take-undo.ts'
import { actor } from '../../../builders/workspaces/workspace.ts'
import { aDocument, aListedType, aThing, aWorld, lists } from '../../../semantics/world.ts'

/* The answer of a gateway or of a broken server tells nothing of the work: what was done is what a read after it shows. */

const isDelete = ({ method }: { readonly method: string }): boolean => method === 'DELETE'

/** An apply whose writes of `a` get an answer, after the server did them or without, and then its undo. */
const start = async ({ status, isDone, live }: { status: number; isDone: boolean; live?: { size: number } }) => {
  const [before, after] = [live && { id: 'a', name: 'a', ...live }, { id: 'a', name: 'a', size: 2 }]
  let isBroken = true
  const world = await aWorld({
    document: aDocument({ thing: aListedType('size: { type: number }') }),
    resources: [aThing('a', { size: 2 })],
    ...(before === undefined ? {} : { live: { a: before } }),
    server: {
      route: (request, state) => {
        if (request.method === 'GET') return lists(request, state)
        if (!isBroken && isDelete(request)) return undefined
        const wanted = isBroken ? after : before
        if (isDone || !isBroken) state.set('/things/a', JSON.stringify(wanted))
        return isBroken ? { status, body: '{"message":"proxy"}' } : { status: 200, body: JSON.stringify(wanted) }
      },
    },
  })
  const { apply } = await world.checkAndApply()
  isBroken = false
  world.clock.forward(60_000)
  const planned = async () => {
    const { plan } = await planUndoOf({ workspace: 'things', applyId: apply.id, trigger: 'cli', actor }, world.deps)
    world.clock.forward(1_000)
    return plan
  }
  return { ...world, applied: apply, planned }
}

const blocks = ({ changes }: Awaited<ReturnType<Awaited<ReturnType<typeof start>>['planned']>>) =>
  changes.map(({ blocked }) => blocked?.detail)

describe.each([500, 502, 503, 504])('the undo of an apply whose write got %i', (status) => {
  it.each<[string, { size: number } | undefined]>([
    ['a create', undefined],
    ['an update', { size: 1 }],
  ])('brings back what %s has done', async (_, live) => {
    await using site = await start({ status, isDone: true, ...(live === undefined ? {} : { live }) })
    expect(site.applied).toMatchObject({ status: 'failed', resources: [{ verdict: 'in_sync' }] })
    expect(site.bodyOf('a')).toMatchObject({ size: 2 })
    const plan = await site.planned()
    expect(plan.notes?.map(({ message }) => message).join()).not.toContain('has not done')
    expect(await site.apply(plan.digests.commands)).toMatchObject({
      status: 'succeeded',
      resources: [{ verdict: 'as_before' }],
    })
    expect(site.bodyOf('a')).toEqual(live === undefined ? null : { id: 'a', name: 'a', ...live })
    expect(site.sent()).toHaveLength(2)
  })

  it.each<[string, { size: number } | undefined]>([
    ['a create', undefined],
    ['an update', { size: 1 }],
  ])('sends nothing where %s was not done, and does not claim what appears later', async (_, live) => {
    await using site = await start({ status, isDone: false, ...(live === undefined ? {} : { live }) })
    expect(site.applied).toMatchObject({ status: 'failed', resources: [{ verdict: 'differs' }] })
    expect((await site.planned()).changes).toEqual([])
    site.put('a', { id: 'a', name: 'a', size: 2 })
    const plan = await site.planned()
    expect(plan.commands).toEqual([])
    expect(blocks(plan)).toEqual(['it is not known whether api_thing.a#1 was done'])
  })
})
