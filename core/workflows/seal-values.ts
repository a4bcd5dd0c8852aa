import { learnAll } from '../command/resolve-secrets.ts'
import type { Secrets } from '../command/secrets.ts'
import { elementFacts, memberFacts, plainAny, rootOf } from '../diff/facts.ts'
import { isAppError } from '../errors.ts'
import type { Attribute, ObjectSchema } from '../schema/attribute.ts'
import { defined } from '../schema/defined.ts'
import type { Json, JsonObject } from '../schema/json.ts'
import { isArray, isObject } from '../schema/json.ts'
import { applyNormalisers } from '../schema/normalisers.ts'
import type { Seal } from '../schema/ports.ts'
import { isConcat, isMark, isSecret, isSensitive, isUnknown } from '../schema/value.ts'

/*
 * Before anything is compared or stored, each sensitive value becomes its keyed digest: an observed one `{ $sealed }`,
 * a desired one keeps its reference and gains the digest. An attribute is sensitive where its facts say so, and
 * wherever the configuration gave a secret.
 */

const innerOf = (attribute: Attribute, member: string): Attribute => memberFacts(attribute, member) ?? plainAny

export type Sealed =
  | { readonly ok: true; readonly attributes: JsonObject }
  | { readonly ok: false; readonly detail: string }

/**
 * Gives every secret reference the digest of its present value, in canonical form as its attribute's facts say. `learn`
 * hears each value, so that it can be kept out of what is said later.
 */
export const sealDesired = async (
  schema: ObjectSchema,
  attributes: JsonObject,
  secrets: Secrets,
  seal: Seal,
  learn: (value: string) => void,
): Promise<Sealed> => {
  const learning: Secrets = {
    resolve: async (source) => {
      const value = await secrets.resolve(source)
      learn(value)
      return value
    },
  }
  try {
    return { ok: true, attributes: (await sealMarks(attributes, rootOf(schema), learning, seal)) as JsonObject }
  } catch (error) {
    if (isAppError(error, 'SECRET_UNRESOLVED')) {
      return { ok: false, detail: `${error.payload.source}, ${error.payload.detail}` }
    }
    throw error
  }
}

const sealMarks = async (value: Json, attribute: Attribute, secrets: Secrets, seal: Seal): Promise<Json> => {
  if (isSecret(value)) {
    // A value of another object comes with its digest.
    if (value.$secret.startsWith('live:')) return value
    const text = await secrets.resolve(value.$secret)
    return { ...value, digest: seal(applyNormalisers(text, attribute.normalise)) }
  }
  if (isConcat(value)) {
    if (!isSensitive(value)) return value
    // A text that is not known yet has no digest of its own: its secrets must not change unseen before it is.
    const $concat = await Promise.all(value.$concat.map((part) => sealPart(part, secrets, seal)))
    if (isUnknown(value)) return { ...value, $concat }
    const text = (await Promise.all(value.$concat.map((part) => textOf(part, secrets)))).join('')
    return { ...value, $concat, digest: seal(applyNormalisers(text, attribute.normalise)) }
  }
  if (isMark(value)) return value
  if (isArray(value)) {
    return Promise.all(value.map((element) => sealMarks(element, elementFacts(attribute), secrets, seal)))
  }
  if (!isObject(value)) return value
  const members = Object.entries(value).map(
    async ([member, inner]) => [member, await sealMarks(inner, innerOf(attribute, member), secrets, seal)] as const,
  )
  return Object.fromEntries(await Promise.all(members))
}

const sealPart = async (part: Json, secrets: Secrets, seal: Seal): Promise<Json> =>
  isSecret(part) && !part.$secret.startsWith('live:')
    ? { ...part, digest: seal(await secrets.resolve(part.$secret)) }
    : part

const textOf = async (part: Json, secrets: Secrets): Promise<string> =>
  isSecret(part) ? secrets.resolve(part.$secret) : String(part)

/**
 * Replaces sensitive parts of what was read. `desired` is the resource as configured, where there is one. `learn` hears
 * them too: a server may repeat in an error what it holds.
 */
export const sealObserved = (
  schema: ObjectSchema,
  observed: JsonObject,
  desired: JsonObject | undefined,
  seal: Seal,
  learn: (value: string) => void = () => {},
): JsonObject => {
  const learning: Seal = (value) => {
    learnAll(value as Json, learn)
    return seal(value)
  }
  const sealing = { seal, learning, learn, isDeclared: desired !== undefined }
  return sealAt(observed, rootOf(schema), secretShape(desired ?? {}), sealing, desired) as JsonObject
}

interface Sealing {
  readonly seal: Seal
  /** Lets the redactor know, too. */
  readonly learning: Seal
  readonly learn: (value: string) => void
  /** Somebody says what is declared; else all may be. */
  readonly isDeclared: boolean
}

/** Shorter texts of nobody's stand in other words by coincidence. */
const shortestForeign = 16

/** What nobody declared, where only declared members count: it may be anything, the hash of a password too. */
const sealForeign = (value: Json, { seal, learn }: Sealing): Json => {
  learnAll(value, (text) => (text.length < shortestForeign ? undefined : learn(text)))
  return { $sealed: seal(value) }
}

/** Where the configuration gave secrets: `true` for a secret, members for an object, one shape for all elements. */
type SecretShape = true | { readonly members?: Readonly<Record<string, SecretShape>>; readonly element?: SecretShape }

const secretShape = (value: Json): SecretShape | undefined => {
  if (isSensitive(value)) return true
  if (isMark(value)) return undefined
  if (isArray(value)) {
    const element = value.map(secretShape).reduce(mergeShapes, undefined)
    return element === undefined ? undefined : { element }
  }
  if (!isObject(value)) return undefined
  const members = Object.entries(value).flatMap(([member, inner]) => {
    const shape = secretShape(inner)
    return shape === undefined ? [] : [[member, shape] as const]
  })
  return members.length === 0 ? undefined : { members: Object.fromEntries(members) }
}

const mergeShapes = (left: SecretShape | undefined, right: SecretShape | undefined): SecretShape | undefined => {
  if (left === undefined || right === undefined) return left ?? right
  if (left === true || right === true) return true
  const members = { ...left.members }
  for (const [member, shape] of Object.entries(right.members ?? {})) {
    members[member] = mergeShapes(members[member], shape) ?? shape
  }
  const element = mergeShapes(left.element, right.element)
  return { members, ...defined({ element }) }
}

/** `declared` is what the configuration says there. */
const sealAt = (
  value: Json,
  attribute: Attribute,
  shape: SecretShape | undefined,
  sealing: Sealing,
  declared: Json | undefined,
): Json => {
  // An empty or missing value is no secret, and sealing it would hide that it was cleared.
  if (value === null) return value
  if (attribute.sensitive || shape === true)
    return { $sealed: sealing.learning(applyNormalisers(value, attribute.normalise)) }
  if (isMark(value)) return value
  if (isArray(value)) {
    const [inner, all] = [shape?.element, isArray(declared) ? declared.reduce(mergeDeclared, undefined) : undefined]
    return value.map((element) => sealAt(element, elementFacts(attribute), inner, sealing, all))
  }
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([member, inner]) => {
      const facts = innerOf(attribute, member)
      const wanted = declaredAt(declared, member)
      const isForeign = sealing.isDeclared && facts.partial === true && facts.computed !== true && wanted === undefined
      if (isForeign && inner !== null) return [member, sealForeign(inner, sealing)]
      return [member, sealAt(inner, facts, shape?.members?.[member], sealing, wanted)]
    }),
  )
}

/** What any of several elements declares. */
const mergeDeclared = (left: Json | undefined, right: Json): Json => {
  if (!isObject(left) || !isObject(right) || isMark(left) || isMark(right)) return right
  const added = Object.entries(right).map(([member, inner]) => [member, mergeDeclared(declaredAt(left, member), inner)])
  return { ...left, ...Object.fromEntries(added) }
}

const declaredAt = (declared: Json | undefined, member: string): Json | undefined =>
  isObject(declared) && !isMark(declared) && Object.hasOwn(declared, member) ? declared[member] : undefined

/** Sources of all secrets that a value names: what a transport may resolve for it. */
export const secretSources = (value: Json): readonly string[] => {
  if (isSecret(value)) return [value.$secret]
  if (isArray(value)) return value.flatMap(secretSources)
  return isObject(value) ? Object.values(value).flatMap(secretSources) : []
}
