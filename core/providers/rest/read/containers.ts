import { valueAt } from '../../../engine/json/pointer.ts'
import type { Target } from '../../../engine/provider/provider.ts'
import type { Json, JsonObject } from '../../../engine/schema/json.ts'
import type { PresentResult, ReadResult, UnknownResult } from '../../../engine/schema/resource.ts'
import { defined } from '../../../engine/values/defined.ts'
import { pick, unlessEmpty } from '../../../engine/values/members.ts'
import { spellValue } from '../../../engine/values/spell-value.ts'
import type { AttributeEntry } from '../document/attribute.ts'
import { allEntries, sameValue } from '../document/attributes.ts'
import type { RestResource } from '../document/document.ts'
import { neededIn, pathOf } from '../document/shared/template.ts'
import { askForObject } from '../request/ask.ts'
import { contextOf, objectScope, type ReadContext, type TypeContext } from '../request/context.ts'
import { decodeAll } from '../request/decode.ts'
import { unknowns } from './shared/words.ts'

/** An object that contains another one, which its URL, its keys or what never changes names. */
interface Container<Of extends TypeContext> {
  /** The attribute of the contained object that names it, and the key that this is. */
  readonly attribute: string
  readonly key: string
  /** The operation that reads it by its keys, and the place of its id. */
  readonly op: string
  readonly id: string
  readonly context: Of
}

export const containersOf = <Of extends TypeContext>(context: Of): readonly Container<Of>[] =>
  Object.entries(allEntries(context.resource)).flatMap(([attribute, entry]): Container<Of>[] => {
    const { refersTo } = entry
    const other =
      refersTo !== undefined && isPlacing(context, attribute, entry) ? contextOf(context, refersTo.type) : undefined
    const { identity, serverId = {} }: Partial<Pick<RestResource, 'identity' | 'serverId'>> = other?.resource ?? {}
    const place = serverId[identity?.container?.id ?? '']
    if (other === undefined || identity?.container === undefined || typeof place !== 'string') return []
    const key = refersTo?.attribute ?? ''
    // The id itself is what proves the container, and a record has it.
    if (key === identity.container.id) return []
    const container = { attribute, key, op: identity.container.op, id: place, context: other }
    // What is below a third object, of which this one says nothing, cannot be read by its name.
    return entry.in === 'path' || isReadable(container, context) ? [container] : []
  })

const isPlacing = ({ resource }: TypeContext, name: string, { in: where, immutable, sensitive }: AttributeEntry) =>
  (where === 'path' || immutable === true || resource.identity.keys.includes(name)) && sensitive !== true

const isReadable = (container: Container<TypeContext>, child: TypeContext): boolean =>
  neededIn(container.context.resource.operations[container.op]?.path ?? '').every(({ variable: [first] }) => {
    const name = String(first)
    const isGiven = name === 'with' || Object.hasOwn(child.params, name)
    return name === container.key || isGiven || placesFor(container, child).includes(name)
  })

/** What an object says of the place of its container: what is in its path, and what it refers to as the container does. */
const placesFor = ({ context }: Container<TypeContext>, { resource }: TypeContext): readonly string[] => {
  const theirs = allEntries(context.resource)
  return Object.entries(allEntries(resource)).flatMap(([name, { in: where, refersTo }]) => {
    const isShared = refersTo !== undefined && theirs[name]?.refersTo?.type === refersTo.type
    return where === 'path' || isShared ? [name] : []
  })
}

/** The variables of the request that reads a container: what the contained object says of its place. */
export const containerValues = (container: Container<TypeContext>, child: TypeContext, own: JsonObject) => ({
  ...pick(own, placesFor(container, child)),
  [container.key]: own[container.attribute] ?? null,
})

type Containers = { readonly kind: 'proven'; readonly ids: NonNullable<PresentResult['parents']> } | UnknownResult

/**
 * Which objects contain the target, by their ids. A name alone proves nothing: another object may have it by now, or the API may
 * lead from it to the object that had it before.
 */
export const proveContainers = async (
  context: ReadContext,
  target: Target,
  observed: JsonObject = {},
): Promise<Containers> => {
  const ids: Record<string, string> = {}
  for (const container of containersOf(context)) {
    const found = await askContainer(container, context, inside(container, context, target, observed))
    if (found === undefined) continue
    if (typeof found !== 'string') return found
    ids[container.attribute] = found
  }
  return { kind: 'proven', ids }
}

/** The target in what the object says that it is in now: of that, nothing is known if it was in something else. */
const inside = (
  { attribute }: Container<TypeContext>,
  { resource }: TypeContext,
  target: Target,
  observed: JsonObject,
): Target => {
  const [entry, meant, now] = [allEntries(resource)[attribute], target.attributes[attribute], observed[attribute]]
  if (entry === undefined || now === undefined || sameValue(entry, meant, now)) return target
  const { parents: _, ...rest } = target
  return { ...rest, attributes: { ...target.attributes, [attribute]: now } }
}

/** `undefined`: nothing has the name. */
const askContainer = async (
  container: Container<ReadContext>,
  child: TypeContext,
  { attributes, parents = {} }: Target,
) => {
  const { attribute, key, op, id, context } = container
  const own = attributes[attribute]
  if (own === undefined || own === null || typeof own === 'object') return undefined
  const { refs: _, transport, ...rest } = context
  // Another object under the name has another answer, so a server that confirms the kept one tells that it is the same.
  const apart = { ...rest, transport: transport.confirming ?? transport }
  const scope = objectScope(apart, containerValues(container, child, attributes), {})
  const answer = await askForObject(apart, op, scope, [404])
  if (answer.kind === 'unknown') return { ...answer, detail: `${attribute}: ${answer.detail}` }
  if (answer.kind === 'absent') return undefined
  const entry = allEntries(context.resource)[key]
  const called = entry && decodeAll({ [key]: entry }, answer.object)[key]
  if (entry !== undefined && !sameValue(entry, own, called))
    return unknowns.renamedParent(attribute, spellValue(own), spellValue(called ?? null))
  const found = idText(valueAt(answer.object, pathOf(id)))
  if (found === undefined) return unknowns.parentWithoutId(attribute)
  const known = parents[attribute]
  return known === undefined || known === found ? found : unknowns.otherParent(attribute, spellValue(own), known, found)
}

const idText = (value: Json | undefined): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined

/** A result with what contains the object; an object in something that is not there is no object of the target. */
export const withContainers = (
  result: ReadResult,
  ids: NonNullable<PresentResult['parents']>,
  { parents = {} }: Target,
): ReadResult => {
  if (result.kind === 'unknown') return result
  const lost = Object.keys(parents).find((attribute) => ids[attribute] === undefined)
  if (lost !== undefined && result.kind === 'present') return unknowns.noParent(lost)
  return { ...result, ...defined({ parents: unlessEmpty(ids) }) }
}
