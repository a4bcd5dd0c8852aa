import type { Attribute, ObjectSchema } from '../../schema/attribute.ts'
import type { Diagnostic, Issue } from '../../schema/issue.ts'
import { isArray, isObject, type Json, type JsonObject } from '../../schema/json.ts'
import type { DesiredResource } from '../../schema/resource.ts'
import { isMark, isSensitive } from '../../schema/value.ts'
import { conditionsIn } from '../../values/conditions.ts'
import { defined } from '../../values/defined.ts'
import { byPlace } from '../../values/diagnose.ts'
import { applyNormalisers } from '../../values/normalise/normalisers.ts'
import { suggest } from '../../values/texts/nearest-word.ts'
import type { Configuration } from '../shared/configuration.ts'
import { lineText, referencePath, say } from '../shared/words.ts'
import { canonical, checkMembers, type Misfit } from './check-value.ts'

type SchemaOf = (alias: string, type: string) => ObjectSchema | undefined

/** Selects the attributes that must be written where nothing is made: only those of the identity. */
const identifies = (attribute: Attribute): boolean =>
  attribute.identity === true &&
  attribute.default === undefined &&
  attribute.computed !== true &&
  attribute.generated !== true

/** A rule has no object of its own. */
const needsNothing = (): boolean => false

/** Whether a value, or one of several, can be that of an attribute, of one of its elements, or of the named keys of a map. */
const mayMean = (facts: Attribute, expected: Json): boolean => {
  if (expected === null) return true
  if (isMark(expected) || facts.sensitive) return false
  if (isArray(expected)) return expected.length > 0 && expected.every((each) => mayMean(facts, each))
  const { type, element, attributes } = facts
  if (type === 'list' || type === 'set') return mayMean(element ?? { type: 'any' }, expected)
  if (type !== 'map' && type !== 'object') return type === 'any' ? !isObject(expected) : typeof expected === type
  const inner = (name: string): Attribute | undefined =>
    type === 'map' ? (element ?? { type: 'any' }) : attributes?.[name]
  return (
    isObject(expected) &&
    Object.entries(expected).every(([name, each]) => mayMean(inner(name) ?? { type: 'any', sensitive: true }, each))
  )
}

const ruleMisfits = (
  { type, provider, attributes, forAll }: DesiredResource,
  schema: ObjectSchema,
  schemaOf: SchemaOf,
): Misfit[] => {
  if (forAll === undefined) return []
  const keys = Object.keys(attributes).filter((name) => schema.attributes[name]?.identity === true)
  const refers = (name: string): boolean =>
    Object.values(schemaOf(provider, name)?.attributes ?? {}).some(({ refersTo }) => refersTo?.type === type)
  const conditions = conditionsIn(forAll)
  const named = new Set(conditions.map(([name]) => name))
  const unfit = conditions.filter(([name, expected]) => {
    const facts = schema.attributes[name]
    return facts !== undefined && !mayMean(facts, expected)
  })
  const unknown = [...named].filter((name) => !Object.hasOwn(schema.attributes, name) && !refers(name))
  return [
    ...keys.map((name) => ({ path: [name], ...say('ruleOfKey', name) })),
    ...unfit.map(([name]) => ({ path: [], ...say('ruleValue', name, schema.attributes[name]?.type ?? 'any') })),
    ...unknown.map((name) => ({
      path: [],
      ...say('ruleCondition', name, suggest(name, Object.keys(schema.attributes))),
    })),
  ]
}

const secretIdentity = ({ attributes }: DesiredResource, schema: ObjectSchema): Misfit[] =>
  Object.entries(schema.attributes).flatMap(([name, attribute]) =>
    attribute.identity === true && isSensitive(attributes[name])
      ? [{ path: [name], ...say('secretIdentity', name) }]
      : [],
  )

const lifecycleMisfits = ({ lifecycle }: DesiredResource, schema: ObjectSchema): Misfit[] => {
  const names = Object.keys(schema.attributes)
  const unknown = (key: string, written: string): Diagnostic | undefined => {
    const name = /^[^.[]*/.exec(written)?.[0] ?? written
    return names.includes(name) ? undefined : say('lifecycleName', key, referencePath([name]), suggest(name, names))
  }
  const unmanageable = (name: string): Diagnostic | undefined => {
    const type = schema.attributes[name]?.type
    return type === 'map' || type === 'set' ? undefined : say('lifecycleType', 'lifecycle.manage', name, type)
  }
  return [
    ...Object.keys(lifecycle.manage ?? {}).map((name) => unknown('lifecycle.manage', name) ?? unmanageable(name)),
    ...(lifecycle.ignoreChanges ?? []).map((path) => unknown('lifecycle.ignoreChanges', path)),
  ].flatMap((found) => (found === undefined ? [] : [{ path: [], ...found }]))
}

const misfits = (resource: DesiredResource, schema: ObjectSchema, schemaOf: SchemaOf): Misfit[] => [
  ...checkMembers(resource.attributes, schema.attributes, {
    path: [],
    sensitive: false,
    ...defined({
      needs: resource.absent || resource.lifecycle.readOnly ? identifies : resource.forAll && needsNothing,
    }),
  }),
  ...secretIdentity(resource, schema),
  ...ruleMisfits(resource, schema, schemaOf),
  ...lifecycleMisfits(resource, schema),
]

/** `undefined` if a part of the identity is not known yet. */
export const identityOf = (attributes: JsonObject, schema: ObjectSchema): Json | undefined => {
  const parts: Json[] = []
  for (const [name, attribute] of Object.entries(schema.attributes)) {
    if (attribute.identity !== true) continue
    const value = attributes[name] ?? attribute.default ?? null
    if (value === null || isMark(value)) return undefined
    parts.push(applyNormalisers(canonical(value, attribute), attribute.compareAs))
  }
  return parts.length === 0 ? undefined : parts
}

/** Reports two resources for one object, because they would overwrite each other in every run. */
const sameObject = (described: readonly { resource: DesiredResource; schema: ObjectSchema }[]): Issue[] => {
  const seen = new Map<string, DesiredResource>()
  return described.flatMap(({ resource, schema }): Issue[] => {
    const { address, type, provider, position } = resource
    const identity = identityOf(resource.attributes, schema)
    if (identity === undefined) return []
    const key = JSON.stringify([provider, type, identity])
    const first = seen.get(key)
    if (first !== undefined)
      return [{ ...position, ...say('sameObject', address, first.address, lineText(first.position, position)) }]
    seen.set(key, resource)
    return []
  })
}

/**
 * Checks every resource against the facts of its type. Providers must be bound. The issues never contain values of
 * sensitive attributes.
 */
export const checkResources = (configuration: Configuration, schemaOf: SchemaOf): readonly Issue[] => {
  const described = configuration.resources.flatMap((resource) => {
    const schema = schemaOf(resource.provider, resource.type)
    return schema === undefined ? [] : [{ resource, schema }]
  })
  const issues = described.flatMap(({ resource, schema }) =>
    misfits(resource, schema, schemaOf).map(({ path, atKey, ...found }) => ({
      ...configuration.locate(resource.address, path, atKey ? 'key' : 'value'),
      ...found,
      message: `${resource.address}: ${found.message}`,
    })),
  )
  return [...issues, ...sameObject(described)].toSorted(byPlace)
}
