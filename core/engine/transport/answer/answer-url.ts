import { urlFaults } from '../words.ts'

export type AnswerUrl = { readonly ok: true; readonly url: string } | { readonly ok: false; readonly detail: string }

/** Characters. Servers refuse longer ones, and a very long one would fill every record. */
const longestUrl = 8_192

/**
 * The one way from a text in an answer (Location, Link, the URL of a next page, of a reference) to a URL that is asked.
 * `base` is what was asked before: a relative text is resolved against it, and no other origin is ever requested, because the
 * request identifies the caller. The result is literal text.
 */
export const answerUrl = (text: string, base: string): AnswerUrl => {
  if (text.length > longestUrl) return { ok: false, detail: urlFaults.tooLong(longestUrl) }
  // A parser drops or turns these, so that what is asked would not be what is read.
  if (/[\p{Cc}\\]/u.test(text)) return { ok: false, detail: urlFaults.hidden }
  const url = URL.parse(text, base)
  if (url === null || !/^https?:$/.test(url.protocol)) return { ok: false, detail: urlFaults.notHttp }
  if (url.origin !== URL.parse(base)?.origin) return { ok: false, detail: urlFaults.otherHost(url.origin) }
  if (url.username !== '' || url.password !== '') return { ok: false, detail: urlFaults.credentials }
  url.hash = ''
  return { ok: true, url: url.href }
}
