import type { Json } from '../../../engine/schema/json.ts'
import { defined, present } from '../../../engine/values/defined.ts'
import type { JsonType, Schema } from './description.ts'

type Merge = (schemas: readonly Schema[]) => Schema

const sameJson = (left: Json, right: Json): boolean => JSON.stringify(left) === JSON.stringify(right)

/** Takes the first value: a sibling of a reference is more exact than its target. */
const firstSaid = <Key extends 'format' | 'description' | 'default' | 'name'>(
  schemas: readonly Schema[],
  key: Key,
): Partial<Pick<Schema, Key>> => {
  const said = schemas.find((schema) => schema[key] !== undefined)
  return (said === undefined ? {} : { [key]: said[key] }) as Partial<Pick<Schema, Key>>
}

const merged = (
  schemas: readonly Schema[],
  quantity: 'some' | 'every',
  merge: Merge,
  own: Pick<Schema, 'types' | 'nullable' | 'required' | 'name' | 'format' | 'values'>,
): Schema => {
  const inner = (found: readonly (Schema | undefined)[]): Schema | undefined => {
    const [first, ...more] = present(...found)
    return first === undefined || more.length === 0 ? first : merge([first, ...more])
  }
  const has = (flag: 'readOnly' | 'writeOnly' | 'unique'): boolean => schemas[quantity]((schema) => schema[flag])
  let properties: ReadonlyMap<string, Schema> | undefined
  return {
    pointer: schemas[0]?.pointer ?? '',
    ...own,
    ...firstSaid(schemas, 'description'),
    ...firstSaid(schemas, 'default'),
    readOnly: has('readOnly'),
    writeOnly: has('writeOnly'),
    unique: has('unique'),
    properties: () => {
      properties ??= new Map(
        [
          ...Map.groupBy(
            schemas.flatMap((schema) => [...schema.properties()]),
            ([name]) => name,
          ),
        ].flatMap(([name, found]) => present(inner(found.map(([, property]) => property))).map((one) => [name, one])),
      )
      return properties
    },
    items: () => inner(schemas.map((schema) => schema.items())),
    additional: () => inner(schemas.map((schema) => schema.additional())),
  }
}

export const mergeAll: Merge = (schemas) => {
  const typed = schemas.filter(({ types }) => types.length > 0).map(({ types }) => types)
  const shared = typed.reduce<readonly JsonType[]>(
    (left, right) => left.filter((type) => right.includes(type)),
    typed[0] ?? [],
  )
  const listed = present(...schemas.map(({ values }) => values))
  const values = listed.reduce(
    (left, right) => left.filter((one) => right.some((other) => sameJson(one, other))),
    listed[0] ?? [],
  )
  return merged(schemas, 'some', mergeAll, {
    ...firstSaid(schemas, 'name'),
    // Types that exclude each other are a mistake: the first named ones are used.
    types: shared.length > 0 ? shared : (typed[0] ?? []),
    nullable: schemas.some(({ nullable }) => nullable),
    ...firstSaid(schemas, 'format'),
    ...defined({ values: values.length > 0 ? values : listed[0] }),
    required: new Set(schemas.flatMap(({ required }) => [...required])),
  })
}

/** Merges alternatives: allows what any of them allows, and requires what all of them require. */
export const mergeAny: Merge = (branches) => {
  const real = branches.filter((branch) => !isNull(branch))
  const schemas = real.length === 0 ? branches : real
  const [first] = schemas
  if (first !== undefined && schemas.length === 1)
    return { ...first, nullable: first.nullable || real.length < branches.length }
  const values = schemas.every((schema) => schema.values !== undefined)
    ? schemas.flatMap(({ values = [] }) => values)
    : []
  return merged(schemas, 'every', mergeAny, {
    types: schemas.some(({ types }) => types.length === 0) ? [] : [...new Set(schemas.flatMap(({ types }) => types))],
    nullable: branches.some(({ nullable }) => nullable),
    ...defined({ values: values.length === 0 ? undefined : unlike(values) }),
    required: new Set(
      [...(first?.required ?? [])].filter((name) => schemas.every(({ required }) => required.has(name))),
    ),
  })
}

/** `{ type: null }` is how 3.1 says that a value may be missing. */
const isNull = ({ nullable, values }: Schema): boolean => nullable && values?.length === 0

const unlike = (values: readonly Json[]): readonly Json[] =>
  values.filter((value, index) => values.findIndex((other) => sameJson(value, other)) === index)
