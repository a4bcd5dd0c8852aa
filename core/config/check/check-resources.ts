import type { Attribute, ObjectSchema } from '../../schema/attribute.ts'
import type { Issue } from '../../schema/issue.ts'
import type { Json, JsonObject } from '../../schema/json.ts'
import type { DesiredResource } from '../../schema/resource.ts'
import { isMark, isSensitive } from '../../schema/value.ts'
import { defined } from '../../values/defined.ts'
import { suggest } from '../../values/nearest-word.ts'
import { applyNormalisers } from '../../values/normalise/normalisers.ts'
import type { Configuration } from '../configuration.ts'
import { pathText } from '../value-text.ts'
import type { Misfit } from './check-value.ts'
import { canonical, checkMembers } from './check-value.ts'

type SchemaOf = (alias: string, type: string) => ObjectSchema | undefined

/** Of a resource that shall not exist only what identifies it is needed. */
const identifies = (attribute: Attribute): boolean =>
  attribute.identity === true &&
  attribute.default === undefined &&
  attribute.computed !== true &&
  attribute.generated !== true

const secretIdentity = ({ attributes }: DesiredResource, schema: ObjectSchema): Misfit[] =>
  Object.entries(schema.attributes).flatMap(([name, attribute]) =>
    attribute.identity === true && isSensitive(attributes[name])
      ? [{ path: [name], message: `${name} identifies the object and cannot be a secret`, fix: 'write it out' }]
      : [],
  )

/** Attributes that the lifecycle names. */
const lifecycleMisfits = ({ lifecycle }: DesiredResource, schema: ObjectSchema): Misfit[] => {
  const names = Object.keys(schema.attributes)
  const unknown = (key: string, written: string): Misfit[] => {
    const name = /^[^.[]*/.exec(written)?.[0] ?? written
    if (names.includes(name)) return []
    return [{ path: [], message: `${key} names ${pathText([name])}, which is no attribute`, fix: suggest(name, names) }]
  }
  const managed = Object.keys(lifecycle.manage ?? {}).flatMap((name) => {
    const missing = unknown('lifecycle.manage', name)
    const type = schema.attributes[name]?.type
    if (missing.length > 0 || type === 'map' || type === 'set') return missing
    return [
      {
        path: [],
        message: `lifecycle.manage names ${name}, which is ${type === 'list' ? 'ordered' : 'no collection'}`,
        fix: 'remove it',
      },
    ]
  })
  return [...managed, ...(lifecycle.ignoreChanges ?? []).flatMap((path) => unknown('lifecycle.ignoreChanges', path))]
}

const misfits = (resource: DesiredResource, schema: ObjectSchema): Misfit[] => [
  ...checkMembers(resource.attributes, schema.attributes, {
    path: [],
    sensitive: false,
    ...defined({ needs: resource.absent ? identifies : undefined }),
  }),
  ...secretIdentity(resource, schema),
  ...lifecycleMisfits(resource, schema),
]

/** What tells the object from others, in canonical form; `undefined` where a part is not known yet. */
const identityOf = (attributes: JsonObject, schema: ObjectSchema): Json | undefined => {
  const parts: Json[] = []
  for (const [name, attribute] of Object.entries(schema.attributes)) {
    if (attribute.identity !== true) continue
    const value = attributes[name] ?? attribute.default ?? null
    if (value === null || isMark(value)) return undefined
    parts.push(applyNormalisers(canonical(value, attribute), attribute.compareAs))
  }
  return parts.length === 0 ? undefined : parts
}

interface Described {
  readonly resource: DesiredResource
  readonly schema: ObjectSchema
}

/** Two resources for one object would undo each other for ever. */
const sameObject = (described: readonly Described[]): Issue[] => {
  const seen = new Map<string, DesiredResource>()
  return described.flatMap(({ resource, schema }): Issue[] => {
    const { address, type, provider, position } = resource
    const identity = identityOf(resource.attributes, schema)
    if (identity === undefined) return []
    const key = JSON.stringify([provider, type, identity])
    const first = seen.get(key)
    if (first === undefined) seen.set(key, resource)
    const message = `${address} is the same object as ${first?.address} (line ${first?.position.line})`
    return first === undefined ? [] : [{ ...position, message, fix: 'keep one of the two' }]
  })
}

const unknownType = ({ type, provider, address, position }: DesiredResource): Issue => ({
  ...position,
  message: `${address}: provider "${provider}" has no type ${type}`,
  value: type,
  fix: 'use a type that the provider has, or another provider',
})

/** Every resource against the facts of its type. Providers must be bound. No value of a sensitive attribute is repeated. */
export const checkResources = (configuration: Configuration, schemaOf: SchemaOf): readonly Issue[] => {
  const issues: Issue[] = []
  const described: Described[] = []
  for (const resource of configuration.resources) {
    const schema = schemaOf(resource.provider, resource.type)
    if (schema === undefined) issues.push(unknownType(resource))
    else described.push({ resource, schema })
  }
  for (const { resource, schema } of described) {
    for (const { path, atKey, message, ...rest } of misfits(resource, schema)) {
      issues.push({
        ...configuration.locate(resource.address, path, atKey ? 'key' : 'value'),
        message: `${resource.address}: ${message}`,
        ...rest,
      })
    }
  }
  return [...issues, ...sameObject(described)].sort((a, b) => a.line - b.line || a.column - b.column)
}
