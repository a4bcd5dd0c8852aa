import type { Json } from '../../schema/json.ts'
import { defined } from '../../values/defined.ts'
import type { JsonType, Schema } from './description.ts'

const valuesOf = <Value>(values: readonly (Value | undefined)[]): readonly Value[] =>
  values.filter((value) => value !== undefined)

const sameJson = (left: Json, right: Json): boolean => JSON.stringify(left) === JSON.stringify(right)

/** The last word of those who say something: what stands beside a reference is more exact than what it leads to. */
const firstSaid = <Key extends 'format' | 'description' | 'default' | 'name'>(
  schemas: readonly Schema[],
  key: Key,
): Partial<Pick<Schema, Key>> => {
  const said = schemas.find((schema) => schema[key] !== undefined)
  return (said === undefined ? {} : { [key]: said[key] }) as Partial<Pick<Schema, Key>>
}

const joined = (
  schemas: readonly Schema[],
  merge: (schemas: readonly Schema[]) => Schema,
): Pick<Schema, 'properties' | 'items' | 'additional'> => {
  const inner = (found: readonly (Schema | undefined)[]): Schema | undefined => {
    const some = valuesOf(found)
    return some.length === 0 ? undefined : some.length === 1 ? some[0] : merge(some)
  }
  let properties: ReadonlyMap<string, Schema> | undefined
  return {
    properties: () => {
      properties ??= joinProperties(schemas, merge)
      return properties
    },
    items: () => inner(schemas.map((schema) => schema.items())),
    additional: () => inner(schemas.map((schema) => schema.additional())),
  }
}

const joinProperties = (
  schemas: readonly Schema[],
  merge: (schemas: readonly Schema[]) => Schema,
): ReadonlyMap<string, Schema> => {
  const found = new Map<string, Schema[]>()
  for (const schema of schemas) {
    for (const [name, property] of schema.properties()) found.set(name, [...(found.get(name) ?? []), property])
  }
  return new Map(
    [...found].map(([name, [first, ...more]]) => [
      name,
      first !== undefined && more.length === 0 ? first : merge([...(first === undefined ? [] : [first]), ...more]),
    ]),
  )
}

/** Schemas that hold together. */
export const mergeAll = (schemas: readonly Schema[]): Schema => {
  const typed = schemas.filter(({ types }) => types.length > 0).map(({ types }) => types)
  const shared = typed.reduce<readonly JsonType[]>(
    (left, right) => left.filter((type) => right.includes(type)),
    typed[0] ?? [],
  )
  const listed = valuesOf(schemas.map(({ values }) => values))
  const values = listed.reduce(
    (left, right) => left.filter((one) => right.some((other) => sameJson(one, other))),
    listed[0] ?? [],
  )
  return {
    pointer: schemas[0]?.pointer ?? '',
    ...firstSaid(schemas, 'name'),
    // Types that exclude each other are a mistake: the first that were named are believed.
    types: shared.length > 0 ? shared : (typed[0] ?? []),
    nullable: schemas.some(({ nullable }) => nullable),
    ...firstSaid(schemas, 'format'),
    ...firstSaid(schemas, 'description'),
    ...firstSaid(schemas, 'default'),
    ...defined({ values: listed.length === 0 ? undefined : values.length > 0 ? values : (listed[0] ?? []) }),
    readOnly: schemas.some(({ readOnly }) => readOnly),
    writeOnly: schemas.some(({ writeOnly }) => writeOnly),
    unique: schemas.some(({ unique }) => unique),
    required: new Set(schemas.flatMap(({ required }) => [...required])),
    ...joined(schemas, mergeAll),
  }
}

/** Schemas of which one holds: what any of them allows is allowed, what all of them demand is demanded. */
export const mergeAny = (branches: readonly Schema[]): Schema => {
  const real = branches.filter((branch) => !isNull(branch))
  const schemas = real.length === 0 ? branches : real
  const [first] = schemas
  if (first !== undefined && schemas.length === 1)
    return { ...first, nullable: first.nullable || real.length < branches.length }
  const values = schemas.every((schema) => schema.values !== undefined)
    ? schemas.flatMap(({ values = [] }) => values)
    : []
  const anything = schemas.some(({ types }) => types.length === 0)
  return {
    pointer: first?.pointer ?? '',
    types: anything ? [] : [...new Set(schemas.flatMap(({ types }) => types))],
    nullable: branches.some(({ nullable }) => nullable),
    ...firstSaid(schemas, 'description'),
    ...firstSaid(schemas, 'default'),
    ...defined({ values: values.length === 0 ? undefined : unlike(values) }),
    readOnly: schemas.every(({ readOnly }) => readOnly),
    writeOnly: schemas.every(({ writeOnly }) => writeOnly),
    unique: schemas.every(({ unique }) => unique),
    required: new Set(
      [...(first?.required ?? [])].filter((name) => schemas.every(({ required }) => required.has(name))),
    ),
    ...joined(schemas, mergeAny),
  }
}

/** `{ type: null }`, as 3.1 says that a value may be missing: it has no other value. */
const isNull = ({ nullable, values }: Schema): boolean => nullable && values?.length === 0

const unlike = (values: readonly Json[]): readonly Json[] =>
  values.filter((value, index) => values.findIndex((other) => sameJson(value, other)) === index)
