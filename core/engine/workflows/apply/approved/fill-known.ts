import { AppError } from '../../../errors/errors.ts'
import { canonicalJson } from '../../../json/canonical.ts'
import { mapValue } from '../../../json/pointer.ts'
import { isStraight } from '../../../schema/base-url.ts'
import type { PlannedRequest, Request } from '../../../schema/command.ts'
import { isObject, type Json, type JsonObject } from '../../../schema/json.ts'
import type { Url } from '../../../schema/value.ts'
import {
  type AfterMark,
  type ConcatMark,
  isAfter,
  isConcat,
  isLive,
  isMark,
  isNumberMark,
} from '../../../schema/value.ts'
import { defined } from '../../../values/defined.ts'
import { afterMarks } from '../../../values/marks/marks.ts'
import { fillName, isOpenName } from '../../../values/marks/open-names.ts'
import { fitScalar } from '../../../values/scalars.ts'
import { inEncoding } from '../../../values/texts/base64-text.ts'
import { joinUrl, mapUrlTexts, urlParts, urlWords } from '../../../values/url.ts'
import { requestFaults } from './words.ts'

/**
 * The current value of a mark, with foreign marks escaped; `undefined` if it is not known yet. Throws if it must not be
 * used.
 */
export type KnownValue = (mark: AfterMark) => Json | undefined

/** Replaces the marks of a request by the values that are known now. Everything else stays, byte for byte. */
export const fillKnown = (request: PlannedRequest, known: KnownValue): PlannedRequest => ({
  ...request,
  url: fillUrl(request.url, known),
  ...defined({
    body: request.body === undefined ? undefined : fillValue(request.body, known),
    sealedBox: request.sealedBox && { ...request.sealedBox, url: fillUrl(request.sealedBox.url, known) },
  }),
})

const fillUrl = (url: Url, known: KnownValue): Url =>
  joinUrl(urlParts(url).map((part) => (typeof part === 'string' ? part : (inUrl(known(part)) ?? part))))

/** Does the same for a request that is sent now. Throws REQUEST_INCOMPLETE if a value is missing. */
export const fillAll = (request: PlannedRequest, known: KnownValue): Request => {
  const filled = fillKnown(request, known)
  const { sealedBox, ...plain } = filled
  const keyUrl = sealedBox === undefined ? [] : urlParts(sealedBox.url)
  const [open] = afterMarks([...urlParts(plain.url), ...keyUrl, plain.body ?? null])
  if (open !== undefined) throw incomplete(request, requestFaults.noAnswer(open.$after, open.pointer))
  const box = sealedBox && { ...sealedBox, url: wholeUrl(request, request.sealedBox?.url ?? '', sealedBox.url) }
  return { ...plain, url: wholeUrl(request, request.url, plain.url), ...defined({ sealedBox: box }) }
}

/** If a segment is removed when the URL is normalised, the URL is that of another object. */
const wholeUrl = (request: PlannedRequest, planned: Url, filled: Url): string => {
  const text = urlParts(filled).join('')
  if (typeof planned !== 'string' && !isStraight(text)) throw incomplete(request, requestFaults.lostSegment(text))
  return text
}

const incomplete = ({ method, url }: PlannedRequest, detail: string): AppError =>
  new AppError('REQUEST_INCOMPLETE', { method, url: urlWords(url), detail })

/** An empty or dotted value would make the URL that of another object, possibly of a whole collection. */
const inUrl = (value: Json | undefined): string | undefined => {
  const scalar = isNumberMark(value) ? value.$number : value
  if (scalar === undefined || scalar === null || typeof scalar === 'object') return undefined
  return ['', '.', '..'].includes(String(scalar)) ? undefined : encodeURIComponent(scalar)
}

export const fillValue = (whole: Json, known: KnownValue): Json =>
  mapValue(whole, (value) => {
    if (isAfter(value)) {
      const found = known(value)
      return found === undefined ? value : fitScalar(found, value.as)
    }
    if (isConcat(value))
      return joined(
        value,
        value.$concat.map((part) => fillValue(part, known)),
      )
    if (isMark(value)) return value
    return isObject(value) && hasOpenNames(value) ? renamed(value, known) : undefined
  })

const hasOpenNames = (value: JsonObject): boolean =>
  Object.keys(value).some(isOpenName) || (isLive(value) && value.without.some(isOpenName))

/** A name that another member has already stays open: nothing is overwritten. */
const renamed = (value: JsonObject, known: KnownValue): JsonObject => {
  const taken = new Set(Object.keys(value))
  const members = Object.entries(value).map(([name, inner]): [string, Json] => {
    const filled = fillName(name, known)
    const own = filled !== name && taken.has(filled) ? name : filled
    taken.add(own)
    return [own, fillValue(inner, known)]
  })
  const object = Object.fromEntries(members)
  return isLive(object) ? { ...object, without: object.without.map((place) => fillName(place, known)) } : object
}

/** Joins the parts as if all of them had been known from the start: neighbouring texts become one. */
const joined = ({ encoding }: ConcatMark, parts: readonly Json[]): Json => {
  const row: Json[] = []
  for (const part of parts) {
    const last = row.at(-1)
    // A list or an object cannot be part of a text: it stays a separate part, and is refused when the text is resolved.
    if (part === null || typeof part === 'object') row.push(part)
    else if (typeof last === 'string') row[row.length - 1] = last + String(part)
    else row.push(String(part))
  }
  const isKnown = row.every((part) => typeof part === 'string')
  const mark = { ...defined({ encoding }) }
  return isKnown ? inEncoding(mark, row.join('')) : { $concat: row.filter((part) => part !== ''), ...mark }
}

/**
 * A form for comparing with a request whose marks are filled in: the URL in one spelling, texts without their digests.
 */
export const comparable = (request: PlannedRequest): string =>
  canonicalJson({
    ...request,
    url: comparableUrl(request.url),
    ...defined({ body: request.body === undefined ? undefined : withoutTextDigests(request.body) }),
  })

const comparableUrl = (url: Url): Url =>
  mapUrlTexts(url, (text) =>
    text
      .split(/([/?&=#])/)
      .map(oneSpelling)
      .join(''),
  )

const oneSpelling = (part: string, index: number): string => {
  if (index % 2 === 1) return part
  try {
    return encodeURIComponent(decodeURIComponent(part))
  } catch {
    // The part is not percent-encoded, so it has only one spelling.
    return part
  }
}

const withoutTextDigests = (body: Json): Json =>
  mapValue(body, (value) => {
    if (isConcat(value)) {
      const { digest: _, ...rest } = value
      return rest
    }
    return isMark(value) ? value : undefined
  })

/** The resources whose values are not known yet. */
export const unknownIn = (value: Json, known: KnownValue): ReadonlySet<string> =>
  new Set(afterMarks(value).flatMap((mark) => (known(mark) === undefined ? [mark.$after] : [])))
