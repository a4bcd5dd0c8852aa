import type { Request, Response } from '../schema/command.ts'
import type { KeptAnswer, KeptAnswers } from '../schema/ports.ts'
import { defined } from '../values/defined.ts'
import type { Transport } from './transport.ts'

/** The digest of everything that an answer depends on: who asks, for what, how. `undefined`: it may not be kept. */
export type KeyOf = (request: Request) => Promise<string | undefined>

/**
 * Reads that may be conditional ask whether the kept answer is still valid. Only a 304 to that very question makes it an
 * answer; nothing else does. Whatever does not fit is asked again without a condition, so the result is always that of an
 * ordinary read. https://www.rfc-editor.org/rfc/rfc9110#section-13
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
    // Without a condition no server may answer 304; one that does is not believed, like any other incomplete answer.
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

/** A 304 about another ETag answers a question that nobody asked. */
const isStillValid = ({ etag }: KeptAnswer, { status, headers }: Response): boolean =>
  status === 304 && (headers['etag'] === undefined || opaque(headers['etag']) === opaque(etag))

/** The weak comparison, which If-None-Match demands: https://www.rfc-editor.org/rfc/rfc9110#section-8.8.3.2 */
const opaque = (etag: string): string => etag.trim().replace(/^W\//, '')

const aboutTheBody = /^(content-(length|type|encoding|range)|transfer-encoding)$/

/** The kept answer with the fields of the 304: https://www.rfc-editor.org/rfc/rfc9111#section-3.2 */
const renewed = (response: Response, { headers }: Response): Response => ({
  ...response,
  headers: {
    ...response.headers,
    ...Object.fromEntries(Object.entries(headers).filter(([name]) => !aboutTheBody.test(name))),
  },
  kept: true,
})

/** A longer one could make the server refuse the headers of the next request. */
const longestEtag = 512
const form = /^(W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/

/** The ETag of an answer that may be kept. Last-Modified counts seconds, so two changes within one look the same. */
const trustedEtag = ({ status, headers }: Response, trusted: Request['conditional']): string | undefined => {
  const etag = headers['etag']?.trim()
  if (status !== 200 || etag === undefined || etag.length > longestEtag || !form.test(etag)) return undefined
  if (trusted === 'strong' && etag.startsWith('W/')) return undefined
  if (/(^|[\s,])no-store([\s,]|$)/i.test(headers['cache-control'] ?? '')) return undefined
  // It depends on something that is in no request.
  return (headers['vary'] ?? '').split(',').some((name) => name.trim() === '*') ? undefined : etag
}

const ofOneAnswer = /^(set-cookie|date|age|connection|keep-alive|retry-after|(x-)?rate-?limit.*)$/

const storable = ({ status, headers, body, bytes, numbers, trailers }: Response): Response => ({
  status,
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !ofOneAnswer.test(name))),
  body,
  ...defined({ bytes, numbers, trailers }),
})
