import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { orderChanges, orderRemovals } from '../../../../core/engine/plan/order-changes.ts'
import type { Command, CommandDraft } from '../../../../core/engine/schema/command.ts'
import type { Change } from '../../../../core/engine/schema/stored/plan.ts'
import { buildCommands } from '../../../../core/engine/workflows/session/plan/build-commands.ts'
import type { ResourcePlan } from '../../../../core/engine/workflows/session/plan/observation.ts'
import { lawRuns } from '../../../builders/laws.ts'
import { aChange, object } from '../../../builders/values/plans.ts'

/* Random graphs of changes, declared and recorded apart, with random orders of replacements. */

const kinds = ['create', 'update', 'delete', 'deleteFirst', 'createFirst', 'same'] as const
type Kind = (typeof kinds)[number]

interface Drawn {
  readonly address: string
  readonly kind: Kind
  readonly wanted: readonly string[]
  readonly held: readonly string[]
}

/** Declared dependencies have no cycle; recorded ones are of different times, and may have one. */
const drawn = fc
  .array(
    fc.record({
      kind: fc.constantFrom(...kinds),
      wanted: fc.array(fc.nat(9), { maxLength: 3 }),
      held: fc.array(fc.nat(9), { maxLength: 3 }),
      isSame: fc.boolean(),
    }),
    { minLength: 1, maxLength: 10 },
  )
  .map((all) => {
    const address = (n: number): string => `t.n${n}`
    const among = (numbers: readonly number[], below: number, self: number) =>
      [...new Set(numbers.map((each) => each % below))].filter((each) => each !== self).map(address)
    return all.map(({ kind, wanted, held, isSame }, n): Drawn => {
      const declared = n === 0 ? [] : among(wanted, n, n)
      const recorded = isSame ? declared : among(held, all.length, n)
      return {
        address: address(n),
        kind,
        wanted: kind === 'delete' ? [] : declared,
        held: kind === 'create' ? [] : recorded,
      }
    })
  })

const draft = (action: CommandDraft['action']): CommandDraft => ({
  action,
  description: action,
  request: { method: 'POST', url: 'http://127.0.0.1/', effect: 'write' },
  grade: 'unknown',
  ...(action === 'call' ? { precondition: { kind: 'made' as const } } : {}),
})

const draftsOf: Readonly<Record<Kind, readonly CommandDraft[]>> = {
  create: [draft('create'), draft('call')],
  update: [draft('update')],
  delete: [draft('delete')],
  deleteFirst: [draft('delete'), draft('create')],
  createFirst: [draft('create'), draft('call'), draft('delete')],
  same: [],
}

const changeOf = ({ address, kind }: Drawn): Change =>
  aChange({
    address,
    diff: object({}),
    ...(kind === 'deleteFirst' || kind === 'createFirst'
      ? { action: 'replace', replaceOrder: kind }
      : { action: kind === 'same' ? 'update' : kind }),
  })

const build = (all: readonly Drawn[]) => {
  const lifecycle = {}
  const names = (address: string) => ({ address, type: 't', name: address, provider: 'p', lifecycle, attributes: {} })
  const desired = all.flatMap(({ address, kind, wanted }) =>
    kind === 'delete'
      ? []
      : [{ ...names(address), dependsOn: wanted, absent: false, position: { file: 'f', line: 1, column: 1 } }],
  )
  const recorded = all.flatMap(({ address, kind, held }) =>
    kind === 'create' ? [] : [{ ...names(address), dependsOn: held }],
  )
  const changed = all.filter(({ kind }) => kind !== 'same')
  const changes = orderChanges(changed.map(changeOf), desired, recorded)
  const resources = new Map(
    all.map(({ address, kind }): [string, ResourcePlan] => {
      const before = kind === 'create' ? null : {}
      const own = {
        desired: desired.find((each) => each.address === address),
        recorded: recorded.find((each) => each.address === address),
      }
      return [
        address,
        {
          ...{ address, provider: 'p', place: '', isOwn: true, target: { address, attributes: {} } },
          observed: { result: { kind: 'absent' } },
          planned: { address, unobserved: [], ignored: [], before, observedDigest: before && 'sha256:1' },
          ...JSON.parse(JSON.stringify(own)),
        },
      ]
    }),
  )
  const drafts = new Map(changed.map(({ address, kind }) => [address, draftsOf[kind]]))
  return buildCommands({ changes, drafts }, resources, orderRemovals(changes, desired, recorded))
}

/** What must be done before a command, directly or not. */
const doneBefore = (commands: readonly Command[]): ReadonlyMap<string, ReadonlySet<string>> => {
  const all = new Map<string, Set<string>>()
  for (const { id, dependsOn } of commands) {
    all.set(id, new Set(dependsOn.flatMap((each) => [each, ...(all.get(each) ?? [])])))
  }
  return all
}

describe('the order of commands', () => {
  it('law: each command comes after all that it waits for, so there is no cycle, and each draft is sent once', () => {
    fc.assert(
      fc.property(drawn, (all) => {
        const commands = build(all)
        const seen = new Set<string>()
        for (const { id, dependsOn } of commands) {
          for (const each of dependsOn) expect(seen.has(each)).toBe(true)
          expect(seen.has(id)).toBe(false)
          seen.add(id)
        }
        expect(commands.length).toBe(all.flatMap(({ kind }) => draftsOf[kind]).length)
      }),
      lawRuns(2_000),
    )
  })

  it('law: every change of a dependent stands between the create and the delete of a replacement that creates first', () => {
    fc.assert(
      fc.property(drawn, (all) => {
        const commands = build(all)
        const needs = doneBefore(commands)
        for (const { address } of all.filter(({ kind }) => kind === 'createFirst')) {
          for (const { address: other, kind, wanted, held } of all) {
            if (kind === 'same' || !(wanted.includes(address) || held.includes(address))) continue
            const own = commands.filter((each) => each.address === other)
            const [first] = own
            const change = own.findLast(({ action }) => kind === 'delete' || action !== 'delete')
            const isWanted = wanted.includes(address)
            // What is deleted before something that this one needs cannot wait for it: only its new object does.
            const isInside = needs.get(`${address}#2`)?.has(first?.id ?? '')
            if (isWanted) expect(needs.get((isInside ? change : first)?.id ?? '')).toContain(`${address}#2`)
            // Records of different times may contradict each other: then what creates is still in between.
            if (kind !== 'delete') expect(needs.get(`${address}#3`)).toContain(change?.id)
          }
        }
      }),
      lawRuns(2_000),
    )
  })

  it('law: what is removed goes in the reverse order of its recorded dependencies', () => {
    fc.assert(
      fc.property(drawn, (given) => {
        // Records of one time have no cycle.
        const all = given.map((each) => ({
          ...each,
          held: each.held.filter((other) => Number(other.slice(3)) < Number(each.address.slice(3))),
        }))
        const commands = build(all)
        const needs = doneBefore(commands)
        const removal = ({ address, kind }: Drawn): string | undefined =>
          kind === 'delete' ? `${address}#1` : kind === 'createFirst' ? `${address}#3` : undefined
        for (const one of all) {
          for (const other of all.filter(({ address }) => one.held.includes(address))) {
            const [first, then] = [removal(one), removal(other)]
            if (first === undefined || then === undefined) continue
            // A declared dependency that stays does not let go.
            if (one.wanted.includes(other.address) && other.kind !== 'createFirst') continue
            expect(needs.get(then)).toContain(first)
          }
        }
      }),
      lawRuns(2_000),
    )
  })

  it('what is deleted before a thing that it needs still waits for everything else that it needs', () => {
    const commands = build([
      { address: 't.n0', kind: 'deleteFirst', wanted: [], held: [] },
      { address: 't.n1', kind: 'createFirst', wanted: [], held: [] },
      { address: 't.n2', kind: 'create', wanted: ['t.n0'], held: [] },
      { address: 't.n3', kind: 'deleteFirst', wanted: ['t.n0', 't.n1', 't.n2'], held: ['t.n0', 't.n1'] },
      { address: 't.n4', kind: 'delete', wanted: [], held: ['t.n3'] },
    ])
    expect(commands.map(({ id }) => id)).toEqual([
      ...['t.n1#1', 't.n1#2', 't.n4#1', 't.n3#1', 't.n0#1', 't.n0#2', 't.n2#1', 't.n2#2', 't.n3#2', 't.n1#3'],
    ])
    expect(commands.find(({ id }) => id === 't.n3#1')?.dependsOn.toSorted()).toEqual(['t.n1#2', 't.n4#1'])
  })

  it('what leaves is not deleted before a change of what still uses it', () => {
    const commands = build([
      { address: 't.n0', kind: 'deleteFirst', wanted: [], held: [] },
      { address: 't.n1', kind: 'delete', wanted: [], held: ['t.n0'] },
      { address: 't.n2', kind: 'update', wanted: ['t.n0'], held: ['t.n1'] },
    ])
    expect(commands.map(({ id }) => id)).toEqual(['t.n0#1', 't.n0#2', 't.n2#1', 't.n1#1'])
  })

  it('the old object of a replacement goes after everything that was changed for the new one', () => {
    const commands = build([
      { address: 't.n0', kind: 'createFirst', wanted: [], held: [] },
      { address: 't.n1', kind: 'update', wanted: ['t.n0'], held: ['t.n0'] },
      { address: 't.n2', kind: 'createFirst', wanted: ['t.n0'], held: ['t.n0'] },
      { address: 't.n3', kind: 'delete', wanted: [], held: ['t.n0'] },
    ])
    expect(commands.map(({ id }) => id)).toEqual([
      ...['t.n0#1', 't.n0#2', 't.n1#1', 't.n2#1', 't.n2#2'],
      ...['t.n3#1', 't.n2#3', 't.n0#3'],
    ])
    expect(commands.at(-1)?.dependsOn.toSorted()).toEqual(['t.n0#2', 't.n1#1', 't.n2#3', 't.n3#1'])
  })
})
