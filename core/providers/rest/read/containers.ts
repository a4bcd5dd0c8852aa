import { valueAt } from '../../../engine/json/pointer.ts'
import type { Target } from '../../../engine/provider/provider.ts'
import type { Json, JsonObject } from '../../../engine/schema/json.ts'
import type { PresentResult, ReadResult, UnknownResult } from '../../../engine/schema/resource.ts'
import { defined } from '../../../engine/values/defined.ts'
import { pick, unlessEmpty } from '../../../engine/values/members.ts'
import { namingPlace } from '../../../engine/values/normalise/named-container.ts'
import { spellValue } from '../../../engine/values/spell-value.ts'
import { allEntries, sameValue } from '../document/attributes.ts'
import type { RestResource } from '../document/document.ts'
import { neededIn, pathOf } from '../document/shared/template.ts'
import { askForObject } from '../request/ask.ts'
import { contextOf, objectScope, type ReadContext, type TypeContext } from '../request/context.ts'
import { decodeAll } from '../request/decode.ts'
import { proveIds } from './fixed-ids.ts'
import { type FixedReference, fixedReferences, namesById, namesIn, spellKey, spellPlace } from './fixed-references.ts'
import { unknowns } from './shared/words.ts'

/** An object that contains another one, which its URL, its keys or what never changes names, at any depth. */
interface Container<Of extends TypeContext> extends FixedReference {
  /** The key of the container that the value is. */
  readonly key: string
  /** The operation that reads it by its keys, and the place of its id. */
  readonly op: string
  readonly id: string
  readonly context: Of
}

export const containersOf = <Of extends TypeContext>(context: Of): readonly Container<Of>[] =>
  fixedReferences(context.resource).flatMap((reference): Container<Of>[] => {
    const { refersTo, in: where } = reference.entry
    const other = refersTo && contextOf(context, refersTo.type)
    const { identity, serverId = {} }: Partial<Pick<RestResource, 'identity' | 'serverId'>> = other?.resource ?? {}
    const place = serverId[identity?.container?.id ?? '']
    if (other === undefined || identity?.container === undefined || typeof place !== 'string') return []
    const key = refersTo?.attribute ?? ''
    // The id itself is what proves the container, and a record has it.
    if (key === identity.container.id || namesById(context, reference) !== undefined) return []
    const container = { ...reference, key, op: identity.container.op, id: place, context: other }
    // What is below a third object, of which this one says nothing, cannot be read by its name.
    return where === 'path' || isReadable(container, context) ? [container] : []
  })

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

/** The variables of the requests that read a container: what the contained object says of its place. */
export const containerValues = (container: Container<TypeContext>, child: TypeContext, own: JsonObject) =>
  namesIn(container, own).map(({ name }) => valuesFor(container, child, own, name))

const valuesFor = (container: Container<TypeContext>, child: TypeContext, own: JsonObject, name: Json) => ({
  ...pick(own, placesFor(container, child)),
  [container.key]: name,
})

/** `lost`: where the object was recorded in one that is not found. */
type Containers =
  | { readonly kind: 'proven'; readonly ids: NonNullable<PresentResult['parents']>; readonly lost?: string }
  | UnknownResult

/**
 * Which objects contain the target, by their ids. A name alone proves nothing: another object may have it by now, or the API may
 * lead from it to the object that had it before.
 */
export const proveContainers = async (
  context: ReadContext,
  target: Target,
  observed: JsonObject = {},
): Promise<Containers> => {
  const { parents = {} } = target
  const ids: Record<string, string> = {}
  const places = new Map<string, boolean>()
  for (const container of containersOf(context)) {
    for (const { key, name, attributes, known } of insideOf(container, target, observed)) {
      const found = await askContainer(container, context, { attributes, name, known })
      if (found !== undefined && typeof found !== 'string') return found
      if (found !== undefined) ids[key] = found
      places.set(namingPlace(key), (places.get(namingPlace(key)) ?? true) && found !== undefined)
    }
  }
  const left = await proveIds(context, target, observed)
  if (left.kind === 'unknown') return left
  const isLost = (key: string) => !left.places.includes(namingPlace(key)) && places.get(namingPlace(key)) !== true
  const lost = Object.keys(parents).find((key) => ids[key] === undefined && isLost(key))
  return { kind: 'proven', ids: { ...ids, ...left.ids }, ...defined({ lost }) }
}

/** What the object says that it is in now: of that, nothing is known if it was in something else. */
const insideOf = (container: Container<TypeContext>, { attributes, parents = {} }: Target, observed: JsonObject) => {
  const { place, entry } = container
  const [attribute = ''] = place
  const now = observed[attribute]
  const meant = namesIn(container, attributes)
  return (now === undefined ? meant : namesIn(container, observed)).map(({ key, name }) => {
    const same = meant.find((each) => each.key === key && sameValue(entry, each.name, name))
    return same === undefined
      ? {
          key,
          name,
          attributes: now === undefined ? attributes : { ...attributes, [attribute]: now },
          known: undefined,
        }
      : { ...same, attributes, known: parents[key] }
  })
}

interface NameToProve {
  readonly attributes: JsonObject
  readonly name: Json
  /** The recorded id of what had the name. */
  readonly known: string | undefined
}

/** `undefined`: nothing has the name. */
const askContainer = async (
  container: Container<ReadContext>,
  child: TypeContext,
  { attributes, name: own, known }: NameToProve,
) => {
  const { key, op, id, context } = container
  const attribute = spellPlace(container)
  const { refs: _, transport, ...rest } = context
  // Another object under the name has another answer, so a server that confirms the kept one tells that it is the same.
  const apart = { ...rest, transport: transport.confirming ?? transport }
  const scope = objectScope(apart, valuesFor(container, child, attributes, own), {})
  const answer = await askForObject(apart, op, scope, [404])
  if (answer.kind === 'unknown') return { ...answer, detail: `${attribute}: ${answer.detail}` }
  if (answer.kind === 'absent') return undefined
  const entry = allEntries(context.resource)[key]
  const called = entry && decodeAll({ [key]: entry }, answer.object)[key]
  if (entry !== undefined && !sameValue(entry, own, called))
    return unknowns.renamedParent(attribute, spellValue(own), spellValue(called ?? null))
  const found = idText(valueAt(answer.object, pathOf(id)))
  if (found === undefined) return unknowns.parentWithoutId(attribute)
  return known === undefined || known === found ? found : unknowns.otherParent(attribute, spellValue(own), known, found)
}

const idText = (value: Json | undefined): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined

/** A result with what contains the object; an object in something that is not there is no object of the target. */
export const withContainers = (
  result: ReadResult,
  { ids, lost }: Extract<Containers, { readonly kind: 'proven' }>,
): ReadResult => {
  if (result.kind === 'unknown') return result
  if (lost !== undefined && result.kind === 'present') return unknowns.noParent(spellKey(lost))
  return { ...result, ...defined({ parents: unlessEmpty(ids) }) }
}
