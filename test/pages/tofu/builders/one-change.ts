import type { Diff } from '../../../../core/engine/schema/diff.ts'
import type { ViewChange } from '../../../../core/pages/tofu/view/plan-view.ts'
import { host, networkSchemas, resourceChange, tofuPlan, tofuSchemas } from './documents.ts'
import { changeNamed, nodeAt, planViewOf } from './read-views.ts'

/* Views of plans with one change. */

/** The diff of one update. */
export const changeOf = (
  change: object,
  options: { readonly schemas?: unknown } = { schemas: networkSchemas },
): ViewChange => changeNamed(planViewOf(tofuPlan([resourceChange(['update'], { ...change })]), options), 'a')

export const diffOf = (
  before: object,
  after: object,
  more: object = {},
  options?: { readonly schemas?: unknown },
): Diff => changeOf({ before: host(before as never), after: host(after as never), ...more }, options).diff

export const typed = (type: unknown) => ({ schemas: tofuSchemas({ net_host: { attributes: { v: { type } } } }) })
export const valueDiff = (type: unknown, before: unknown, after: unknown, more: object = {}): Diff =>
  nodeAt(changeOf({ before: { v: before }, after: { v: after }, ...more }, typed(type)).diff, 'v')

/** What became of each element, in order. */
export const actionsOf = (diff: Diff): readonly string[] =>
  'elements' in diff ? diff.elements.map((element) => element.diff.action) : []

export const forced = (diff: Diff, path: readonly string[] = []): string[] => {
  const here = diff.forcesReplacement ? [path.join('.')] : []
  if (diff.kind === 'object' || diff.kind === 'map')
    return [...here, ...Object.entries(diff.members).flatMap(([name, inner]) => forced(inner, [...path, name]))]
  if ('elements' in diff)
    return [...here, ...diff.elements.flatMap((element, place) => forced(element.diff, [...path, `${place}`]))]
  return here
}

/** A change that nothing is wrong with. */
export const good = resourceChange(['update'], { before: host(), after: host({ size: 4 }) }, { name: 'good' })
