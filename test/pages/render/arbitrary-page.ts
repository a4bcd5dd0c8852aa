import * as fc from 'fast-check'
import type { Prose } from '../../../core/pages/render/characters/prose.ts'
import { visible } from '../../../core/pages/render/characters/visible.ts'
import type { Block, Report } from '../../../core/pages/render/report/report.ts'
import { reportOfPlan } from '../../../core/pages/render/report/report-of-plan.ts'
import { aChange, aPlan } from '../../builders/values/plans.ts'
import { someDiff, somePlan, someText } from './arbitrary-plan.ts'
import { withCanaries } from './canaries.ts'

const someProse: fc.Arbitrary<Prose> = fc.array(
  fc.oneof(
    fc.constantFrom('will be changed', ': '),
    someText.map((foreign) => ({ foreign })),
  ),
  { maxLength: 3 },
)

const someTallies = fc.array(
  fc.record({
    symbol: fc.constantFrom('-', '-/+', '~', '+', '!', '?', ''),
    n: fc.nat(9_999),
    words: fc.constantFrom('to destroy', 'to change'),
    addresses: fc.array(someText.map(visible), { maxLength: 9 }),
  }),
  { maxLength: 4 },
)

const someModules = fc.array(
  fc.record({
    module: someText,
    depth: fc.nat(12),
    label: someText,
    counts: fc.array(fc.record({ symbol: fc.constantFrom('-', '~', '+', '<='), n: fc.nat(99) }), { maxLength: 3 }),
  }),
  { maxLength: 4 },
)

/** What the planner's own pages do not have yet, and what others may. */
const someExtras = fc.record({
  notes: fc.array(someProse, { maxLength: 2 }),
  tallies: someTallies,
  modules: someModules,
  headline: someProse,
  at: someText,
})

const someBlockParts = fc.record({
  also: fc.array(someText, { maxLength: 3 }),
  module: someText,
  place: fc.record({ file: someText, line: fc.nat(), column: fc.nat() }),
  words: someProse,
})

/** Any report of the shape, out of any plan of the shape. */
export const somePage: fc.Arbitrary<Report> = fc
  .tuple(somePlan, someExtras, fc.array(someBlockParts, { minLength: 1, maxLength: 4 }))
  .map(([plan, extras, parts]) => {
    const page = { ...reportOfPlan(plan), ...extras }
    let n = 0
    const blockWith = (block: Block): Block => ({ ...block, ...parts[n++ % parts.length] })
    return { ...page, sections: page.sections.map((one) => ({ ...one, blocks: one.blocks.map(blockWith) })) }
  })

/** One with something hidden in every value that a diff calls sensitive. */
export const somePageOfSecrets: fc.Arbitrary<Report> = someDiff.map((diff) =>
  reportOfPlan(aPlan({ changes: [aChange({ address: 'a_b.c', action: 'update', diff: withCanaries(diff) })] })),
)
