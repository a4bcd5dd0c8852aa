import { urlFaults } from '../words.ts'

export type AnswerUrl = { readonly ok: true; readonly url: string } | { readonly ok: false; readonly detail: string }

/** Characters. Servers refuse longer URLs, and a very long URL would fill every record. */
const longestUrl = 8_192

/**
 * The only way from a text in an answer (Location, Link, the URL of a next page or of a reference) to a requested URL.
 * A relative text is resolved against `base`, the URL that was requested. No other origin is ever requested, because
 * the request identifies the caller. The result is literal text.
 */
export const answerUrl = (text: string, base: string): AnswerUrl => {
  if (text.length > longestUrl) return { ok: false, detail: urlFaults.tooLong(longestUrl) }
  // A parser removes or changes these characters, so the requested URL would not be the one in the text.
  if (/[\p{Cc}\\]/u.test(text)) return { ok: false, detail: urlFaults.hidden }
  const url = URL.parse(text, base)
  if (url === null || !/^https?:$/.test(url.protocol)) return { ok: false, detail: urlFaults.notHttp }
  // It is not said which host: a parser writes it in another form than the text, and a secret in it would not be found.
  if (url.origin !== URL.parse(base)?.origin) return { ok: false, detail: urlFaults.otherHost }
  if (url.username !== '' || url.password !== '') return { ok: false, detail: urlFaults.credentials }
  url.hash = ''
  return { ok: true, url: url.href }
}
