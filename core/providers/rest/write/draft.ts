import { AppError, isAppError } from '../../../errors.ts'
import type { CommandAction, CommandDraft, Footprint, Grade, PlannedRequest } from '../../../schema/command.ts'
import { type Json, type JsonObject, toPointer } from '../../../schema/json.ts'
import { isMark } from '../../../schema/value.ts'
import { defined } from '../../../values/defined.ts'
import type { PlannedChange } from '../../provider.ts'
import type { Operation } from '../document/operation.ts'
import { pathOf, type Scope, spell } from '../document/template.ts'
import type { IdPlace } from '../document/words.ts'
import { holdsSealed, withLiveSecrets } from '../request/build-body.ts'
import { buildRequest, type TypeContext } from '../request/context.ts'
import { successRule } from '../request/whole-answer.ts'

export interface Building {
  readonly context: TypeContext
  readonly change: PlannedChange
}

/** The object in words: its type and the values that identify it. */
export const labelOf = ({ context }: Building, attributes: JsonObject): string => {
  const keys = context.resource.identity.keys.map((key) => {
    const value = attributes[key] ?? null
    const isOpen = value === null && context.resource.identity.generated?.includes(key) === true
    return isOpen || isMark(value) ? '(known after apply)' : spell(value)
  })
  return [context.name, ...keys].join(' ')
}

export const operationOf = ({ context }: Building, name: string): Operation | undefined =>
  context.resource.operations[name]

/** The request of a write; sealed values that stay become references to the live ones. */
export const writeRequest = (
  { context, change }: Building,
  operation: Operation,
  scope: Scope,
  body: Json | undefined,
  contentType?: string,
): PlannedRequest => {
  const sent = body === undefined ? undefined : withLiveSecrets(body, change.before ?? {}, change.address)
  const more = defined({ contentType })
  const built = buildRequest(context, operation, scope, sent === undefined ? {} : { ...more, body: sent })
  if (built.ok) return built.request
  throw new AppError('TEMPLATE_VALUE_MISSING', { variable: built.variable, detail: built.detail })
}

export interface DraftParts {
  readonly action: CommandAction
  readonly description: string
  readonly operation: Operation
  readonly request: PlannedRequest
  /** Where the operation itself says nothing. */
  readonly grade: Grade
  readonly inverse: PlannedRequest | undefined
  /** What it does to the object's attributes. */
  readonly does: Footprint
}

const withAffected = (does: Footprint, { affects = [] }: Operation): Footprint => {
  const all = [...(does.affects ?? []), ...affects]
  return all.length === 0 ? does : { ...does, affects: all }
}

/** A command; what the operation itself says of its grade comes first. */
export const draftOf = ({
  action,
  description,
  operation,
  request,
  grade,
  inverse,
  does,
}: DraftParts): CommandDraft => ({
  action,
  description,
  request,
  grade: operation.grade ?? grade,
  ...defined({ inverse }),
  ...successRule(operation),
  footprint: withAffected(does, operation),
})

/** Server ids that a create answers, by the name that marks ask for; their places are within the object. */
export const producesOf = ({ answer = '', produces = {} }: Operation): Pick<CommandDraft, 'produces'> => {
  const ids = Object.entries(produces)
  if (ids.length === 0) return {}
  const pointerTo = (place: IdPlace) =>
    typeof place === 'string' ? toPointer([...pathOf(answer), ...pathOf(place)]) : place
  return { produces: Object.fromEntries(ids.map(([name, place]) => [`/ids/${name}`, pointerTo(place)])) }
}

/** The same where a value in the URL may not be known: the id of what does not exist any more, or not yet. */
export const writeRequestIfKnown = (
  building: Building,
  operation: Operation,
  scope: Scope,
  body: Json | undefined,
): PlannedRequest | undefined =>
  buildRequest(building.context, operation, scope).ok ? writeRequest(building, operation, scope, body) : undefined

/** A request that can be sent later as it is; one that holds a secret of the past cannot, nor one that lacks a value. */
export const inverseOf = (build: () => PlannedRequest | undefined): PlannedRequest | undefined => {
  try {
    const request = build()
    return request === undefined || holdsSealed(request.body ?? null) ? undefined : request
  } catch (error) {
    if (isAppError(error, 'TEMPLATE_VALUE_MISSING')) return undefined
    throw error
  }
}
