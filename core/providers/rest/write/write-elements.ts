import type { PlannedRequest } from '../../../schema/command.ts'
import type { Json, JsonObject } from '../../../schema/json.ts'
import { defined } from '../../../values/defined.ts'
import type { Operation } from '../document/operation.ts'
import type { Collection, EachElement } from '../document/part.ts'
import { type Scope, variablesOf } from '../document/template.ts'
import { buildBody, within } from '../request/build-body.ts'
import { type Building, draftOf, inverseOf, operationOf, writeRequest, writeRequestIfKnown } from './draft.ts'
import { type CollectionSides, doneTo, elementLabel, elementScope, reversed, type Step } from './element-changes.ts'
import { elementSteps } from './element-steps.ts'
import type { Write } from './lock-commands.ts'

/** A call for each element that comes, changes or goes. */
export const elementWrites = (
  building: Building,
  collection: Collection,
  each: EachElement,
  { before, after, scope }: CollectionSides,
): readonly Write[] => {
  const built = (step: Step, build: typeof writeRequest | typeof writeRequestIfKnown): PlannedRequest | undefined => {
    const operation = operationOf(building, each[step.call] ?? '')
    if (operation === undefined) return undefined
    const places = placesOf(step)
    const outer = elementScope(collection, step.change, scope, step.call === 'create' ? 'create' : 'update')
    const inner = within(outer, places)
    return build(building, operation, inner, bodyOf(operation, step.call, inner))
  }
  const inserts = takes(operationOf(building, each.create), 'to')
  return elementSteps(collection, each, { before, after }, inserts).flatMap((step): Write[] => {
    const operation = operationOf(building, each[step.call] ?? '')
    const request = built(step, writeRequest)
    if (operation === undefined || request === undefined) return []
    const inverse = inverseOf(() => built(backOf(step), writeRequestIfKnown))
    const draft = draftOf({
      action: 'update',
      description: `${step.call} ${elementLabel(collection, step.change)} of ${collection.field}`,
      operation,
      request,
      grade: inverse === undefined ? 'lossy' : 'reversible',
      inverse,
      does: collection.ordered ? { affects: [collection.field] } : doneTo(collection, [step.change]),
    })
    return [{ draft: step.about === undefined ? draft : { ...draft, about: step.about }, operation }]
  })
}

const placesOf = ({ position, to }: Step): JsonObject => defined({ position, to })

const takes = (operation: Operation | undefined, variable: string): boolean =>
  operation !== undefined &&
  variablesOf([operation.path, operation.query ?? {}, operation.body ?? null]).some(([first]) => first === variable)

const backOf = ({ call, change, position, to }: Step): Step => ({
  call: call === 'create' ? 'remove' : call === 'remove' ? 'create' : call,
  change: reversed(change),
  ...defined({ position: to }),
  ...(position === undefined
    ? {}
    : { to: position, ...defined({ position: call === 'update' ? position : undefined }) }),
})

const bodyOf = (operation: Operation, call: Step['call'], scope: Scope): Json | undefined => {
  if (operation.body === undefined && (call === 'remove' || call === 'move')) return undefined
  return buildBody(operation, undefined, scope(['el']) ?? {}, scope)
}
