import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../../core/engine/schema/json.ts'
import type { Apply } from '../../../../core/engine/schema/stored/records.ts'
import { getLock } from '../../../../core/engine/state/applies/lock.ts'
import { requestApply } from '../../../../core/engine/workflows/apply/request-apply.ts'
import { runApply } from '../../../../core/engine/workflows/apply/run-apply.ts'
import { planUndoOf } from '../../../../core/engine/workflows/apply/take-undo.ts'
import { verifyLedger } from '../../../../core/engine/workflows/records/verify-ledger.ts'
import { lawStep } from '../../../builders/laws.ts'
import { long } from '../../../builders/long.ts'
import { type CrashPoint, untilDeath } from '../../../builders/time/crash-point.ts'
import { actor } from '../../../builders/workspaces/workspace.ts'
import { aDocument, aListedType, aThing, aType, aWorld, lists, taggedType } from '../../../semantics/world.ts'

/* A worker dies in the middle of an undo, and another one continues. */

const workspace = 'things'

const tag = (id: string, color: string): JsonObject => ({ id, color })
const listed = (name: string, size: number): JsonObject => ({ type: 'api_listed', name, spec: { name, size } })

const plain = (name: string, size: number): JsonObject => ({ type: 'api_plain', name, spec: { name, size } })

const before = [
  aThing('kept', { size: 1, color: 'red', tags: [tag('x', 'red'), tag('y', 'red')] }),
  plain('gone', 1),
  listed('first', 1),
  listed('last', 1),
]
const after = [
  aThing('kept', { size: 2, color: 'red', tags: [tag('y', 'blue'), tag('z', 'blue')] }),
  plain('made', 1),
  listed('first', 2),
]

/** An approved undo, of which nothing was sent yet: it updates, creates, deletes, and writes elements. */
const begin = async () => {
  const world = await aWorld({
    document: aDocument({
      thing: taggedType,
      plain: aType('size: { type: number }', '', 'plain'),
      listed: aListedType('size: { type: number }', '', 'projects'),
    }),
    resources: before,
    server: { route: lists },
  })
  const dump = (): readonly (readonly [string, Json])[] =>
    [...world.server.state].map(([path, text]) => [path, JSON.parse(text) as Json] as const).toSorted()
  const applied = async () => {
    world.clock.forward(60_000)
    const { apply } = await world.checkAndApply()
    expect(apply.status).toBe('succeeded')
    world.clock.forward(60_000)
    return apply.id
  }
  await applied()
  const former = dump()
  world.want(after)
  const applyId = await applied()
  const approved = async () => {
    const { plan } = await planUndoOf({ workspace, applyId, trigger: 'cli', actor }, world.deps)
    world.clock.forward(1_000)
    const digest = plan.digests.commands
    const { id } = await requestApply({ workspace, mode: 'execute', digest, reason: 'test', actor }, world.deps)
    return { plan, id }
  }
  const { plan, id } = await approved()
  const sentBefore = world.server.writes().length
  const sent = () => world.server.writes().slice(sentBefore)
  return { ...world, dump, former, plan, id, sent, approved }
}

type World = Awaited<ReturnType<typeof begin>>

const lineOf = ({ method, url, body }: { method?: string; url?: string; body: string }) => `${method} ${url} ${body}`

const kinds: readonly Pick<CrashPoint, 'at' | 'when'>[] = [
  { at: 'store', when: 'before' },
  { at: 'store', when: 'after' },
  { at: 'send', when: 'before' },
  { at: 'send', when: 'after' },
]

describe('the worker of an undo that dies', () => {
  it('has an undo of each kind of command to do', long, async () => {
    await using world = await begin()
    expect(world.plan.changes.filter(({ blocked }) => blocked !== undefined)).toEqual([])
    expect(world.plan.commands.map(({ request: { method } }) => method).toSorted()).toEqual([
      ...['DELETE', 'DELETE', 'PATCH', 'POST', 'PUT', 'PUT', 'PUT', 'PUT'],
    ])
  })

  it.each(kinds)('$when a $at is followed by one that sends nothing twice and brings back the rest', async (kind) => {
    for (let n = 1; ; n += lawStep(31)) {
      await using world = await begin()
      const { deps, id } = world
      const end = await untilDeath(deps, { ...kind, n }, (dying) => runApply({ workspace, applyId: id }, dying))
      if (end !== 'died') return expect(n).toBeGreaterThan(world.plan.commands.length)
      world.clock.forward(61_000)
      const ended = await runApply({ workspace, applyId: id, patient: true }, deps)
      const lines = world.sent().map(lineOf)
      const story = JSON.stringify([n, ended.outcomes, lines], null, 1)
      expect(new Set(lines).size, story).toBe(lines.length)
      await expectWhole(world, ended)
      if (ended.status === 'failed') await finishAnew(world, ended)
      expect(world.dump(), story).toEqual(world.former)
    }
  })
})

/** The ledger verifies and has an end of everything, and nothing is locked. */
const expectWhole = async ({ deps, ledger, clock }: World, { id, status }: Apply) => {
  expect(['succeeded', 'failed']).toContain(status)
  expect(await getLock(deps.store, workspace, clock.now())).toBeUndefined()
  expect(await verifyLedger({ workspace }, deps)).toMatchObject({ ok: true })
  const entries = (await ledger()).filter(({ applyId }) => applyId === id)
  const of = (kind: string) => new Set(entries.flatMap((each) => (each.kind === kind ? [each.command?.['id']] : [])))
  expect(of('intent').difference(of('result'))).toEqual(new Set())
}

/** A create that may have been sent is not sent again by the same undo, because nobody can tell; another undo does what is left. */
const finishAnew = async ({ deps, approved }: World, { outcomes }: Apply) => {
  const open = outcomes.filter(({ status }) => status !== 'succeeded' && status !== 'found_done')
  expect(open).toMatchObject([{ command: 'api_listed.last#1', status: 'unknown' }])
  const { id, plan } = await approved()
  expect(plan.commands).toMatchObject([{ address: 'api_listed.last', action: 'create' }])
  expect(await runApply({ workspace, applyId: id, patient: true }, deps)).toMatchObject({ status: 'succeeded' })
}
