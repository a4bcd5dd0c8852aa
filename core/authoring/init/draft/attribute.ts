import type { Json } from '../../../schema/json.ts'
import { isArray, isObject, type Path, toPointer } from '../../../schema/json.ts'
import { defined } from '../../../values/defined.ts'
import type { JsonType, Schema } from '../../description/description.ts'
import { saysLeftOut } from '../find/left-out.ts'
import { attributeName, plainWord, soundsSecret } from '../find/names.ts'
import { type Entry, map, type Node, value } from './yaml.ts'

/** The same member in the three schemas that speak of it; a missing one says nothing of it. */
export interface Sides {
  readonly create?: Schema
  readonly update?: Schema
  readonly read?: Schema
}

export interface Depth {
  readonly left: number
  /** Schemas around this one: what holds itself ends there. */
  readonly around: readonly string[]
}

type AttributeType = 'string' | 'number' | 'boolean' | 'any' | 'object' | 'map' | 'list' | 'set'

const forms: Readonly<Record<JsonType, AttributeType>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  object: 'map',
  array: 'list',
}

const typeOf = (schema: Schema, depth: Depth): AttributeType => {
  const types = [...new Set(schema.types.map((type) => forms[type]))]
  const [type] = types
  if (type === undefined || types.length > 1) return 'any'
  if (type === 'list') return schema.unique ? 'set' : 'list'
  if (type !== 'map') return type
  if (schema.properties().size === 0) return 'map'
  return depth.left <= 0 || depth.around.includes(schema.pointer) ? 'any' : 'object'
}

/** Lists whose order rarely means anything. */
const setWords =
  /(tag|label|scope|role|group|member|permission|event|user|team|domain|address|id|host|name|cidr|ip|feature|capabilit(y|ie)|key)s$/

/** A list that might be a set, told by its name where its schema says nothing. */
const listType = (name: string, schema: Schema): { readonly type: 'list' | 'set'; readonly decide: boolean } => {
  if (schema.unique) return { type: 'set', decide: false }
  const item = schema.items()
  const isScalar =
    item !== undefined && item.types.length > 0 && !item.types.some((type) => type === 'object' || type === 'array')
  return { type: isScalar && setWords.test(plainWord(name)) ? 'set' : 'list', decide: true }
}

export const entry = (key: string, of: Json): Entry => ({ key, node: value(of) })

/** Type, members, values and default of an attribute. */
export const factsOf = (
  name: string,
  sides: Sides,
  depth: Depth,
): { readonly entries: readonly Entry[]; readonly comments: readonly string[] } => {
  const schema = sides.create ?? sides.update ?? sides.read
  if (schema === undefined) return { entries: [entry('type', 'any')], comments: [] }
  const type = typeOf(schema, depth)
  if (type === 'object')
    return { entries: [entry('type', 'object'), membersEntry(sides, deeper(depth, schema))], comments: [] }
  if (type === 'map') {
    const element = schema.additional()
    const inner =
      element === undefined ? value({ type: 'any' }) : elementNode(name, sides, depth, (one) => one?.additional())
    return { entries: [entry('type', 'map'), { key: 'element', node: inner }], comments: [] }
  }
  if (type === 'list' || type === 'set') {
    const chosen = listType(name, schema)
    return {
      entries: [
        entry('type', chosen.type),
        { key: 'element', node: elementNode(name, sides, depth, (one) => one?.items()) },
      ],
      comments: chosen.decide
        ? [`decide: a ${chosen.type === 'set' ? 'set (no order), or a list' : 'list (in order), or a set'}`]
        : [],
    }
  }
  return {
    entries: [...(type === 'string' ? [] : [entry('type', type)]), ...scalarFacts(sides, schema, type)],
    comments: [],
  }
}

const deeper = (depth: Depth, schema: Schema): Depth => ({
  left: depth.left - 1,
  around: [...depth.around, schema.pointer],
})

const elementNode = (
  name: string,
  sides: Sides,
  depth: Depth,
  inside: (schema: Schema | undefined) => Schema | undefined,
): Node => {
  const schema = sides.create ?? sides.update ?? sides.read
  const around = schema === undefined ? depth : deeper({ ...depth, left: depth.left + 1 }, schema)
  const inner = sidesOf(sides, inside)
  const { entries } =
    (inner.create ?? inner.update ?? inner.read) ? factsOf(name, inner, around) : { entries: [entry('type', 'any')] }
  return map(entries)
}

const sidesOf = (sides: Sides, inside: (schema: Schema | undefined) => Schema | undefined): Sides => {
  const [create, update, read] = [inside(sides.create), inside(sides.update), inside(sides.read)]
  return defined({ create, update, read })
}

/** Members of the three sides, those of requests first. */
export const memberNames = (sides: Sides): readonly string[] => [
  ...new Set(
    [sides.create, sides.update, sides.read].flatMap((schema) =>
      schema === undefined ? [] : [...schema.properties().keys()],
    ),
  ),
]

const membersEntry = (sides: Sides, depth: Depth): Entry => {
  const properties = memberNames(sides)
  const names = nameMembers(properties, new Set())
  const members = properties.map((property): Entry => {
    const inner = sidesOf(sides, (schema) => schema?.properties().get(property))
    const name = names.get(property) ?? attributeName(property)
    const isComputed = (inner.create ?? inner.update) === undefined ? hasRequest(sides) : isReadOnly(inner)
    const { entries, comments } = factsOf(property, inner, depth)
    const flags = isComputed ? [entry('computed', true)] : requestFlags(property, sides, inner)
    return {
      key: name,
      node: map([
        ...entries.filter(({ key }) => !isComputed || !['default', 'values'].includes(key)),
        ...withDefault(entries, flags),
        ...placesOf(property, name),
      ]),
      comments: isComputed ? [] : comments,
    }
  })
  return { key: 'attributes', node: map(members) }
}

const hasRequest = ({ create, update }: Sides): boolean => create !== undefined || update !== undefined
const isReadOnly = ({ create, update }: Sides): boolean => (create ?? update)?.readOnly === true

const requestFlags = (property: string, around: Sides, sides: Sides): readonly Entry[] => {
  const written = sides.create ?? sides.update
  const isDemanded = around.create?.required.has(property) === true
  const isHidden =
    written?.writeOnly === true ||
    (tells(around.read) && sides.read === undefined) ||
    (written !== undefined && sides.read !== undefined && differInShape(written, sides.read))
  const once = lacks(around.update, sides.update) ? 'create' : lacks(around.create, sides.create) ? 'update' : undefined
  return [
    ...(isDemanded ? [entry('required', true)] : []),
    ...(isSensitive(property, sides) ? [entry('sensitive', true)] : []),
    ...(isHidden ? [entry('writeOnly', true)] : []),
    ...(isHidden || isDemanded ? [] : leftOutEntries(property, around)),
    ...(once === undefined ? [] : [entry('sendOn', once)]),
  ]
}

/** `leftOut`, where the description says that answers may lack a member. */
export const leftOutEntries = (property: string, { create, update, read }: Sides): readonly Entry[] =>
  saysLeftOut(read, property, [create, update]) ? [entry('leftOut', true)] : []

/** What an answer without a value means is said by a default. */
export const withDefault = (entries: readonly Entry[], flags: readonly Entry[]): readonly Entry[] =>
  entries.some(({ key }) => key === 'default') ? flags.filter(({ key }) => key !== 'leftOut') : flags

/** Whether a schema tells the members of an object at all. */
export const tells = (schema: Schema | undefined): boolean => schema !== undefined && schema.properties().size > 0

/** Whether a request tells its members, and takes no such one. */
export const lacks = (around: Schema | undefined, member: Schema | undefined): boolean =>
  tells(around) && (member === undefined || member.readOnly)

const formsOf = ({ types }: Schema): readonly AttributeType[] => types.map((type) => forms[type])

/** A value that is written in one form and read in another cannot be compared. */
export const differInShape = (written: Schema, read: Schema): boolean => {
  const [there, here] = [formsOf(written), formsOf(read)]
  if (there.length === 0 || here.length === 0) return false
  if (!there.some((form) => here.includes(form))) return true
  const [item, other] = [written.items(), read.items()]
  return item !== undefined && other !== undefined && differInShape(item, other)
}

export const isSensitive = (property: string, sides: Sides): boolean => {
  const schema = sides.create ?? sides.update
  if (schema === undefined || !schema.types.includes('string')) return false
  return schema.format === 'password' || soundsSecret(property)
}

/** A name under which the property can stand in a document, each once. */
export const freeName = (property: string, taken: Set<string>): string => {
  const wanted = attributeName(property)
  let name = wanted
  for (let count = 2; taken.has(name); count += 1) name = `${wanted}_${count}`
  taken.add(name)
  return name
}

/**
 * A name for each property. What must have its own name (a key, which the identity repeats) chooses first, then whatever is a
 * name as it stands.
 */
export const nameMembers = (
  properties: readonly string[],
  taken: Set<string>,
  first: readonly string[] = [],
): ReadonlyMap<string, string> => {
  const rank = (property: string): number =>
    first.includes(property) ? 0 : property === attributeName(property) ? 1 : 2
  const ordered = properties.toSorted((left, right) => rank(left) - rank(right))
  return new Map(ordered.map((property) => [property, freeName(property, taken)]))
}

/** A place as a document writes it, whatever the members are called. */
export const placeText = (path: Path): string =>
  path.every((step) => /^[^./][^.]*$/.test(String(step))) ? path.join('.') : toPointer(path)

/** Where the value is, if that is not the attribute's name. */
export const placesOf = (property: string, name: string): readonly Entry[] => {
  if (property === name) return []
  const place = toPointer([property])
  return [entry('path', place), entry('send', place)]
}

const maxValues = 80

/** Whole numbers that JSON does not keep exactly cannot stand in a document. */
const isExact = (of: Json): boolean => typeof of !== 'number' || !Number.isInteger(of) || Number.isSafeInteger(of)

const fits = (type: AttributeType, of: Json): boolean => (type === 'any' || typeof of === type) && isExact(of)

/** What either request takes; what a read shows besides is not for writing. */
const valuesOf = ({ create, update, read }: Sides): readonly Json[] => {
  const requests = [create, update].filter((schema) => schema !== undefined)
  const sides = requests.length === 0 && read !== undefined ? [read] : requests
  const listed = sides.map(({ values = [] }) => values)
  return listed.some((values) => values.length === 0) ? [] : [...new Set(listed.flat())]
}

const scalarFacts = (sides: Sides, schema: Schema, type: AttributeType): readonly Entry[] => {
  const values = valuesOf(sides)
  const usable =
    values.length > 0 &&
    values.length <= maxValues &&
    values.every((one) => fits(type, one) && !isArray(one) && !isObject(one))
  const own = schema.default
  const isUsual =
    own !== undefined && own !== null && typeof own === type && isExact(own) && (!usable || values.includes(own))
  return [...(usable ? [entry('values', values)] : []), ...(isUsual ? [entry('default', own)] : [])]
}
