import { expect, test } from 'vitest'
import { findLeft } from '../../../core/engine/plan/commands/find-left.ts'
import type { OrphanFate } from '../../../core/engine/schema/resource.ts'
import { absent, desiredOf, factsOf, plan, planOf, present, unknown } from '../../builders/values/resources.ts'

const orphan = (fate: OrphanFate) => ({ address: `t.${fate}`, fate, by: 'workspace' as const })

test('a reported resource that left the configuration prevents "in sync" although no command touches it', () => {
  const plan = { ...planOf([]), orphans: (['report', 'delete', 'forget'] as const).map(orphan) }
  const everything = new Set(plan.orphans.map(({ address }) => address))
  expect(findLeft(plan, everything)).toEqual([
    { address: 't.report', kind: 'differs', touched: false, paths: [], detail: expect.stringMatching(/\w/) },
  ])
})

test('what remains different is explained: a blocked change by its reason, others by what is missing or differs', () => {
  const facts = factsOf({ a: { type: 'string' } })
  const desired = desiredOf({ a: 'x' })
  const leftOf = (...[given]: Parameters<typeof plan>) => findLeft(planOf([plan(given)]), new Set())[0]
  const kept = desiredOf({}, { absent: true, lifecycle: { preventDestroy: true } })
  expect(leftOf({ facts, desired, observed: absent })).toMatchObject({ paths: [], detail: 'it does not exist' })
  const update = leftOf({ facts, desired, observed: present({ a: 'y' }) })
  expect(update).toMatchObject({ kind: 'differs', touched: false, paths: ['a'] })
  expect(update).not.toHaveProperty('detail')
  const blocked = plan({ facts, desired: kept, observed: present({ a: 'x' }) })
  expect(findLeft(planOf([blocked]), new Set())[0]?.detail).toBe(blocked.change?.blocked?.detail ?? 'not blocked')
  expect(leftOf({ facts, desired, observed: unknown })).toMatchObject({ kind: 'unchecked' })
})
