import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { keepNeeded } from '../../../core/engine/plan/keep-needed.ts'
import type { Change, Unchecked } from '../../../core/engine/schema/stored/plan.ts'
import { lawRuns } from '../../builders/laws.ts'
import { aChange, object } from '../../builders/values/plans.ts'

/* What is still pointed at is not deleted. */

const fates = ['same', 'update', 'blocked', 'unchecked', 'delete', 'blockedDelete', 'createFirst'] as const
type Fate = (typeof fates)[number]

interface Drawn {
  readonly address: string
  readonly fate: Fate
  /** What it needed when it was applied last, and what it needs by its declaration. */
  readonly held: readonly string[]
  readonly wanted: readonly string[]
}

const actions: Readonly<Record<Fate, (Pick<Change, 'action'> & Partial<Change>) | undefined>> = {
  same: undefined,
  unchecked: undefined,
  update: { action: 'update' },
  blocked: { action: 'update', blocked: { reason: 'immutable', detail: 'fixed' } },
  delete: { action: 'delete' },
  blockedDelete: { action: 'delete', blocked: { reason: 'prevent_destroy', detail: 'kept' } },
  createFirst: { action: 'replace', replaceOrder: 'createFirst' },
}

const goes = (fate: Fate): boolean => fate === 'delete' || fate === 'blockedDelete'

const keep = (all: readonly Drawn[]): readonly Change[] => {
  const changes = all.flatMap(({ address, fate }) => {
    const own = actions[fate]
    return own === undefined ? [] : [aChange({ address, diff: object({}), ...own })]
  })
  const unchecked = all.flatMap(({ address, fate }): readonly Unchecked[] =>
    fate === 'unchecked' ? [{ address, reason: 'forbidden', detail: '403' }] : [],
  )
  return keepNeeded(changes, {
    unchecked,
    desired: all.filter(({ fate }) => !goes(fate)).map(({ address, wanted }) => ({ address, dependsOn: wanted })),
    recorded: all.map(({ address, held }) => ({ address, dependsOn: held })),
  })
}

const graphs = fc
  .array(
    fc.record({
      fate: fc.constantFrom(...fates),
      held: fc.array(fc.nat(7), { maxLength: 3 }),
      wanted: fc.array(fc.nat(7), { maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((all) =>
    all.map(({ fate, held, wanted }, n): Drawn => {
      // Nothing that stays is declared to need what goes.
      const among = (numbers: readonly number[], isFor: 'wanted' | 'held') =>
        [...new Set(numbers.filter((each) => each < n))].flatMap((each) =>
          isFor === 'wanted' && goes(all[each]?.fate ?? 'same') ? [] : [`t.n${each}`],
        )
      return { address: `t.n${n}`, fate, held: among(held, 'held'), wanted: goes(fate) ? [] : among(wanted, 'wanted') }
    }),
  )

describe('an object that others still need', () => {
  it('law: is not deleted while a dependent stays, and no other object is kept from deletion', () => {
    fc.assert(
      fc.property(graphs, (all) => {
        const after = new Map(keep(all).map((change) => [change.address, change]))
        const isKept = ({ address, fate }: Drawn): boolean =>
          fate === 'unchecked' || after.get(address)?.blocked !== undefined
        for (const { address, fate } of all) {
          if (fate !== 'delete' && fate !== 'createFirst') continue
          const needing = all.filter(
            ({ held, wanted }) => held.includes(address) || (fate === 'createFirst' && wanted.includes(address)),
          )
          const blocked = after.get(address)?.blocked
          if (blocked?.reason === 'dependency_unknown') continue
          expect(blocked?.reason).toBe(needing.some(isKept) ? 'dependent_kept' : undefined)
        }
      }),
      lawRuns(3_000),
    )
  })

  it('stays together with everything that it needs itself, and the reason is named', () => {
    const after = keep([
      { address: 't.n0', fate: 'delete', held: [], wanted: [] },
      { address: 't.n1', fate: 'delete', held: ['t.n0'], wanted: [] },
      { address: 't.n2', fate: 'blocked', held: ['t.n1'], wanted: [] },
      { address: 't.n3', fate: 'delete', held: [], wanted: [] },
    ])
    expect(after.map(({ blocked }) => blocked?.reason)).toEqual([
      'dependent_kept',
      'dependent_kept',
      'immutable',
      undefined,
    ])
    expect(after[1]?.blocked?.detail).toBe(
      't.n2 needed it when it was applied last, and is not changed (fixed); correct that first, or name this resource under removed: then its object stays',
    )
  })
})
