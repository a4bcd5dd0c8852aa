import type { Diff } from '../../../core/schema/diff.ts'
import type { TofuMode } from '../../../core/tofu/compat/page.ts'
import type { PlanReview, Review, ReviewChange } from '../../../core/tofu/view/plan-view.ts'
import { readTofuReview } from '../../../core/tofu/view/read-review.ts'

interface Options {
  readonly schemas?: unknown
  readonly mode?: TofuMode
}

/** A text is the document itself. */
const source = (name: string, value: unknown) => ({
  name,
  bytes: Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)),
})

export const reviewOf = (document: unknown, { schemas, mode }: Options = {}): Review =>
  readTofuReview(source('plan.json', document), {
    mode,
    schemas: schemas === undefined ? undefined : source('schemas.json', schemas),
  })

export const planReview = (document: unknown, options?: Options): PlanReview => {
  const review = reviewOf(document, options)
  if (review.kind !== 'plan') throw new Error('no plan')
  return review
}

export const changeNamed = ({ changes, problems }: PlanReview, name: string): ReviewChange => {
  const change = changes.find((entry) => entry.name === name)
  if (change === undefined) throw new Error(`no change of ${name}: ${JSON.stringify(problems)}`)
  return change
}

/** The node at a path: members by name, elements of lists and sets by their place in the diff. */
export const nodeAt = (diff: Diff, ...[step, ...rest]: readonly (string | number)[]): Diff => {
  if (step === undefined) return diff
  const inner =
    diff.kind === 'object' || diff.kind === 'map'
      ? diff.members[step]
      : 'elements' in diff
        ? diff.elements[Number(step)]?.diff
        : diff.kind === 'json' || diff.kind === 'yaml'
          ? nodeAt(diff.inner, step)
          : undefined
  if (inner === undefined) throw new Error(`no node at ${step}`)
  return nodeAt(inner, ...rest)
}
