import { expect, test } from 'vitest'
import { findLeft } from '../../core/plan/commands/find-left.ts'
import type { OrphanFate } from '../../core/schema/resource.ts'
import { planOf } from '../builders/values/resources.ts'

const orphan = (fate: OrphanFate) => ({ address: `t.${fate}`, fate, by: 'workspace' as const })

test('what left the configuration and is only reported prevents "in sync", and no command touched it', () => {
  const plan = { ...planOf([]), orphans: (['report', 'delete', 'forget'] as const).map(orphan) }
  const everything = new Set(plan.orphans.map(({ address }) => address))
  expect(findLeft(plan, everything)).toEqual([
    { address: 't.report', kind: 'differs', touched: false, paths: [], detail: expect.stringMatching(/\w/) },
  ])
})
