import type { Lead, NamedResource } from '../../../engine/provider/references.ts'
import type { ObjectReference } from '../../../engine/schema/attribute.ts'
import { isArray, isObject, type Json, type JsonObject, type Path } from '../../../engine/schema/json.ts'
import { isMark } from '../../../engine/schema/value.ts'
import { defined, present } from '../../../engine/values/defined.ts'
import { unlessEmpty } from '../../../engine/values/members.ts'
import type { AttributeEntry } from './attribute.ts'
import { allEntries, entriesIn } from './attributes.ts'
import { type RestResource, showsObjects } from './document.ts'
import { retrievesById } from './ids.ts'
import type { RefEntry } from './refs.ts'
import { pathOf, pointerOf, variablesOf } from './shared/template.ts'
import type { IdPlace } from './shared/words.ts'

/** A type, and all types of its document. */
interface TypeAmong {
  readonly name: string
  readonly resource: RestResource
  readonly types?: Readonly<Record<string, RestResource>>
}

/** The key of a type that people use as the name of its objects. */
export const keyOf = (resource: RestResource, { by }: Partial<RefEntry>): string | undefined => {
  const { keys } = resource.identity
  return by ?? (keys.includes('name') ? 'name' : keys.length === 1 ? keys[0] : undefined)
}

/** Attributes that the scopes of these references are made of, themselves or by the objects behind them. */
export const needs = (entry: AttributeEntry): readonly string[] =>
  refsIn(entry).flatMap(({ scope = {} }) =>
    variablesOf(scope)
      .flatMap(([first, second]) => (first === 'refs' ? (second ?? []) : (first ?? [])))
      .map(String),
  )

/** References at any depth of an attribute. */
export const refsIn = (entry: AttributeEntry): readonly RefEntry[] =>
  entriesIn(entry).flatMap(({ ref }) => present(ref))

/** `{refs.attribute.member}` in any template of a type. */
export const refVariables = (resource: RestResource): readonly Path[] => {
  const known =
    variablesIn.get(resource) ?? variablesOf(resource as unknown as Json).filter(([first]) => first === 'refs')
  variablesIn.set(resource, known)
  return known
}

/** Attributes that requests and rules of a type name, themselves or by the objects behind them. */
export const namedInRequests = (resource: RestResource): readonly string[] => {
  const known =
    namesIn.get(resource) ??
    variablesOf(resource as unknown as Json).map(([first, second]) =>
      ['refs', 'desired', 'before'].includes(String(first)) ? String(second) : String(first),
    )
  namesIn.set(resource, known)
  return known
}

const namesIn = new WeakMap<RestResource, readonly string[]>()

const variablesIn = new WeakMap<RestResource, readonly Path[]>()

const typesReferredTo = new WeakMap<RestResource, ReadonlySet<string>>()

const referredTo = (resource: RestResource): ReadonlySet<string> => {
  const known =
    typesReferredTo.get(resource) ??
    new Set(Object.values(allEntries(resource)).flatMap((entry) => refsIn(entry).flatMap(({ type }) => type ?? [])))
  typesReferredTo.set(resource, known)
  return known
}

/** Whether other types name members of the objects of this type, in their requests or as the sent value of a reference. */
export const namesMembers = ({ types = {}, name }: TypeAmong): boolean =>
  Object.values(types).some((resource) => refVariables(resource).length > 0 || referredTo(resource).has(name))

/** Members of the objects of this type that other types name: in their requests, or as the sent value of a reference. */
export const membersNamed = ({ types = {}, name }: TypeAmong): readonly Path[] =>
  Object.values(types).flatMap((resource) => {
    const entries = allEntries(resource)
    const refs = Object.values(entries).flatMap(refsIn)
    const named = refVariables(resource).filter(([, attribute]) => entries[String(attribute)]?.ref?.type === name)
    return [
      ...refs.flatMap(({ type, emit }) => (type === name ? [pathOf(emit)] : [])),
      ...named.map(([, , ...member]) => member),
    ]
  })

/** Whether a value of an attribute may name another resource. */
const mayName = (entry: AttributeEntry): boolean =>
  entriesIn(entry).some(({ ref, refersTo }) => ref !== undefined || refersTo !== undefined)

/** Whether resources of a type may name others. */
export const namesOthers = (resource: RestResource): boolean => Object.values(allEntries(resource)).some(mayName)

/** The resources that values of attributes may name, at any depth. */
export const namedResources = (context: TypeAmong, attributes: JsonObject): readonly NamedResource[] =>
  Object.entries(allEntries(context.resource)).flatMap(([name, entry]) =>
    namedIn({ ...context, attributes }, entry, attributes[name]),
  )

/** A resource that names others, with all its values. */
interface Naming extends TypeAmong {
  readonly attributes: JsonObject
}

const namedIn = (context: Naming, entry: AttributeEntry, value: Json | undefined): readonly NamedResource[] => {
  const { ref, refersTo, element, attributes = {} } = entry
  if (value === undefined || value === null || isMark(value)) return []
  if (ref !== undefined) return namedBy(context, ref, value)
  if (refersTo !== undefined) return referredBy(context, refersTo, value)
  if (isArray(value)) return element === undefined ? [] : value.flatMap((each) => namedIn(context, element, each))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, child]) => {
    const inner = attributes[name] ?? element
    return inner === undefined ? [] : namedIn(context, inner, child)
  })
}

const namedBy = (
  { types = {} }: TypeAmong,
  ref: NonNullable<AttributeEntry['ref']>,
  value: Json,
): readonly NamedResource[] => {
  const { type } = ref
  const meant = type === undefined ? undefined : types[type]
  const key = meant && keyOf(meant, ref)
  if (type === undefined || key === undefined) return []
  return typeof value === 'string' || typeof value === 'number' ? [{ type, key, value }] : []
}

const referredBy = (context: Naming, { type, attribute }: ObjectReference, value: Json): readonly NamedResource[] => {
  const { types = {} } = context
  const meant = Object.hasOwn(types, type) ? types[type] : undefined
  const key = meant && keyOf(meant, defined({ by: attribute }))
  if (meant === undefined || key === undefined || (typeof value !== 'string' && typeof value !== 'number')) return []
  return [{ type, key, value, ...defined({ within: unlessEmpty(parentsOf(context, meant, key)) }) }]
}

/**
 * The objects that an object is in or is identified by: what its URL, its keys and what never changes refer to, at any depth. The
 * values are those that are sent.
 */
export const leadsOf = ({ resource, types = {} }: TypeAmong, attributes: JsonObject): readonly Lead[] =>
  Object.entries(allEntries(resource)).flatMap(([name, entry]): readonly Lead[] => {
    const value = attributes[name]
    const isKey = entry.in === 'path' || resource.identity.keys.includes(name)
    const leads = leadsIn({ resource, types, attributes }, entry, value, isKey)
    if (leads.length > 0)
      return leads.map((lead) => {
        const isContainer = lead.type !== undefined && types[lead.type]?.identity.container !== undefined
        return { ...lead, ...defined({ isAround: isKey || isContainer ? (true as const) : undefined }) }
      })
    const isPlace = entry.in === 'path' || (isKey && name !== keyOf(resource, {}))
    return isPlace && isText(value) ? [{ value, at: { attribute: name }, isAround: true }] : []
  })

const isText = (value: Json | undefined): value is string | number =>
  typeof value === 'string' || typeof value === 'number'

/** What a value refers to, at any depth. `isFixed`: it never changes. */
const leadsIn = (
  context: Omit<Naming, 'name'>,
  entry: AttributeEntry,
  value: Json | undefined,
  isFixed: boolean,
): readonly Lead[] => {
  if (value === undefined || value === null || isMark(value)) return []
  const { element, attributes: members = {}, immutable } = entry
  const counts = isFixed || immutable === true
  if (isText(value)) return counts ? present(leadBy(context, entry, value)) : []
  if (isArray(value))
    return element === undefined ? [] : value.flatMap((each) => leadsIn(context, element, each, counts))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, child]) => {
    const inner = Object.hasOwn(members, name) ? members[name] : element
    return inner === undefined ? [] : leadsIn(context, inner, child, counts)
  })
}

const leadBy = (
  context: Omit<Naming, 'name'>,
  { ref, refersTo }: AttributeEntry,
  value: string | number,
): Lead | undefined => {
  const { types = {} } = context
  const type = refersTo?.type ?? ref?.type
  const other = type !== undefined && Object.hasOwn(types, type) ? types[type] : undefined
  const key = other && keyOf(other, {})
  const attribute = refersTo?.attribute ?? key
  const within = other && unlessEmpty(parentsOf(context, other, attribute, sentFor))
  if (type !== undefined && refersTo !== undefined && attribute !== undefined)
    return { type, value, at: { attribute }, ...defined({ within }) }
  if (type === undefined || ref === undefined) return undefined
  return { type, value, at: { pointer: pointerOf(ref.emit) }, ...defined({ within }) }
}

/** All objects that values refer to, at any depth, whether these may change or not. The values are those that are sent. */
export const usesOf = ({ resource, types = {} }: TypeAmong, attributes: JsonObject): readonly Lead[] =>
  Object.entries(allEntries(resource)).flatMap(([name, entry]) =>
    leadsIn({ resource, types, attributes }, entry, attributes[name], true),
  )

/**
 * Whether it is nothing but its ends: a role of a user in a project, a binding of a queue to an exchange. What another end is in is
 * no end: a tag of a bed is in the bed, although its keys name the garden of the bed too.
 */
export const isLink = (resource: RestResource, types: TypeAmong['types'] = {}): boolean => {
  const ends = keysReferring(resource)
  const outer = new Set(ends.flatMap((end) => [...containersOf(end, types)].filter((each) => each !== end)))
  return ends.filter((end) => end === undefined || !outer.has(end)).length > 1
}

/** The types that the keys of a type refer to, one for each such key; `undefined`: what the document does not describe. */
const keysReferring = (resource: RestResource): readonly (string | undefined)[] => {
  const entries = allEntries(resource)
  return resource.identity.keys.flatMap((key) => {
    const { ref, refersTo } = entries[key] ?? {}
    return ref === undefined && refersTo === undefined ? [] : [refersTo?.type ?? ref?.type]
  })
}

/** All that objects of a type are in, as their keys say. */
const containersOf = (end: string | undefined, types: NonNullable<TypeAmong['types']>): ReadonlySet<string> => {
  const found = new Set<string>()
  const add = (name: string | undefined): void => {
    const type = name !== undefined && Object.hasOwn(types, name) ? types[name] : undefined
    for (const each of type === undefined ? [] : present(...keysReferring(type))) {
      if (found.has(each)) continue
      found.add(each)
      add(each)
    }
  }
  add(end)
  return found
}

/** What contains the other object, where it is said here under the same name: a queue is searched in the virtual host of its binding. */
const parentsOf = (
  { resource, attributes }: Pick<Naming, 'resource' | 'attributes'>,
  other: RestResource,
  key: string | undefined,
  parentIn: (entry: Partial<AttributeEntry>) => string | undefined = ({ refersTo }) => refersTo?.type,
): JsonObject => {
  const [own, theirs] = [allEntries(resource), allEntries(other)]
  const shared = other.identity.keys.filter((name) => {
    const parent = parentIn(theirs[name] ?? {})
    return name !== key && parent !== undefined && parentIn(own[name] ?? {}) === parent
  })
  return Object.fromEntries(
    shared.flatMap((name): [string, Json][] => (attributes[name] === undefined ? [] : [[name, attributes[name]]])),
  )
}

/** The type that an attribute refers to, with what is sent of its object: two values are compared where both are the same. */
const sentFor = ({ ref, refersTo }: Partial<AttributeEntry>): string | undefined => {
  if (refersTo !== undefined) return refersTo.type
  return ref?.type === undefined ? undefined : JSON.stringify([ref.type, ref.emit])
}

/** Places whose values are URLs: objects on the provider's own host can be read there. */
const urlPlace = /(ur[il]|href|link|self|location|@id)$/i

/**
 * The emitted value of a reference must lead to the same object again: as its key, its id, its URL, or by a search in all
 * objects.
 */
export const leadsBack = (target: RestResource, ref: RefEntry): boolean => {
  const { lookup, operations, discover, serverId = {} } = target
  const isListed = showsObjects(discover) || ('list' in lookup && lookup.follow === undefined)
  const key = keyOf(target, ref) ?? ''
  const isById = retrievesById(target) || ('list' in lookup && operations['retrieve'] !== undefined)
  const ids: readonly IdPlace[] = isById ? Object.values(serverId) : []
  return isListed || [allEntries(target)[key]?.path ?? key, ...ids].includes(ref.emit) || urlPlace.test(ref.emit)
}
