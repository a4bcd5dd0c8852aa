import type { Request, Response } from '../schema/command.ts'
import type { KeptAnswer, KeptAnswers } from '../schema/ports.ts'
import { defined } from '../values/defined.ts'
import type { Transport } from './transport.ts'

/**
 * The digest of everything that an answer depends on, including the caller; `undefined` if the answer must not be kept.
 */
export type KeyOf = (request: Request) => Promise<string | undefined>

/**
 * Asks with a condition whether a kept answer is still valid. Only a 304 to this condition makes it valid; after any
 * other 304 the request is repeated without a condition, so the result is always that of an ordinary read.
 * https://www.rfc-editor.org/rfc/rfc9110#section-13
 */
export const conditional = (inner: Transport, kept: KeptAnswers, keyOf: KeyOf): Transport => ({
  ...inner,
  send: async (request, signal) => {
    const { conditional: trusted, ...plain } = request
    const key = trusted === undefined || !mayAsk(plain) ? undefined : await keyOf(plain)
    if (key === undefined) return inner.send(plain, signal)
    const known = await kept.find(key)
    const asked = known === undefined ? plain : withCondition(plain, known.etag)
    const response = await inner.send(asked, signal)
    if (known !== undefined && isStillValid(known, response)) return renewed(known.response, response)
    // A 304 to a request without a condition is invalid, and is treated like any other incomplete answer.
    const whole = known !== undefined && response.status === 304 ? await inner.send(plain, signal) : response
    const etag = trustedEtag(whole, trusted)
    if (etag === undefined) return whole
    await kept.keep(key, { etag, response: storable(whole) })
    return { ...whole, keeps: true }
  },
})

const mayAsk = ({ method, body, headers = {} }: Request): boolean =>
  method.toUpperCase() === 'GET' &&
  body === undefined &&
  !Object.keys(headers).some((name) => /^(if-|range$)/i.test(name))

const withCondition = (request: Request, etag: string): Request => ({
  ...request,
  headers: { ...request.headers, 'if-none-match': etag },
})

/** A 304 with another ETag is not about the kept answer. */
const isStillValid = ({ etag }: KeptAnswer, { status, headers }: Response): boolean =>
  status === 304 && (headers['etag'] === undefined || opaque(headers['etag']) === opaque(etag))

/** If-None-Match requires the weak comparison: https://www.rfc-editor.org/rfc/rfc9110#section-8.8.3.2 */
const opaque = (etag: string): string => etag.trim().replace(/^W\//, '')

const aboutTheBody = /^(content-(length|type|encoding|range)|transfer-encoding)$/

/** Updates the headers of a kept answer: https://www.rfc-editor.org/rfc/rfc9111#section-3.2 */
const renewed = (response: Response, { headers }: Response): Response => ({
  ...response,
  headers: {
    ...response.headers,
    ...Object.fromEntries(Object.entries(headers).filter(([name]) => !aboutTheBody.test(name))),
  },
  kept: true,
})

/** Characters. A longer ETag could make the server refuse the headers of the next request. */
const longestEtag = 512
const form = /^(W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/

/**
 * `undefined` if the answer must not be kept. Last-Modified is not used: it counts seconds, so two changes in the same
 * second look equal.
 */
const trustedEtag = ({ status, headers }: Response, trusted: Request['conditional']): string | undefined => {
  const etag = headers['etag']?.trim()
  if (status !== 200 || etag === undefined || etag.length > longestEtag || !form.test(etag)) return undefined
  if (trusted === 'strong' && etag.startsWith('W/')) return undefined
  if (/(^|[\s,])no-store([\s,]|$)/i.test(headers['cache-control'] ?? '')) return undefined
  // `*` means that the answer depends on something that is not in the request.
  return (headers['vary'] ?? '').split(',').some((name) => name.trim() === '*') ? undefined : etag
}

const ofOneAnswer = /^(set-cookie|date|age|connection|keep-alive|retry-after|(x-)?rate-?limit.*)$/

const storable = ({ status, headers, body, bytes, numbers, trailers }: Response): Response => ({
  status,
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !ofOneAnswer.test(name))),
  body,
  ...defined({ bytes, numbers, trailers }),
})
