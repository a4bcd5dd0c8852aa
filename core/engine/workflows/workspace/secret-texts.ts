import { parseDocument } from '../../config/syntax/parse-document.ts'
import { elementFacts, holds, memberFacts, rootOf } from '../../diff/matching/facts.ts'
import type { Attribute } from '../../schema/attribute.ts'
import { isArray, isObject, type Json, type JsonObject } from '../../schema/json.ts'
import type { Bundle } from '../../schema/stored/bundle.ts'
import { isMark, isSensitive } from '../../schema/value.ts'
import { type LoadedWorkspace, typeOf, withSpec } from '../session/shared/loaded-workspace.ts'

/*
 * A valid configuration contains no secret: a sensitive value must be a reference. But a value may have been written in
 * clear text before it became sensitive, and the older version still contains it.
 */

export interface LoadedVersion {
  readonly bundle: Bundle
  readonly loaded: LoadedWorkspace
}

const textsIn = (value: Json | undefined): readonly string[] => {
  if (value === undefined || value === null || typeof value === 'boolean' || isSensitive(value)) return []
  if (isArray(value)) return value.flatMap(textsIn)
  if (isObject(value)) return isMark(value) ? [] : Object.values(value).flatMap(textsIn)
  return [String(value)]
}

const isWrittenSecret = (value: Json | undefined): boolean =>
  isObject(value) && typeof value['secret'] === 'string' && Object.keys(value).length === 1

const isSecretValue = (value: Json | undefined): boolean => isSensitive(value) || isWrittenSecret(value)

/** The plain values in `one` where `other` has a secret, or declares the value as a secret. */
const plainBeside = (one: Json | undefined, other: Json | undefined): readonly string[] => {
  if (one === undefined || other === undefined) return []
  if (isSecretValue(other)) return isSecretValue(one) ? [] : textsIn(one)
  if (isArray(one)) return isArray(other) ? one.flatMap((inner, index) => plainBeside(inner, other[index])) : []
  if (!isObject(one) || !isObject(other)) return []
  const declared = other['sensitive'] === true && !isWrittenSecret(one['default']) ? textsIn(one['default']) : []
  const inner = Object.keys(one).flatMap((name) =>
    Object.hasOwn(other, name) ? plainBeside(one[name], other[name]) : [],
  )
  return [...declared, ...inner]
}

/** The plain values at the places that the facts of the type call sensitive. */
const plainByFacts = (attribute: Attribute, value: Json | undefined): readonly string[] => {
  if (value === undefined || !holds(attribute, 'sensitive')) return []
  if (attribute.sensitive === true) return textsIn(value)
  if (isArray(value)) return value.flatMap((inner, index) => plainByFacts(elementFacts(attribute, index), inner))
  if (!isObject(value) || isMark(value)) return []
  return Object.entries(value).flatMap(([name, inner]) => {
    const facts = memberFacts(attribute, name)
    return facts === undefined ? [] : plainByFacts(facts, inner)
  })
}

const documentsOf = ({ files }: Bundle): JsonObject =>
  Object.fromEntries(Object.entries(files).map(([file, text]) => [file, parseDocument(file, text).value ?? null]))

/** The given values of variables that the other version declares as sensitive. */
const givenSecrets = ({ bundle }: LoadedVersion, { bundle: other }: LoadedVersion): readonly string[] => {
  const declared = Object.values(documentsOf(other)).flatMap((document) => {
    const variables = isObject(document) ? document['variables'] : undefined
    return isObject(variables) ? Object.entries(variables) : []
  })
  const names = declared.flatMap(([name, facts]) => (isObject(facts) && facts['sensitive'] === true ? [name] : []))
  const { variables = {} } = bundle
  return names.flatMap((name) => {
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined
    return isWrittenSecret(value) ? [] : textsIn(value)
  })
}

/** The plain values of one version that are secret in the other one. */
export const secretTexts = (one: LoadedVersion, other: LoadedVersion): readonly string[] => {
  const { configuration } = one.loaded
  const { configuration: beside } = other.loaded
  const resources = new Map(withSpec(other.loaded).map((resource) => [resource.address, resource]))
  const providers = new Map(beside.providers.map((provider) => [provider.alias, provider]))
  const byResource = withSpec(one.loaded).flatMap(({ address, provider, type, attributes }) => {
    const schema = typeOf(other.loaded, provider, type)?.schema
    const facts = schema === undefined ? [] : plainByFacts(rootOf(schema), attributes)
    return [...facts, ...plainBeside(attributes, resources.get(address)?.attributes)]
  })
  return [
    ...plainBeside(documentsOf(one.bundle), documentsOf(other.bundle)),
    ...plainBeside(one.bundle.variables, other.bundle.variables),
    ...givenSecrets(one, other),
    ...configuration.providers.flatMap(({ alias, with: given }) => plainBeside(given, providers.get(alias)?.with)),
    ...byResource,
  ]
}
