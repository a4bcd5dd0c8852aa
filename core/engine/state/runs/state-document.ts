import { AppError } from '../../errors/errors.ts'
import { digest } from '../../json/digest.ts'
import { toPointer } from '../../json/pointer.ts'
import { isArray, isObject, type Json, type JsonObject, type Path } from '../../schema/json.ts'
import type { RecordedResource } from '../../schema/resource.ts'
import { type StateDocument, type StateResource, stateDocumentShape } from '../../schema/stored/state.ts'
import { isLiteral, isLive, isMark, isNumberMark, isSealed } from '../../schema/value.ts'
import { isTooDeep, malformedAt } from '../../values/well-formed.ts'
import { stateFlaws } from '../store/words.ts'
import { formatVersion, type Recorded } from './recorded.ts'

export const withDigest = (resource: RecordedResource): StateResource => ({
  ...resource,
  digest: digest(resource.attributes),
})

/** The digest covers all other members of the document. */
const withOwnDigest = (document: Omit<StateDocument, 'digest'>): StateDocument => ({
  ...document,
  digest: digest(document),
})

/** Deterministic: the same version gives the same bytes. Throws STATE_NOT_FOUND if nothing is recorded. */
export const documentOf = ({ workspace, lineage, serial, resources }: Recorded): StateDocument => {
  if (lineage === undefined) throw new AppError('STATE_NOT_FOUND', { workspace })
  const sorted = resources.toSorted((left, right) => (left.address < right.address ? -1 : 1))
  return withOwnDigest({ formatVersion, workspace, lineage, serial, resources: sorted.map(withDigest) })
}

/**
 * Reads a document from outside. Its digest detects damage but does not prove who wrote it. Throws STATE_INVALID, and
 * STATE_NEWER for a later format.
 */
export const readDocument = (value: unknown): StateDocument => {
  const found = isObject(value) ? value['formatVersion'] : undefined
  if (!isObject(value) || typeof found !== 'string') throw invalid(stateFlaws.noState)
  if (Number(found) > Number(formatVersion))
    throw new AppError('STATE_NEWER', { what: stateFlaws.document, found, known: formatVersion })
  if (isTooDeep(value)) throw invalid(stateFlaws.tooDeep)
  const malformed = malformedAt(value)
  if (malformed !== undefined) throw invalid(stateFlaws.malformed(toPointer(malformed)))
  if (found !== formatVersion) throw invalid(stateFlaws.format(found))
  const document = inShape(value)
  checkRecords(document)
  return document
}

const invalid = (detail: string): AppError => new AppError('STATE_INVALID', { detail })

const inShape = (value: JsonObject): StateDocument => {
  const { error } = stateDocumentShape.safeParse(value)
  if (error !== undefined) {
    const [first, ...others] = error.issues
    const member = stateFlaws.member(toPointer((first?.path ?? []).map(String)), first?.message ?? '')
    throw invalid([member, ...(others.length === 0 ? [] : [stateFlaws.more(others.length)])].join('; '))
  }
  checkDigest(value['digest'], { ...value, digest: undefined })
  return value as unknown as StateDocument
}

const checkDigest = (found: unknown, content: unknown): void => {
  const right = digest(content)
  if (found !== right) throw invalid(stateFlaws.digest(String(found), right))
}

const checkRecords = ({ resources }: StateDocument): void => {
  const seen = new Set<string>()
  for (const { address, attributes, refs = {}, seenBy = {}, digest: told } of resources) {
    if (seen.has(address)) throw invalid(stateFlaws.twice(address))
    seen.add(address)
    checkDigest(told, attributes)
    const place = foreignMark({ attributes, refs, seenBy }, [])
    if (place !== undefined) throw invalid(stateFlaws.mark(address, toPointer(place)))
  }
}

/** The path of a mark that no read records. It is refused because a request could be made from it. */
const foreignMark = (value: Json, path: Path): Path | undefined => {
  if (isMark(value) || isLive(value)) return isRecordable(value) ? undefined : path
  if (!isObject(value) && !isArray(value)) return undefined
  for (const [step, child] of Object.entries(value)) {
    const found = foreignMark(child, [...path, step])
    if (found !== undefined) return found
  }
  return undefined
}

/** A mark must not have other members, so that its meaning is unambiguous. */
const isRecordable = (mark: Json): boolean => {
  if (!isObject(mark) || Object.keys(mark).length !== 1) return false
  if (isSealed(mark)) return typeof mark.$sealed === 'string' && /^hmac-sha256(:[0-9a-f]+){1,2}$/.test(mark.$sealed)
  if (isNumberMark(mark)) return typeof mark.$number === 'string' && /^-?[\d.]+(e[+-]?\d+)?$/i.test(mark.$number)
  return isLiteral(mark)
}
