import { canonicalJson } from '../digest.ts'
import { afterPlaceholder } from '../schema/after-placeholder.ts'
import type { Request } from '../schema/command.ts'
import { fitScalar } from '../schema/fit-scalar.ts'
import type { Json } from '../schema/json.ts'
import { isAfter, isConcat, isMark, mapValue } from '../schema/value.ts'

/** What a resource is known to be by now; `undefined` where it is not. */
export type Known = (address: string, pointer: string) => Json | undefined

/** A request with what is known by now in place of its placeholders; everything else stays, byte for byte. */
export const fillKnown = (request: Request, known: Known): Request => ({
  ...request,
  url: request.url.replaceAll(afterPlaceholder, (whole, address: string, pointer: string) => {
    const value = known(address, pointer)
    return value === undefined || value === null || typeof value === 'object' ? whole : encodeURIComponent(value)
  }),
  ...(request.body === undefined ? {} : { body: fillBody(request.body, known) }),
})

const fillBody = (body: Json, known: Known): Json =>
  mapValue(body, (value) => {
    if (isAfter(value)) {
      const found = known(value.$after, value.pointer)
      return found === undefined ? value : fitScalar(found, value.as)
    }
    if (isConcat(value)) return joined(value.$concat.map((part) => fillBody(part, known)))
    return isMark(value) ? value : undefined
  })

/** As it is joined where all is known from the start: neighbouring texts are one. */
const joined = (parts: readonly Json[]): Json => {
  const row: Json[] = []
  for (const part of parts) {
    const last = row.at(-1)
    if (isMark(part)) row.push(part)
    else if (typeof last === 'string') row[row.length - 1] = last + String(part)
    else row.push(String(part))
  }
  return row.some(isMark) ? { $concat: row.filter((part) => part !== '') } : (row[0] ?? '')
}

/**
 * A request as it compares with one whose placeholders were filled: segments of the URL in one spelling, and without
 * the digest of a text that was not known yet when it was approved.
 */
export const comparable = (request: Request): string =>
  canonicalJson({
    ...request,
    url: request.url
      .split(/([/?&=#])/)
      .map(oneSpelling)
      .join(''),
    ...(request.body === undefined ? {} : { body: withoutTextDigests(request.body) }),
  })

const oneSpelling = (part: string, index: number): string => {
  if (index % 2 === 1) return part
  try {
    return encodeURIComponent(decodeURIComponent(part))
  } catch {
    return part
  }
}

const withoutTextDigests = (body: Json): Json =>
  mapValue(body, (value) => {
    if (isConcat(value)) return { $concat: value.$concat }
    return isMark(value) ? value : undefined
  })
