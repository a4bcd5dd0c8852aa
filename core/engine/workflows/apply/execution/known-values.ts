import { AppError, isAppError } from '../../../errors/errors.ts'
import { canonicalJson } from '../../../json/canonical.ts'
import { fromPointer, valueAt } from '../../../json/pointer.ts'
import type { Command, PlannedRequest } from '../../../schema/command.ts'
import { isArray, isObject, type Json, type JsonObject, type Path } from '../../../schema/json.ts'
import type { Address } from '../../../schema/resource.ts'
import { type AfterMark, isSealed } from '../../../schema/value.ts'
import { escapeMarks, partsOf } from '../../../values/marks/marks.ts'
import { pick } from '../../../values/members.ts'
import type { OpenWorkspace } from '../../session/open-session.ts'
import { liveSecrets } from '../../session/read/resolve-attributes.ts'
import type { LearnedValues } from '../../session/shared/known-objects.ts'
import type { KnownValue } from '../approved/fill-known.ts'
import { valueFaults } from './words.ts'

/**
 * The values for marks, from the reads and answers of a session. Throws SECRET_UNRESOLVED for a value that must not be
 * used.
 */
export const knownTo =
  (opened: OpenWorkspace): KnownValue =>
  (mark) => {
    const known = opened.known.of(mark.$after)
    const value = answered(mark, known) ?? observed(mark, known) ?? objectPart(mark, known)
    const sealed = sealedAt(mark, known)
    if (mark.sensitive === true) return liveSecrets(sealed, mark.$after, mark.pointer)
    const isHidden = mark.pointer.startsWith('/object/') && isSecretText(value, opened.transports.redactor)
    if (partsOf(sealed).some(isSealed) || isHidden || repeatsSecret(value, opened)) {
      throw refused(mark, valueFaults.sensitive)
    }
    return value
  }

/**
 * Does the same for requests about one resource: only values of the resource and of its direct and indirect
 * dependencies may be used.
 */
export const valuesFor = (address: Address, opened: OpenWorkspace): KnownValue => {
  const known = knownTo(opened)
  const within = reachOf(address, opened)
  return (mark) => {
    if (!within.has(mark.$after)) throw refused(mark, valueFaults.independent(address))
    return known(mark)
  }
}

const refused = ({ $after, pointer }: AfterMark, detail: string): AppError =>
  new AppError('SECRET_UNRESOLVED', { source: `${$after} ${pointer}`, detail })

const reachOf = (
  address: Address,
  { loaded, recorded }: Pick<OpenWorkspace, 'loaded' | 'recorded'>,
): ReadonlySet<Address> => {
  const all = Map.groupBy([...loaded.configuration.resources, ...recorded.resources], (each) => each.address)
  const within = new Set([address])
  for (const each of within) {
    for (const { dependsOn } of all.get(each) ?? []) for (const needed of dependsOn) within.add(needed)
  }
  return within
}

/** Pointers are those of references in the configuration (`/id`) and of requests of the provider (`/ids/id`). */
const answered = ({ pointer }: AfterMark, { answers }: LearnedValues): Json | undefined => {
  const value = answers?.[pointer] ?? answers?.[`/ids${pointer}`]
  return value === undefined ? undefined : escapeMarks(value)
}

/** A member of the whole object, which a request of another resource names. It need not be an attribute. */
const objectPart = ({ pointer }: AfterMark, { object }: LearnedValues): Json | undefined => {
  const [first, ...path] = fromPointer(pointer)
  const value = first === 'object' ? valueAt(object, path) : undefined
  return value === undefined || value === null ? undefined : escapeMarks(value)
}

/** Also finds `/attributes/name` and `/versions/object`. Reads have already escaped foreign marks in these values. */
const observed = ({ pointer }: AfterMark, { attributes, ids, versions = {} }: LearnedValues): Json | undefined => {
  const path = fromPointer(pointer)
  const whole = valueIn({ attributes: attributes ?? {}, ids: ids ?? {}, versions }, path)
  return [whole, valueIn(attributes, path), valueAt(ids, path)].find((value) => value !== undefined)
}

/** The value at a path, of which a step may be the key of an element as JSON: `/attributes/rules/{"port":22}/id`. */
const valueIn = (whole: Json | undefined, path: Path): Json | undefined =>
  path.reduce<Json | undefined>(
    (value, step) =>
      isArray(value) && String(step).startsWith('{')
        ? value.find((element) => canonicalJson(pick(isObject(element) ? element : {}, keysIn(step))) === step)
        : valueAt(value, [step]),
    whole,
  )

const keysIn = (step: Path[number]): readonly string[] => {
  try {
    return Object.keys(JSON.parse(String(step)) as JsonObject)
  } catch {
    // A pointer of a configuration may have any text.
    return []
  }
}

const sealedAt = ({ pointer }: AfterMark, { sealed: attributes = {} }: LearnedValues): Json | undefined => {
  const path = fromPointer(pointer)
  return valueIn({ attributes }, path) ?? valueIn(attributes, path)
}

/** A target may return a secret of the configuration where an id is expected. */
const repeatsSecret = (
  value: Json | undefined,
  { transports: { configured } }: Pick<OpenWorkspace, 'transports'>,
): boolean => isSecretText(value, configured)

const isSecretText = (
  value: Json | undefined,
  { text: redacted }: OpenWorkspace['transports']['configured'],
): boolean => {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  return redacted(text) !== text
}

/** Treats a value that must not be used like an unknown value. */
export const forgiving =
  (known: KnownValue): KnownValue =>
  (mark) => {
    try {
      return known(mark)
    } catch (error) {
      if (isAppError(error, 'SECRET_UNRESOLVED')) return undefined
      throw error
    }
  }

/** Sends the version with the request, so that the target itself refuses it if the object has changed. */
export const withVersion = (
  { request, precondition, address }: Command,
  { known }: Pick<OpenWorkspace, 'known'>,
): PlannedRequest => {
  const sent = (header: string, version: Json | undefined): PlannedRequest =>
    version === undefined ? request : { ...request, headers: { ...request.headers, [header]: String(version) } }
  if (precondition?.kind === 'etag') return sent(precondition.header ?? 'if-match', precondition.etag)
  const isLater = precondition?.kind === 'chained' || precondition?.kind === 'made'
  if (!isLater || precondition.header === undefined) return request
  return sent(precondition.header, known.of(address).versions?.[precondition.object ?? ''])
}
