import { dropIgnored, ownAttributes } from '../../../diff/ignore-elements.ts'
import {
  elementFacts,
  hiddenMembers,
  isHiddenWhole,
  memberFacts,
  plainAny,
  rootOf,
} from '../../../diff/matching/facts.ts'
import { isAppError } from '../../../errors/errors.ts'
import type { Attribute, ObjectSchema } from '../../../schema/attribute.ts'
import type { Json, JsonObject, Path } from '../../../schema/json.ts'
import { isArray, isObject } from '../../../schema/json.ts'
import type { Seal } from '../../../schema/ports.ts'
import { isConcat, isMark, isSealed, isSecret, isSensitive, isUnknown } from '../../../schema/value.ts'
import type { Secrets } from '../../../transport/secrets/secrets.ts'
import { learnAll } from '../../../transport/sign-in/resolve-secrets.ts'
import { defined } from '../../../values/defined.ts'
import { partsOf } from '../../../values/marks/marks.ts'
import { mapMembers } from '../../../values/members.ts'
import { applyNormalisers } from '../../../values/normalise/normalisers.ts'
import { sealedAsDeclared } from './as-declared.ts'
import { type AtPlace, atPlace, elementPlaces, inDigits, isSecretAt } from './at-place.ts'
import { isForeign, isNamedAlone, mergeShapes, shapeAlong, shapeOf } from './declared-shape.ts'

/*
 * Before anything is compared or stored, each sensitive value becomes its keyed digest: an observed one becomes `{
 * $sealed }`, a desired one keeps its reference and gets the digest. An attribute is sensitive if its facts say so, and
 * wherever the configuration uses a secret.
 */

const innerOf = (attribute: Attribute, member: string): Attribute => memberFacts(attribute, member) ?? plainAny

export type Sealed =
  | { readonly ok: true; readonly attributes: JsonObject }
  | { readonly ok: false; readonly detail: string }

/** Adds the digest of its current value to each secret reference. `learn` gets each value, for the redactor. */
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
    // A value of another object already has its digest.
    if (value.$secret.startsWith('live:')) return value
    const text = await secrets.resolve(value.$secret)
    return { ...value, digest: seal(applyNormalisers(text, attribute.normalise)) }
  }
  if (isConcat(value)) {
    if (!isSensitive(value)) return value
    // A text with unknown parts has no digest yet, but its secrets must not change unnoticed, so each of them gets its
    // own digest.
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
 * Replaces sensitive parts of observed values. `desired`: the configured resource, if there is one. `named`: the paths
 * in it that references of the configuration read. `learn` gets the values too, because a server may repeat them in an
 * error. `recorded`: a value that was secret at the last check and is unchanged stays secret, even if the configuration
 * has another value in clear now.
 */
export const sealObserved = (
  schema: ObjectSchema,
  observed: JsonObject,
  desired: JsonObject | undefined,
  seal: Seal,
  learn: (value: string) => void = () => {},
  named: readonly Path[] = [],
  recorded: JsonObject = {},
): JsonObject => {
  const found = new Set<string>()
  const learning: Seal = (value) => {
    learnAll(value as Json, learn)
    const digest = seal(value)
    found.add(digest)
    return digest
  }
  const secrets = new Set(secretsIn(recorded, rootOf(schema)))
  const shape = named.map(shapeAlong).reduce(mergeShapes, shapeOf(desired ?? {}))
  const beside = atPlace(shape, [recorded], [desired ?? {}])
  const own = ownAttributes(schema, observed, {})
  const sealWith = (known: ReadonlySet<string>): JsonObject => {
    const sealing = { seal, learning, learn, own, isDeclared: desired !== undefined, secrets: known }
    return sealAt(observed, rootOf(schema), beside, sealing) as JsonObject
  }
  const sealed = sealWith(secrets)
  // The next check has them from its record, and must not plan other requests than this one.
  return desired === undefined || found.isSubsetOf(secrets) ? sealed : sealWith(secrets.union(found))
}

/**
 * A record as a check compares it: what was agreed in clear, and is secret by now, has its digest, as the observed value has.
 * Else the new secret would look like a change of the target.
 */
export const sealRecorded = (
  schema: ObjectSchema,
  recorded: JsonObject,
  desired: JsonObject | undefined,
  seal: Seal,
): JsonObject => {
  const none: ReadonlySet<string> = new Set()
  const own = ownAttributes(schema, recorded, {})
  const sealing = {
    seal,
    learning: seal,
    learn: () => {},
    own,
    isDeclared: false,
    isRecord: true,
    secrets: none,
  } as const
  return sealAt(recorded, rootOf(schema), atPlace(shapeOf(desired ?? {}), [], [desired ?? {}]), sealing) as JsonObject
}

interface SealContext {
  readonly seal: Seal
  /** Also passes the value to the redactor. */
  readonly learning: Seal
  readonly learn: (value: string) => void
  /** Values of the object, for patterns of what is ignored. */
  readonly own: ReturnType<typeof ownAttributes>
  /** The configuration declares the resource. If not, any value may be one that was declared. */
  readonly isDeclared: boolean
  /** Digests in the record of what was a secret, and not only hidden because nobody named it. */
  readonly secrets: ReadonlySet<string>
  /** A mark is ours, and stays. Anywhere else it is a value of the target that looks like one. */
  readonly isRecord?: true
}

/**
 * For an undeclared value of an attribute in which only declared members count. It may be anything, even a password hash, so it
 * is not shown; and it may be a word of every page, so it is not searched for in texts.
 */
const sealForeign = (value: Json, { seal }: SealContext): Json => ({ $sealed: seal(value) })

const sealAt = (read: Json, attribute: Attribute, beside: AtPlace, sealing: SealContext): Json => {
  // An empty or missing value is not secret, and sealing it would hide that it was cleared.
  if (read === null || (sealing.isRecord && isSealedThroughout(read))) return read
  const { shape } = beside
  // A list that is read as one text has its secrets in the elements.
  const isSecret = isSecretAt(read, attribute, beside, sealing.seal)
  const value = isHiddenWhole(attribute, read) || isSecret ? comparedOf(read, attribute, sealing) : read
  if (isHiddenWhole(attribute, value) || isSecret) {
    // An error of the server may repeat what it keeps, and not our form of it.
    learnAll(read, sealing.learn)
    const known = isObject(value) ? beside.objects : []
    const own = known.map((each) => sealedAsDeclared(attribute, value, each, sealing.learning))
    const asDeclared = own.find((each) => each !== undefined)
    if (asDeclared !== undefined) return asDeclared
    const $sealed = sealing.learning(value)
    return { $sealed, ...defined({ members: hiddenMembers(attribute, value) }) }
  }
  if (isMark(value)) return value
  const former = formerSecret(value, attribute, beside, sealing)
  if (former !== undefined) return former
  if (sealing.isDeclared && attribute.partial === true) {
    if (isForeign(value, shape)) return sealForeign(value, sealing)
    if (isNamedAlone(shape)) return value
  }
  if (isArray(value)) {
    const facts = attribute.partial && !shape?.isList ? attribute : elementFacts(attribute)
    const placeOf = elementPlaces(value, attribute, facts, beside, sealing.seal)
    return value.map((element, index) => sealAt(element, facts, placeOf(index), sealing))
  }
  if (!isObject(value)) return value
  return mapMembers(value, (inner, member) => sealAt(inner, innerOf(attribute, member), beside.member(member), sealing))
}

/** What is left alone is no part of the digest: else each change of it would look like one of the secret. */
const comparedOf = (read: Json, attribute: Attribute, { own }: SealContext): Json =>
  dropIgnored(attribute, applyNormalisers(read, attribute.normalise), own)

/** A record may have an object that was as declared: each of its values is sealed. */
const isSealedThroughout = (recorded: Json): boolean =>
  isMark(recorded) ||
  (isObject(recorded) && Object.keys(recorded).length > 0 && Object.values(recorded).every(isSealedThroughout))

const secretsIn = (recorded: Json, attribute: Attribute): readonly string[] => {
  if (isSealed(recorded)) return attribute.partial === true ? [] : [recorded.$sealed]
  if (isMark(recorded) || attribute.partial === true) return []
  if (isArray(recorded)) return recorded.flatMap((element) => secretsIn(element, elementFacts(attribute)))
  if (!isObject(recorded)) return []
  return Object.entries(recorded).flatMap(([member, inner]) => secretsIn(inner, innerOf(attribute, member)))
}

/** A former secret stays one wherever it appears; what was only hidden says nothing of the same text at another place. */
const formerSecret = (
  value: Json,
  attribute: Attribute,
  { former, written }: AtPlace,
  { seal, learn, secrets }: SealContext,
): Json | undefined => {
  // That a secret is empty hides nothing, and every other empty text would be taken for it.
  if (value === '' || isArray(value) || isObject(value) || written.has(inDigits(value))) return undefined
  if (secrets.size === 0 && former.size === 0) return undefined
  const $sealed = seal(applyNormalisers(value, attribute.normalise))
  if (!secrets.has($sealed) && !former.has($sealed)) return undefined
  if (secrets.has($sealed)) learnAll(value, learn)
  return { $sealed }
}

/** Sources of all secrets in a value. A transport may resolve only these for the value. */
export const secretSources = (value: Json): readonly string[] =>
  partsOf(value)
    .filter(isSecret)
    .map(({ $secret }) => $secret)
