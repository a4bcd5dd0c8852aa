import { mapValue } from '../../../json/pointer.ts'
import type { ObjectSchema } from '../../../schema/attribute.ts'
import type { Json, JsonObject, Path } from '../../../schema/json.ts'
import { isArray, isObject } from '../../../schema/json.ts'
import type { Seal } from '../../../schema/ports.ts'
import type { PresentResult, ReadResult } from '../../../schema/resource.ts'
import { isLiteral, isMark, isNumberMark } from '../../../schema/value.ts'
import type { Redactor } from '../../../transport/redaction/redact.ts'
import { isLargeNumber } from '../../../values/large-integer.ts'
import { partsOf } from '../../../values/marks/marks.ts'
import { sealObserved } from '../shared/seal-values.ts'
import { type SecretPlace, unknowns } from '../shared/words.ts'

export interface Sealing {
  readonly seal: Seal
  /** Called with every sensitive value. */
  readonly learn: (value: string) => void
  /** Knows the secrets of the configuration and the tokens of sign-ins. */
  readonly configured: Pick<Redactor, 'text'>
  /** Paths that references of the configuration read. */
  readonly named?: readonly Path[]
  /** The attributes of the record. What was secret there stays secret. */
  readonly recorded?: JsonObject | undefined
}

/**
 * Every answer of a target passes here before it is compared, shown or stored: sensitive values become digests, and so
 * do texts that repeat a secret. A name cannot be a digest: if a secret is an id, a version or the key of a map, the
 * object cannot be shown, and is unknown.
 */
export const sealRead = (
  schema: ObjectSchema,
  result: PresentResult,
  desired: JsonObject | undefined,
  { seal, learn, configured, named: open = [], recorded }: Sealing,
): ReadResult => {
  const sensitive = new Set<string>()
  const hear = (text: string): void => {
    if (text.length >= shortestEcho) sensitive.add(text)
    learn(text)
  }
  const attributes = sealEchoes(
    sealObserved(schema, result.attributes, desired, seal, hear, open, recorded),
    desired,
    seal,
    configured,
  )
  const named = namedTexts(result, attributes)
  // Most objects repeat no secret, so all texts are tested at once first.
  const all = named.map(([, text]) => text).join('\n')
  const isClean = configured.text(all) === all && !named.some(([, text]) => sensitive.has(text))
  const inDesired = new Set(isClean || desired === undefined ? [] : namesIn(desired, true))
  const isSecret = (text: string): boolean =>
    !inDesired.has(text) && (sensitive.has(text) || configured.text(text) !== text)
  const found = isClean ? undefined : named.find(([, text]) => isSecret(text))
  return found === undefined
    ? { ...result, attributes }
    : { kind: 'unknown', reason: 'bad_body', detail: unknowns.secretName(found[0]) }
}

/** The identity of a listed object for display. A part that repeats a secret becomes a digest. */
export const sealListed = (
  identity: JsonObject,
  { seal, configured }: Pick<Sealing, 'seal' | 'configured'>,
): JsonObject => sealEchoes(identity, undefined, seal, configured)

/** Characters. A shorter text occurs in other texts by coincidence. */
const shortestEcho = 4

type NamedText = readonly [place: SecretPlace, text: string]

const namedTexts = ({ ids, version, versions }: PresentResult, attributes: JsonObject): readonly NamedText[] => [
  ...textsOf(ids ?? {}).map((text): NamedText => ['id', text]),
  ...textsOf([version ?? null, versions ?? null]).map((text): NamedText => ['version', text]),
  ...namesIn(attributes, false).map((text): NamedText => ['member', text]),
]

const textsOf = (value: Json): readonly string[] =>
  partsOf(value).flatMap((part) => (typeof part === 'string' || typeof part === 'number' ? [String(part)] : []))

/** Names of members at any depth, outside of marks; with `withTexts`, clear texts too. */
const namesIn = (value: Json, withTexts: boolean): readonly string[] => {
  if (typeof value === 'string' || typeof value === 'number') return withTexts ? [String(value)] : []
  if (isLargeNumber(value)) return withTexts ? [value.$number] : []
  if (isMark(value)) return []
  if (isArray(value)) return value.flatMap((each) => namesIn(each, withTexts))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, inner]) => [name, ...namesIn(inner, withTexts)])
}

/** Seals texts and numbers that repeat a secret of the configuration, unless the configuration has the same one in clear. */
export const sealEchoes = (
  observed: JsonObject,
  desired: JsonObject | undefined,
  seal: Seal,
  configured: Pick<Redactor, 'text'>,
): JsonObject => {
  const repeats = (text: string): boolean => configured.text(text) !== text
  // Most objects repeat no secret, so the whole object is tested at once first.
  if (!repeats(JSON.stringify(observed))) return observed
  const written = new Set(desired === undefined ? [] : textsIn(desired))
  const sealed = mapValue(observed, (value) => {
    const [text] = isArray(value) || (isObject(value) && !isMark(value)) ? [] : textsIn(value)
    if (text !== undefined && !written.has(text) && repeats(text)) return { $sealed: seal(text) }
    return isMark(value) ? value : undefined
  })
  return sealed as JsonObject
}

const textsIn = (value: Json): readonly string[] => {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)]
  if (isNumberMark(value)) return [value.$number]
  // What only looks like a mark is one value, because nothing inside of it can be one.
  if (isLiteral(value)) return [JSON.stringify(value.$literal)]
  if (isMark(value)) return []
  if (isArray(value)) return value.flatMap(textsIn)
  return isObject(value) ? Object.values(value).flatMap(textsIn) : []
}
