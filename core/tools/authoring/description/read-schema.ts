import { toPointer } from '../../../engine/json/pointer.ts'
import type { Json, JsonObject } from '../../../engine/schema/json.ts'
import { isArray, isObject } from '../../../engine/schema/json.ts'
import { defined } from '../../../engine/values/defined.ts'
import type { JsonType, Schema } from './description.ts'
import { mergeAll, mergeAny } from './merge-schemas.ts'
import { resolvePiece, type Source, textOf } from './resolve-ref.ts'
import { notes } from './words.ts'

export type ReadSchema = (value: Json | undefined, pointer: string) => Schema

/** Deeper nesting of alternatives is a mistake of the author. */
const maxDepth = 40

const jsonTypes: ReadonlySet<string> = new Set<JsonType>(['string', 'number', 'integer', 'boolean', 'object', 'array'])

export const anySchema = (pointer: string): Schema => ({
  pointer,
  types: [],
  nullable: false,
  readOnly: false,
  writeOnly: false,
  unique: false,
  required: new Set(),
  properties: () => new Map(),
  items: () => undefined,
  additional: () => undefined,
})

/** Caches schemas, so that each is read once. Never throws. */
export const schemaReader = (source: Source): ReadSchema => {
  const known = new Map<string, Schema>()
  const open = new Set<string>()

  const read = (value: Json | undefined, pointer: string): Schema => {
    const there = known.get(pointer)
    if (there !== undefined) return there
    // A schema can be inside itself only by allOf, anyOf, oneOf or $ref, and then adds nothing.
    if (open.has(pointer) || open.size > maxDepth) {
      source.note(pointer, open.has(pointer) ? notes.madeOfItself : notes.tooDeep)
      return anySchema(pointer)
    }
    open.add(pointer)
    const schema = build(value, pointer)
    open.delete(pointer)
    known.set(pointer, schema)
    return schema
  }

  const build = (value: Json | undefined, pointer: string): Schema => {
    // In 3.1 `true` allows any value. `false` allows none; it is treated as a mistake of the author.
    if (typeof value === 'boolean' || value === undefined) return anySchema(pointer)
    if (!isObject(value)) {
      source.note(pointer, notes.noSchema)
      return anySchema(pointer)
    }
    const referred = reached(value, pointer)
    const [target] = referred
    if (target !== undefined && Object.keys(value).length === 1) return target
    const own = ownSchema({ source, read, value, pointer })
    const all = [own, ...referred, ...branches(value, pointer, 'allOf')]
    for (const word of ['oneOf', 'anyOf']) {
      const some = branches(value, pointer, word)
      if (some.length > 0) all.push(mergeAny(some))
    }
    return all.length === 1 ? own : { ...mergeAll(all), pointer, ...namesOf(value, pointer) }
  }

  const reached = (value: JsonObject, pointer: string): readonly Schema[] => {
    if (value['$ref'] === undefined) return []
    const piece = resolvePiece(source, { $ref: value['$ref'] }, pointer)
    return piece === undefined ? [] : [read(piece.node, piece.pointer)]
  }

  const branches = (value: JsonObject, pointer: string, word: string): readonly Schema[] => {
    const list = value[word]
    if (list === undefined) return []
    if (isArray(list)) return list.map((branch, index) => read(branch, `${pointer}/${word}/${index}`))
    source.note(`${pointer}/${word}`, notes.noSchemas)
    return []
  }
  return read
}

const namesOf = (value: JsonObject, pointer: string): { readonly name?: string } => {
  const target = textOf(value['$ref']) ?? pointer
  const found = /^#?\/(?:definitions|components\/schemas)\/([^/]+)$/.exec(target)?.[1]
  return found === undefined ? {} : { name: found.replaceAll('~1', '/').replaceAll('~0', '~') }
}

interface OwnSchema {
  readonly source: Source
  readonly read: ReadSchema
  readonly value: JsonObject
  readonly pointer: string
}

const ownSchema = (own: OwnSchema): Schema => {
  const { read, value, pointer } = own
  const types = typesOf(own)
  const values = valuesOf(own)
  const format = textOf(value['format'])
  const description = textOf(value['description']) ?? textOf(value['title'])
  return {
    pointer,
    ...namesOf(value, pointer),
    types: types.filter((type) => type !== 'null') as JsonType[],
    nullable:
      value['nullable'] === true ||
      value['x-nullable'] === true ||
      types.includes('null') ||
      (values ?? []).includes(null),
    ...defined({ format, description, values: values?.filter((one) => one !== null), default: value['default'] }),
    readOnly: value['readOnly'] === true,
    writeOnly: value['writeOnly'] === true,
    unique: value['uniqueItems'] === true,
    required: requiredOf(value),
    properties: once(() => propertiesOf(own)),
    items: once(() => itemsOf(own)),
    additional: once(() => {
      const additional = value['additionalProperties']
      if (additional === undefined || additional === false) return undefined
      return read(additional === true ? undefined : additional, `${pointer}/additionalProperties`)
    }),
  }
}

const once = <Value>(compute: () => Value): (() => Value) => {
  let kept: { readonly value: Value } | undefined
  return () => {
    kept ??= { value: compute() }
    return kept.value
  }
}

const typesOf = ({ source, value, pointer }: OwnSchema): readonly string[] => {
  const written = value['type']
  const named = written === undefined ? [] : isArray(written) ? written : [written]
  const types = named.filter((type) => typeof type === 'string').map((type) => (type === 'file' ? 'string' : type))
  const known = types.filter((type) => jsonTypes.has(type) || type === 'null')
  if (known.length < named.length) source.note(`${pointer}/type`, notes.noType(JSON.stringify(written)))
  if (known.length > 0) return known
  const values = value['const'] === undefined ? value['enum'] : [value['const']]
  if (isArray(values)) return [...new Set(values.map(typeOfValue))]
  if (isObject(value['properties']) || isObject(value['additionalProperties'])) return ['object']
  return value['items'] === undefined ? [] : ['array']
}

const typeOfValue = (value: Json): string => {
  if (value === null) return 'null'
  if (isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}

const valuesOf = ({ source, value, pointer }: OwnSchema): readonly Json[] | undefined => {
  if (value['type'] === 'null') return [null]
  if (value['const'] !== undefined) return [value['const']]
  const written = value['enum']
  if (written === undefined) return undefined
  if (isArray(written) && written.length > 0) return written
  source.note(`${pointer}/enum`, notes.noValues)
  return undefined
}

/**
 * A boolean `required` is the form of draft 3, on the property itself; it does not concern the members of this object.
 */
const requiredOf = (value: JsonObject): ReadonlySet<string> => {
  const written = value['required']
  return new Set(isArray(written) ? written.filter((name) => typeof name === 'string') : [])
}

const propertiesOf = ({ source, read, value, pointer }: OwnSchema): ReadonlyMap<string, Schema> => {
  const written = value['properties']
  if (written === undefined) return new Map()
  if (!isObject(written)) {
    source.note(`${pointer}/properties`, notes.noObject)
    return new Map()
  }
  // A document cannot use these names.
  const usable = Object.entries(written).filter(([name]) => name !== '' && name !== '__proto__')
  return new Map(usable.map(([name, inner]) => [name, read(inner, `${pointer}/properties${toPointer([name])}`)]))
}

const itemsOf = ({ source, read, value, pointer }: OwnSchema): Schema | undefined => {
  const written = value['items']
  if (written === undefined || written === false) return undefined
  if (isArray(written)) {
    source.note(`${pointer}/items`, notes.tuple)
    return anySchema(`${pointer}/items`)
  }
  return read(written, `${pointer}/items`)
}
