import type { Response } from '../../schema/command.ts'
import type { Redactor } from '../../transport/redaction/redact.ts'

/** Longest excerpt of an answer that is kept, in characters. */
const excerptLength = 500
/** So much is searched for secrets before it is cut: half a secret at the end would not be found. */
const redactedLength = 50_000

/** What an answer says, for people: cut, and free of secrets. */
export const excerptOf =
  (redactor: Pick<Redactor, 'text'>) =>
  ({ body }: Pick<Response, 'body'>): string =>
    cut(redactor.text(cut(textOf(body), redactedLength)), excerptLength)

const textOf = (body: Response['body']): string =>
  body === null ? '' : typeof body === 'string' ? body : JSON.stringify(body)

const cut = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length).toWellFormed()}…` : text.toWellFormed()
