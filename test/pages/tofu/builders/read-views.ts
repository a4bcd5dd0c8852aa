import type { Diff } from '../../../../core/engine/schema/diff.ts'
import type { TofuMode } from '../../../../core/pages/tofu/read/shapes.ts'
import { buildView } from '../../../../core/pages/tofu/view/build-view.ts'
import type { PlanView, View, ViewChange } from '../../../../core/pages/tofu/view/plan-view.ts'
import { readParts } from './read-parts.ts'

interface Options {
  readonly schemas?: unknown
  readonly mode?: TofuMode
}

export const viewOf = (value: unknown, { schemas, mode }: Options = {}): View => {
  const parts = readParts(value, schemas)
  return buildView(parts.document, { schemas: parts.schemas, mode })
}

export const planViewOf = (document: unknown, options?: Options): PlanView => {
  const view = viewOf(document, options)
  if (view.kind !== 'plan') throw new Error('no plan')
  return view
}

export const changeNamed = ({ changes, problems }: PlanView, name: string): ViewChange => {
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
