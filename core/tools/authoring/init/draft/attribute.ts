import { toPointer } from '../../../../engine/json/pointer.ts'
import type { Json } from '../../../../engine/schema/json.ts'
import { isArray, isObject } from '../../../../engine/schema/json.ts'
import { defined, present } from '../../../../engine/values/defined.ts'
import { plainWord, soundsSecret } from '../../../../engine/values/texts/name-words.ts'
import type { JsonType, Schema } from '../../description/description.ts'
import { isOtherDefault, mayBeLeftOut } from '../../description/look-into.ts'
import { nameMembers } from '../find/names.ts'
import { questions } from '../words.ts'
import { type Entry, entry, map } from './yaml.ts'

export interface DraftSides {
  readonly create?: Schema
  readonly update?: Schema
  readonly read?: Schema
}

export interface Depth {
  readonly left: number
  /** Pointers of the enclosing schemas: recursion ends there. */
  readonly around: readonly string[]
}

export interface Role {
  readonly isKey: boolean
  readonly isId: boolean
  readonly isInUrl: boolean
  readonly isSentWhole: boolean
  /** What the server sets once tells an object from a later one with its name. */
  readonly isProof?: boolean
  /** True inside an attribute; only the attribute itself can be immutable. */
  readonly isMember?: boolean
}

const member: Role = { isKey: false, isId: false, isInUrl: false, isSentWhole: true, isMember: true }

export interface AttributeDraft {
  readonly entry: Entry
  readonly writable: boolean
}

type DraftType = 'string' | 'number' | 'boolean' | 'any' | 'object' | 'map' | 'list' | 'set'

const forms: Readonly<Record<JsonType, DraftType>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  object: 'map',
  array: 'list',
}

const sidesOf = (sides: DraftSides, inside: (schema: Schema) => Schema | undefined): DraftSides => {
  const [create, update, read] = [sides.create, sides.update, sides.read].map((schema) => schema && inside(schema))
  return defined({ create, update, read })
}

const memberOf = (sides: DraftSides, property: string): DraftSides =>
  sidesOf(sides, (schema) => schema.properties().get(property))

export const memberNames = ({ create, update, read }: DraftSides): readonly string[] => [
  ...new Set([create, update, read].flatMap((schema) => [...(schema?.properties().keys() ?? [])])),
]

export const isWritten = (around: DraftSides, property: string): boolean => {
  const { create, update } = memberOf(around, property)
  return [create, update].some((schema) => schema !== undefined && !schema.readOnly)
}

export const draftAttribute = (
  property: string,
  around: DraftSides,
  { name, depth, role }: { readonly name: string; readonly depth: Depth; readonly role: Role },
): AttributeDraft => {
  const sides = memberOf(around, property)
  const facts = factsOf(property, sides, depth)
  const hasRequest = around.create !== undefined || around.update !== undefined
  if (role.isId || (hasRequest && !isWritten(around, property))) {
    const shown = facts.filter(({ key }) => key !== 'default' && key !== 'values')
    const node = map(
      ...shown,
      entry('computed', true),
      role.isProof === true && entry('immutable', true),
      ...placesOf(property, name),
    )
    return { entry: { key: name, node }, writable: false }
  }
  const flags = flagsOf(property, around, sides, role)
  const own = facts.filter(({ key }) => !role.isKey || key !== 'default')
  // With a default, a response without the value means the default.
  const isDefaulted = own.some(({ key }) => key === 'default')
  const kept = flags.entries.filter(({ key }) => !isDefaulted || key !== 'leftOut')
  return {
    entry: {
      key: name,
      node: map(...own, ...kept, ...placesOf(property, name)),
      comments: [
        ...listQuestions(property, sides, depth),
        ...(role.isKey ? [] : defaultQuestions(property, sides, depth)),
        ...flags.comments,
      ],
    },
    writable: !kept.some(({ key }) => key === 'immutable'),
  }
}

const flagsOf = (property: string, around: DraftSides, { create, update, read }: DraftSides, role: Role) => {
  const { isKey, isMember = false } = role
  // An update may accept members that its schema does not list.
  const isFixed = lacks(around.update, update) || (around.update === undefined && !isMember)
  const once = isFixed && role.isSentWhole ? 'create' : lacks(around.create, create) ? 'update' : undefined
  const written = create ?? update
  const isSecret = isSensitive(property, written)
  const isOtherShape = read !== undefined && written !== undefined && differInShape(written, read)
  const isUnseen = declaresProperties(around.read) && read === undefined
  const isHidden = !isKey && (written?.writeOnly === true || isUnseen || isOtherShape)
  const isRequired = isKey || around.create?.required.has(property) === true
  const isLeftOut = mayBeLeftOut(around.read, property, [around.create, around.update])
  return {
    comments: present(
      isOtherShape && questions.otherShape(written, read),
      isKey && isUnseen && questions.keyPlace,
      isSecret && !isHidden && questions.shownSecret,
    ),
    entries: present(
      isRequired && once !== 'update' && entry('required', true),
      !isMember && (role.isInUrl || isFixed) && entry('immutable', true),
      isSecret && !isKey && entry('sensitive', true),
      isHidden && entry('writeOnly', true),
      !isHidden && !isRequired && isLeftOut && entry('leftOut', true),
      entry('sendOn', once),
    ),
  }
}

const declaresProperties = (schema: Schema | undefined): boolean => schema !== undefined && schema.properties().size > 0

/** Tells whether a request lists its members, without this one. */
const lacks = (around: Schema | undefined, member: Schema | undefined): boolean =>
  declaresProperties(around) && (member === undefined || member.readOnly)

/** A value whose written and read forms differ cannot be compared. */
const differInShape = (written: Schema, read: Schema): boolean => {
  const [sent, seen] = [written, read].map(({ types }) => types.map((type) => forms[type]))
  if (sent?.length === 0 || seen?.length === 0) return false
  if (!sent?.some((form) => seen?.includes(form))) return true
  const [item, other] = [written.items(), read.items()]
  return item !== undefined && other !== undefined && differInShape(item, other)
}

const isSensitive = (property: string, written: Schema | undefined): boolean =>
  written?.types.includes('string') === true && (written.format === 'password' || soundsSecret(property))

const firstOf = ({ create, update, read }: DraftSides): Schema | undefined => create ?? update ?? read

const factsOf = (name: string, sides: DraftSides, depth: Depth): readonly Entry[] => {
  const schema = firstOf(sides)
  const type = typeOf(name, schema, depth)
  const typed = (inside: Entry): readonly Entry[] => present(entry('type', type), inside)
  if (schema === undefined) return present(entry('type', type))
  if (type === 'object') return typed(membersEntry(sides, deeper(depth, schema)))
  if (type === 'map') return typed(elementEntry(name, sides, depth, (one) => one.additional()))
  if (type === 'list' || type === 'set') return typed(elementEntry(name, sides, depth, (one) => one.items()))
  return present(type !== 'string' && entry('type', type), ...scalarFacts(sides, schema, type))
}

const listQuestions = (name: string, sides: DraftSides, depth: Depth): readonly string[] => {
  const schema = firstOf(sides)
  const type = typeOf(name, schema, depth)
  return (type === 'list' || type === 'set') && !schema?.unique ? [questions.list(type === 'set')] : []
}

const typeOf = (name: string, schema: Schema | undefined, depth: Depth): DraftType => {
  const [type, other] = new Set(schema?.types.map((one) => forms[one]))
  if (schema === undefined || type === undefined || other !== undefined) return 'any'
  if (type === 'list') return schema.unique || isLikelySet(name, schema) ? 'set' : 'list'
  if (type !== 'map' || schema.properties().size === 0) return type
  return depth.left <= 0 || depth.around.includes(schema.pointer) ? 'any' : 'object'
}

/** Matches names of lists whose order rarely matters. */
const setWords =
  /(tag|label|scope|role|group|member|permission|event|user|team|domain|address|id|host|name|cidr|ip|feature|capabilit(y|ie)|key)s$/

const isLikelySet = (name: string, schema: Schema): boolean => {
  const types = schema.items()?.types ?? []
  const isScalar = types.length > 0 && !types.some((type) => type === 'object' || type === 'array')
  return isScalar && setWords.test(plainWord(name))
}

const deeper = ({ left, around }: Depth, { pointer }: Schema): Depth => ({
  left: left - 1,
  around: [...around, pointer],
})

const elementEntry = (
  name: string,
  sides: DraftSides,
  depth: Depth,
  inside: (schema: Schema) => Schema | undefined,
): Entry => {
  const schema = firstOf(sides)
  const around = schema === undefined ? depth : deeper({ ...depth, left: depth.left + 1 }, schema)
  return { key: 'element', node: map(...factsOf(name, sidesOf(sides, inside), around)) }
}

const membersEntry = (sides: DraftSides, depth: Depth): Entry => {
  const names = nameMembers(memberNames(sides), new Set())
  const members = [...names].map(([property, name]) => draftAttribute(property, sides, { name, depth, role: member }))
  return { key: 'attributes', node: map(...members.map((one) => one.entry)) }
}

const placesOf = (property: string, name: string): readonly (Entry | undefined)[] => {
  const place = toPointer([property])
  return property === name ? [] : [entry('path', place), entry('send', place)]
}

const maxValues = 80

/** A document cannot contain whole numbers that JSON does not keep exactly. */
const isExact = (of: Json): boolean => typeof of !== 'number' || !Number.isInteger(of) || Number.isSafeInteger(of)

const fits = (type: DraftType, of: Json): boolean =>
  (type === 'any' ? !isArray(of) && !isObject(of) : typeof of === type) && isExact(of)

/** Returns the values that either request accepts; a response may have more. */
const valuesOf = ({ create, update, read }: DraftSides): readonly Json[] => {
  const requests = [create, update].filter((schema) => schema !== undefined)
  const sides = requests.length === 0 && read !== undefined ? [read] : requests
  const listed = sides.map(({ values = [] }) => values)
  return listed.some((values) => values.length === 0) ? [] : [...new Set(listed.flat())]
}

const scalarFacts = (sides: DraftSides, { default: usual }: Schema, type: DraftType): readonly Entry[] => {
  const values = valuesOf(sides)
  const isUsable = values.length > 0 && values.length <= maxValues && values.every((one) => fits(type, one))
  const isUsual =
    isUsualOf(sides, usual) && type !== 'any' && fits(type, usual) && (!isUsable || values.includes(usual))
  return present(isUsable && entry('values', values), isUsual && entry('default', usual))
}

/** Defaults of requests and answers that contradict each other say nothing about an object. */
const isUsualOf = ({ create, update, read }: DraftSides, usual: Json | undefined): usual is Json =>
  usual !== undefined &&
  [create, update, read].every((side) => side?.default === undefined || !isOtherDefault(usual, side.default))

const defaultQuestions = (name: string, sides: DraftSides, depth: Depth): readonly string[] => {
  const schema = firstOf(sides)
  const isScalar = ['string', 'number', 'boolean'].includes(typeOf(name, schema, depth))
  if (!isScalar || schema?.default === undefined || isUsualOf(sides, schema.default)) return []
  const told = [sides.create, sides.update, sides.read].flatMap((side) =>
    side?.default === undefined ? [] : [side.default],
  )
  return [questions.defaults([...new Set(told)])]
}
