import { AppError } from '../../../../engine/errors/errors.ts'
import { fromPointer, valueAt } from '../../../../engine/json/pointer.ts'
import type { PlannedChange } from '../../../../engine/provider/provider.ts'
import type {
  CommandAction,
  CommandDraft,
  Footprint,
  Grade,
  PlannedRequest,
} from '../../../../engine/schema/command.ts'
import type { Json, JsonObject } from '../../../../engine/schema/json.ts'
import { isMark } from '../../../../engine/schema/value.ts'
import { liveAt } from '../../../../engine/transport/secrets/live-places.ts'
import { defined } from '../../../../engine/values/defined.ts'
import { mapMembers, unlessEmpty } from '../../../../engine/values/members.ts'
import { spellName } from '../../../../engine/values/spell-value.ts'
import { markWords } from '../../../../engine/values/words.ts'
import { allEntries, type Entries, entriesOf } from '../../document/attributes.ts'
import { shownIds } from '../../document/document.ts'
import type { Operation } from '../../document/operation/operation.ts'
import type { ResourcePart } from '../../document/part.ts'
import { pathOf, pointerOf, type Scope, spell } from '../../document/shared/template.ts'
import { identified } from '../../read/find-object.ts'
import { holdsSealed, within, withLiveSecrets } from '../../request/build-body.ts'
import { buildRequest, objectScope, operationOf, type TypeContext, withRefs } from '../../request/context.ts'
import { encodeEach, ifKnown } from '../../request/encode.ts'
import { successRule } from '../../request/whole-answer.ts'
import { asItWas } from './in-form.ts'

/** A write before its order among the writes is known. */
export interface Write {
  readonly draft: CommandDraft
  readonly operation: Operation
  /** The part whose read response carries the version for this write. */
  readonly part?: ResourcePart
}

/** The input for the commands of one change. */
export interface CommandContext extends TypeContext {
  readonly change: PlannedChange
  /** Of the way back: what was read of each part. Its spelling and its nulls come back. */
  readonly former?: NonNullable<PlannedChange['objects']>
}

/** The same for requests about one object, which the scope names. */
export interface WriteContext extends CommandContext {
  readonly scope: Scope
}

/** Attributes of an object that are to change. */
export interface Transition {
  readonly before: JsonObject
  readonly after: JsonObject
  /** Those that differ. */
  readonly names: readonly string[]
}

/** The object as it is now, identified by its read attributes and its server ids. */
export const asItIs = (context: CommandContext): WriteContext => {
  const { resource, change } = context
  const { before, after, desired, ids = {}, refs, presentRefs = refs } = change
  const entries = allEntries(resource)
  const more = { desired: encodeEach(entries, after ?? desired), before: encodeEach(entries, before ?? {}) }
  const attributes = { ...identified(context, desired), ...before }
  return { ...context, scope: objectScope(withRefs(context, presentRefs), attributes, asShown(context, ids), more) }
}

/** Ids are compared and stored as texts; a body has one as the object shows it, which may be a number. */
const asShown = ({ resource, change: { objects = {} } }: CommandContext, ids: JsonObject): JsonObject =>
  mapMembers(ids, (id, name) => {
    const place = shownIds(resource)[name]
    if (place === undefined) return id
    const shown = Object.values(objects).map((object) => valueAt(object, pathOf(place)))
    return shown.find((value) => typeof value === 'number' && String(value) === id) ?? id
  })

/** The object as it will be; ids that the server makes are marks, once it has been created. */
export const asItWillBe = (context: CommandContext, after: JsonObject, isCreated: boolean): WriteContext => {
  const { resource, change } = context
  const marks = mapMembers(resource.serverId ?? {}, (_, name) => ({ $after: change.address, pointer: `/ids/${name}` }))
  const more = { desired: encodeEach(allEntries(resource), after) }
  return { ...context, scope: objectScope(context, identified(context, after), isCreated ? marks : {}, more) }
}

/** The context of what undoes a request to an object that was read. */
export const onWayBack = <Context extends CommandContext>(context: Context): Context => ({
  ...context,
  ...defined({ former: context.change.objects }),
})

/** `{desired}` and `{before}` are the two sides of a change. */
export const between = (context: WriteContext, entries: Entries, { before, after }: Transition): WriteContext => {
  const sides = {
    desired: { ...encodeEach(entries, after), ...asTheyWere(context, after) },
    before: encodeEach(entries, before),
  }
  return { ...context, scope: within(context.scope, sides) }
}

/** Values that come back, spelled as they were read. */
const asTheyWere = ({ resource, former = {} }: CommandContext, values: JsonObject): JsonObject =>
  Object.assign(
    {},
    ...resource.parts.map((part) =>
      mapMembers(entriesOf(part), (entry, name) =>
        values[name] === undefined
          ? undefined
          : ifKnown(() => asItWas(entry, liveAt(former[part.name], pathOf(entry.path ?? name)), values[name] ?? null)),
      ),
    ),
  ) as JsonObject

/** The object for people: its type and the values that identify it. */
export const labelOf = ({ name, resource }: TypeContext, attributes: JsonObject): string => {
  const keys = resource.identity.keys.map((key) => {
    const value = attributes[key] ?? null
    const isOpen = value === null && resource.identity.generated?.includes(key) === true
    return isOpen ? markWords.knownAfterApply : isMark(value) ? spellName(value) : spell(value)
  })
  return [name, ...keys].join(' ')
}

/** The request of a write; sealed values that stay become references to the live ones. */
export const writeRequest = (
  context: WriteContext,
  operation: Operation,
  body?: Json,
  type?: string,
): PlannedRequest => {
  const { before, address } = context.change
  const filled = body === undefined ? undefined : withLiveSecrets(body, before ?? {}, address)
  const built = buildRequest(context, operation, context.scope, defined({ body: filled, contentType: type }))
  if (built.ok) return withSealedBox(context, operation, built.request)
  throw new AppError('TEMPLATE_VALUE_MISSING', { variable: built.variable, detail: built.detail })
}

/** A request whose body has nothing to encrypt needs no key. */
const withSealedBox = (context: WriteContext, { sealedBox }: Operation, request: PlannedRequest): PlannedRequest => {
  if (sealedBox === undefined || request.body === undefined) return request
  const { values, op, key, id } = sealedBox
  const { body } = request
  const held = values.map((each) => pointerOf(each)).filter((each) => valueAt(body, fromPointer(each)) !== undefined)
  if (held.length === 0) return request
  const read = buildRequest(context, operationOf(context, op), context.scope)
  if (!read.ok) throw new AppError('TEMPLATE_VALUE_MISSING', { variable: read.variable, detail: read.detail })
  const ids = id && { from: pointerOf(id.place), to: pointerOf(id.send) }
  const box = { values: held, url: read.request.url, key: pointerOf(key), ...defined({ id: ids }) }
  return { ...request, sealedBox: box }
}

export interface DraftParts {
  readonly action: CommandAction
  readonly description: string
  readonly operation: Operation
  readonly request: PlannedRequest
  /** Where the operation itself says nothing. Without it: `reversible` with an inverse, else `lossy`. */
  readonly grade?: Grade
  readonly inverse?: PlannedRequest | undefined
  /** What neither the request nor its inverse brings back. */
  readonly loses?: readonly string[]
  readonly produces?: NonNullable<CommandDraft['produces']>
  /** What goes with what is removed. The inverse brings back the rest. */
  readonly goes?: readonly string[] | undefined
  readonly moves?: readonly string[]
  /** Its effect on the object's attributes. */
  readonly footprint?: Footprint
}

/** What is lost was seen, whatever a document says of its operation. */
const worse = (grade: Grade | undefined, loses: readonly string[]): Grade | undefined =>
  grade === 'reversible' && loses.length > 0 ? 'lossy' : grade

const unlessNone = (places: readonly string[]): readonly string[] | undefined =>
  places.length === 0 ? undefined : [...new Set(places)]

/** A command; the grade in the operation takes precedence. */
export const draftOf = (given: DraftParts): CommandDraft => {
  const { operation, grade, inverse: undo, footprint = {}, loses = [], goes = [], moves = [], ...parts } = given
  // An inverse that does not bring everything back is none.
  // That the order of a list does not come back is all that is lost of it.
  const missed = [...loses, ...moves]
  const inverse = missed.length > 0 ? undefined : undo
  const affects = [...(footprint.affects ?? []), ...(operation.affects ?? [])]
  return {
    ...parts,
    grade:
      worse(operation.grade ?? grade, [...missed, ...goes]) ??
      (inverse === undefined || goes.length > 0 ? 'lossy' : 'reversible'),
    ...defined({
      inverse,
      loses: unlessNone([...loses, ...goes].filter((place) => !moves.includes(place))),
      moves: unlessNone(moves),
    }),
    ...successRule(operation),
    footprint: { ...footprint, ...defined({ affects: affects.length === 0 ? undefined : affects }) },
  }
}

/** A command, and the operation that it calls. */
export const writeOf = (parts: DraftParts): Write => ({ draft: draftOf(parts), operation: parts.operation })

/** Server ids that a create answers, by the name that marks ask for; their places are within the object. */
export const producesOf = ({ answer = '', produces = {} }: Operation): Pick<CommandDraft, 'produces'> => {
  const ids = Object.entries(produces).map(
    ([name, place]) => [`/ids/${name}`, typeof place === 'string' ? pointerOf(place, answer) : place] as const,
  )
  return defined({ produces: unlessEmpty(Object.fromEntries(ids)) })
}

/** A request that can be sent later unchanged; it must not contain a former secret or lack a value. */
export const inverseOf = (build: () => PlannedRequest | undefined): PlannedRequest | undefined => {
  const request = ifKnown(build)
  return request === undefined || holdsSealed(request.body ?? null) ? undefined : request
}
