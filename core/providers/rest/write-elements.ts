import type { PlannedRequest } from '../../schema/command.ts'
import type { Json } from '../../schema/json.ts'
import { buildBody } from './build-body.ts'
import type { Operation } from './document-operation.ts'
import type { Collection } from './document-part.ts'
import { type Building, draftOf, inverseOf, operationOf, writeRequest, writeRequestIfKnown } from './draft.ts'
import {
  type CollectionSides,
  doneTo,
  type ElementChange,
  elementChanges,
  elementLabel,
  elementScope,
  reversed,
} from './element-changes.ts'
import type { Write } from './lock-commands.ts'
import type { Scope } from './template.ts'

type Each = Extract<NonNullable<Collection['write']>, { readonly each: unknown }>['each']

interface Step {
  readonly call: keyof Each
  readonly change: ElementChange
}

/** A call for each element that comes, changes or goes. */
export const elementWrites = (
  building: Building,
  collection: Collection,
  each: Each,
  { before, after, scope }: CollectionSides,
): readonly Write[] => {
  const built = (step: Step, build: typeof writeRequest | typeof writeRequestIfKnown): PlannedRequest | undefined => {
    const operation = operationOf(building, each[step.call] ?? '')
    if (operation === undefined) return undefined
    const inner = elementScope(collection, step.change, scope, step.call === 'create' ? 'create' : 'update')
    return build(building, operation, inner, bodyOf(operation, step.call, inner))
  }
  return elementChanges(collection, before, after)
    .flatMap((change) => stepsOf(each, change))
    .flatMap((step): Write[] => {
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
        does: doneTo(collection, [step.change]),
      })
      return [{ draft, operation }]
    })
}

/** Without a way to change it, an element goes and comes again. */
const stepsOf = (each: Each, change: ElementChange): readonly Step[] => {
  const { key, before, after } = change
  if (before !== undefined && after !== undefined && each.update !== undefined) return [{ call: 'update', change }]
  return [
    ...(before === undefined ? [] : [{ call: 'remove' as const, change: { key, before } }]),
    ...(after === undefined ? [] : [{ call: 'create' as const, change: { key, after } }]),
  ]
}

const backOf = ({ call, change }: Step): Step => ({
  call: call === 'create' ? 'remove' : call === 'remove' ? 'create' : 'update',
  change: reversed(change),
})

const bodyOf = (operation: Operation, call: Step['call'], scope: Scope): Json | undefined => {
  if (operation.body === undefined && call === 'remove') return undefined
  return buildBody(operation, undefined, scope(['el']) ?? {}, scope)
}
