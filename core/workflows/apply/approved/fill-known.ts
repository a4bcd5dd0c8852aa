import { canonicalJson } from '../../../digest.ts'
import { AppError } from '../../../errors.ts'
import { mapValue } from '../../../json/pointer.ts'
import type { PlannedRequest, Request } from '../../../schema/command.ts'
import type { Json } from '../../../schema/json.ts'
import type { Url } from '../../../schema/value.ts'
import { type AfterMark, isAfter, isConcat, isMark, isNumberMark } from '../../../schema/value.ts'
import { defined } from '../../../values/defined.ts'
import { afterMarks } from '../../../values/marks.ts'
import { fitScalar } from '../../../values/scalars.ts'
import { isStraight, joinUrl, mapUrlTexts, urlParts, urlWords } from '../../../values/url.ts'
import { requestFaults } from './words.ts'

/** What a mark stands for by now, foreign marks escaped; `undefined` where nobody knows yet. Throws where nobody may have it. */
export type KnownValue = (mark: AfterMark) => Json | undefined

/** A request with what is known by now in place of its marks; everything else stays, byte for byte. */
export const fillKnown = (request: PlannedRequest, known: KnownValue): PlannedRequest => ({
  ...request,
  url: joinUrl(urlParts(request.url).map((part) => (typeof part === 'string' ? part : (inUrl(known(part)) ?? part)))),
  ...defined({ body: request.body === undefined ? undefined : fillValue(request.body, known) }),
})

/** The same for a request that is sent now. Throws REQUEST_INCOMPLETE where something is missing. */
export const fillAll = (request: PlannedRequest, known: KnownValue): Request => {
  const filled = fillKnown(request, known)
  const url = urlParts(filled.url)
  const [open] = afterMarks([...url, filled.body ?? null])
  if (open !== undefined) throw incomplete(request, requestFaults.noAnswer(open.$after, open.pointer))
  const text = url.join('')
  // A segment that is taken out on the way would make the URL of another object.
  if (typeof request.url !== 'string' && !isStraight(text)) throw incomplete(request, requestFaults.lostSegment(text))
  return { ...filled, url: text }
}

const incomplete = ({ method, url }: PlannedRequest, detail: string): AppError =>
  new AppError('REQUEST_INCOMPLETE', { method, url: urlWords(url), detail })

/** An empty or dotted value would make the URL of another object, a whole collection perhaps. */
const inUrl = (value: Json | undefined): string | undefined => {
  const scalar = isNumberMark(value) ? value.$number : value
  if (scalar === undefined || scalar === null || typeof scalar === 'object') return undefined
  return ['', '.', '..'].includes(String(scalar)) ? undefined : encodeURIComponent(scalar)
}

/** A value with what is known by now in place of its marks. */
export const fillValue = (whole: Json, known: KnownValue): Json =>
  mapValue(whole, (value) => {
    if (isAfter(value)) {
      const found = known(value)
      return found === undefined ? value : fitScalar(found, value.as)
    }
    if (isConcat(value)) return joined(value.$concat.map((part) => fillValue(part, known)))
    return isMark(value) ? value : undefined
  })

/** As it is joined where all is known from the start: neighbouring texts are one. */
const joined = (parts: readonly Json[]): Json => {
  const row: Json[] = []
  for (const part of parts) {
    const last = row.at(-1)
    // A list or an object is no part of a text: it stays in the row, and is refused where the row is resolved.
    if (part === null || typeof part === 'object') row.push(part)
    else if (typeof last === 'string') row[row.length - 1] = last + String(part)
    else row.push(String(part))
  }
  return row.some((part) => typeof part !== 'string') ? { $concat: row.filter((part) => part !== '') } : (row[0] ?? '')
}

/** For comparing with a request whose marks were filled: one spelling of the URL, no digests of texts. */
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
    // Not percent-encoded: it has one spelling.
    return part
  }
}

const withoutTextDigests = (body: Json): Json =>
  mapValue(body, (value) => {
    if (isConcat(value)) return { $concat: value.$concat }
    return isMark(value) ? value : undefined
  })

/** The resources of which a value waits for something that is not known. */
export const unknownIn = (value: Json, known: KnownValue): ReadonlySet<string> =>
  new Set(afterMarks(value).flatMap((mark) => (known(mark) === undefined ? [mark.$after] : [])))
