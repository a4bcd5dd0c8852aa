import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../../core/engine/schema/json.ts'
import { loadRecorded } from '../../../../core/engine/state/runs/recorded.ts'
import { planUndoOf } from '../../../../core/engine/workflows/apply/take-undo.ts'
import { long } from '../../../builders/long.ts'
import { actor } from '../../../builders/workspaces/workspace.ts'
import { aDocument, aListedType, aThing, aWorld, lists } from '../../../semantics/world.ts'

/* What the undo of a delete makes is the object of its resource by the id that the server gave, as with any other create. */

type Answer = 'made' | 'refused' | 'lost'

const size = 'size: { type: number }'
const left: readonly JsonObject[] = []
const absent: readonly JsonObject[] = [aThing('a', { size: 1 }, { absent: true })]

/** An apply has deleted the thing `a`, as the configuration `now` wants. */
const deleted = async (now: readonly JsonObject[], attributes = size) => {
  let next = 101
  let answer: Answer = 'made'
  const site = await aWorld({
    document: aDocument({ thing: aListedType(attributes) }),
    resources: [aThing('a', { size: 1 })],
    server: {
      route: (request, state) => {
        if (request.method !== 'POST') return lists(request, state)
        if (answer === 'refused') return { status: 422, body: '{}' }
        const id = `${next++}`
        const made = JSON.stringify({ id, created: `t${id}`, ...(JSON.parse(request.body) as JsonObject) })
        state.set(`/things/${id}`, made)
        return answer === 'lost' ? { status: 201, body: '{"id":' } : { status: 201, body: made }
      },
    },
  })
  const applied = async () => {
    site.clock.forward(60_000)
    return site.checkAndApply()
  }
  const { apply: create } = await applied()
  site.want([...now])
  const { apply } = await applied()
  expect([apply.status, site.server.state.size]).toEqual(['succeeded', 0])
  const planned = async (applyId: string) => {
    site.clock.forward(60_000)
    return (await planUndoOf({ workspace: 'things', applyId, trigger: 'cli', actor }, site.deps)).plan
  }
  const undo = async (how: Answer = 'made') => {
    const plan = await planned(apply.id)
    site.clock.forward(1_000)
    answer = how
    return { plan, apply: await site.apply(plan.digests.commands) }
  }
  const records = async () => (await loadRecorded(site.deps.store, 'things')).resources
  const replaceByOthers = (): void => {
    site.server.state.clear()
    site.put('900', { id: '900', created: 't900', name: 'a', size: 1 })
  }
  return { ...site, applied, planned, create, undo, records, replaceByOthers }
}

describe('what the undo of a delete has made', () => {
  it.each<[string, readonly JsonObject[], string]>([
    ['is recorded with its id where it had left the configuration', left, size],
    ['is recorded with its id where it is declared absent', absent, size],
    ['is recorded with its time of creation', left, `${size}\ncreated: { computed: true, immutable: true }`],
  ])('%s, and no object that others make under its name is deleted', async (_, now, attributes) => {
    await using site = await deleted(now, attributes)
    const { plan, apply } = await site.undo()
    expect(plan.changes).toMatchObject([{ action: 'create', after: { name: 'a', size: 1 } }])
    expect(plan.changes[0]?.after).not.toHaveProperty('created')
    expect(apply).toMatchObject({ status: 'succeeded' })
    const [record, ...more] = await site.records()
    expect(more).toEqual([])
    expect(record).toMatchObject({ ids: { id: '102' }, lastApplied: { applyId: apply.id }, place: site.server.url })
    expect(record?.doubted).toBeUndefined()
    expect(record?.attributes['created']).toBe(attributes === size ? undefined : 't102')
    site.replaceByOthers()
    await site.applied()
    expect(site.bodyOf('900')).toMatchObject({ size: 1 })
  })

  it('is deleted by the next apply as what it is', long, async () => {
    await using site = await deleted(left)
    await site.undo()
    await site.applied()
    expect(site.sent().at(-1)).toBe('DELETE /things/102')
  })

  it('leaves no record where the target refused it', async () => {
    await using site = await deleted(left)
    expect((await site.undo('refused')).apply).toMatchObject({ status: 'failed' })
    expect(await site.records()).toEqual([])
    site.replaceByOthers()
    await site.applied()
    expect(site.bodyOf('900')).toMatchObject({ size: 1 })
  })

  it('is unchecked where the answer was lost, as nothing says whose the object is', async () => {
    await using site = await deleted(left)
    const { apply } = await site.undo('lost')
    expect(apply).toMatchObject({ status: 'failed', outcomes: [{ status: 'unknown' }] })
    expect(await site.records()).toMatchObject([{ doubted: 'sent', sentBy: apply.id }])
    site.replaceByOthers()
    const { plan } = await site.check()
    expect([plan.commands, plan.unchecked]).toMatchObject([[], [{ address: 'api_thing.a', reason: 'ambiguous' }]])
  })

  it('is not made where others have an object of that name, whatever its time of creation', async () => {
    await using site = await deleted(left, `${size}\ncreated: { computed: true, immutable: true }`)
    const theirs: Json = { id: '900', created: 't900', name: 'a', size: 2 }
    site.put('900', theirs)
    const { plan } = await site.undo()
    expect([plan.commands, plan.changes]).toMatchObject([
      [],
      [{ blocked: { detail: expect.stringContaining('an object with its name exists again') as string } }],
    ])
    expect(site.bodyOf('900')).toEqual(theirs)
  })
})

it('the undo of a create says of what was deleted since that it needs no undo', async () => {
  await using site = await deleted(left)
  const { commands, changes } = await site.planned(site.create.id)
  expect([commands, changes]).toMatchObject([
    [],
    [{ action: 'delete', blocked: { detail: expect.stringContaining('deleted since') as string } }],
  ])
})
