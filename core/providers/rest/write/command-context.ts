import { AppError } from '../../../errors.ts'
import type { CommandAction, CommandDraft, Footprint, Grade, PlannedRequest } from '../../../schema/command.ts'
import type { Json, JsonObject } from '../../../schema/json.ts'
import { isMark } from '../../../schema/value.ts'
import { defined } from '../../../values/defined.ts'
import { unlessEmpty } from '../../../values/members.ts'
import type { PlannedChange } from '../../provider.ts'
import { allEntries } from '../document/attributes.ts'
import type { Operation } from '../document/operation.ts'
import { pointerOf, type Scope, spell } from '../document/template.ts'
import { identified } from '../read/find-object.ts'
import { holdsSealed, withLiveSecrets } from '../request/build-body.ts'
import { buildRequest, objectScope, type TypeContext, withRefs } from '../request/context.ts'
import { encodeEach, ifKnown } from '../request/encode.ts'
import { successRule } from '../request/whole-answer.ts'

/** What the commands of one change are made of. */
export interface CommandContext extends TypeContext {
  readonly change: PlannedChange
}

/** The attributes of an object before and after a change, and the scope that names it. */
export interface Transition {
  readonly before: JsonObject
  readonly after: JsonObject
  readonly scope: Scope
}

/** The object as it is: what was read of it names it, and its server ids. */
export const presentScope = ({ change, ...context }: CommandContext): Scope => {
  const entries = allEntries(context.resource)
  return objectScope(
    withRefs(context, change.presentRefs ?? change.refs),
    { ...identified(context, change.desired), ...change.before },
    change.ids ?? {},
    {
      desired: encodeEach(entries, change.after ?? change.desired),
      before: encodeEach(entries, change.before ?? {}),
    },
  )
}

/** The object as it will be; ids that the server makes are marks, once it has been created. */
export const futureScope = (context: CommandContext, after: JsonObject, isCreated: boolean): Scope => {
  const { resource, change } = context
  const names = isCreated ? Object.keys(resource.serverId ?? {}) : []
  const ids = names.map((name) => [name, { $after: change.address, pointer: `/ids/${name}` }] as const)
  return objectScope(context, identified(context, after), Object.fromEntries(ids), {
    desired: encodeEach(allEntries(resource), after),
  })
}

/** The object for people: its type and the values that identify it. */
export const labelOf = ({ name, resource }: TypeContext, attributes: JsonObject): string => {
  const keys = resource.identity.keys.map((key) => {
    const value = attributes[key] ?? null
    const isOpen = value === null && resource.identity.generated?.includes(key) === true
    return isOpen || isMark(value) ? '(known after apply)' : spell(value)
  })
  return [name, ...keys].join(' ')
}

/** The request of a write; sealed values that stay become references to the live ones. */
export const writeRequest = (
  context: CommandContext,
  operation: Operation,
  scope: Scope,
  body: Json | undefined,
  contentType?: string,
): PlannedRequest => {
  const { before, address } = context.change
  const sent =
    body === undefined ? {} : { body: withLiveSecrets(body, before ?? {}, address), ...defined({ contentType }) }
  const built = buildRequest(context, operation, scope, sent)
  if (built.ok) return built.request
  throw new AppError('TEMPLATE_VALUE_MISSING', { variable: built.variable, detail: built.detail })
}

export interface DraftParts {
  readonly action: CommandAction
  readonly description: string
  readonly operation: Operation
  readonly request: PlannedRequest
  /** Where the operation itself says nothing. Without it: `reversible` with an inverse, else `lossy`. */
  readonly grade?: Grade
  readonly inverse?: PlannedRequest | undefined
  /** What it does to the object's attributes. */
  readonly footprint?: Footprint
}

/** A command; what the operation itself says of its grade comes first. */
export const draftOf = ({ operation, grade, inverse, footprint = {}, ...parts }: DraftParts): CommandDraft => {
  const affects = [...(footprint.affects ?? []), ...(operation.affects ?? [])]
  return {
    ...parts,
    grade: operation.grade ?? grade ?? (inverse === undefined ? 'lossy' : 'reversible'),
    ...defined({ inverse }),
    ...successRule(operation),
    footprint: { ...footprint, ...defined({ affects: affects.length === 0 ? undefined : affects }) },
  }
}

/** Server ids that a create answers, by the name that marks ask for; their places are within the object. */
export const producesOf = ({ answer = '', produces = {} }: Operation): Pick<CommandDraft, 'produces'> => {
  const ids = Object.entries(produces).map(
    ([name, place]) => [`/ids/${name}`, typeof place === 'string' ? pointerOf(place, answer) : place] as const,
  )
  return defined({ produces: unlessEmpty(Object.fromEntries(ids)) })
}

/** A request that can be sent later as it is; one that holds a secret of the past cannot, nor one that lacks a value. */
export const inverseOf = (build: () => PlannedRequest | undefined): PlannedRequest | undefined => {
  const request = ifKnown(build)
  return request === undefined || holdsSealed(request.body ?? null) ? undefined : request
}
