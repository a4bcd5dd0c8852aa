import { afterPlaceholder } from '../schema/after-placeholder.ts'
import type { Auth, Request } from '../schema/command.ts'
import type { Json } from '../schema/json.ts'
import { fileToShell } from './file-shell.ts'
import type { Word } from './shell-word.ts'
import { afterPart, jsonWord, quoteWord, secretPart, textWord, word } from './shell-word.ts'

/**
 * A request as a line for a POSIX shell that sends the same: secrets come from where their source says, and a value of
 * an earlier command is asked for by a variable. What no shell can say is a comment.
 */
export const toCurl = (request: Request): string => {
  if (/^file:/i.test(request.url)) return fileToShell(request)
  const words = [
    word('curl'),
    ...flags(request),
    ...headerWords(request),
    ...authWords(request.auth),
    ...bodyWords(request),
  ]
  const line = [...words, urlWord(request.url)].map(quoteWord).join(' ')
  // No argument of a process can hold a NUL.
  return line.includes('\0') ? `# ${JSON.stringify(`${request.method} ${request.url}`)}: holds a NUL character` : line
}

/** Without `-g` curl would expand brackets and braces, and without `--path-as-is` it would take dots out of the path. */
const flags = ({ method, url }: Request): readonly Word[] => [
  word('-sS'),
  word('--fail-with-body'),
  ...(/[[\]{}]/.test(url) ? [word('-g')] : []),
  ...(/\/\.{1,2}([/?#]|$)/.test(url) ? [word('--path-as-is')] : []),
  ...(method === 'HEAD' ? [word('--head')] : [word('-X'), word(method)]),
]

const option = (name: string, value: Word): readonly Word[] => [word(name), value]

const headerWords = ({ headers = {}, body }: Request): readonly Word[] => {
  const hasType = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type')
  const own = Object.entries(headers).flatMap(([name, value]) =>
    // curl drops a header that ends in a colon; a semicolon sends it empty.
    option('-H', word(value === '' ? `${name};` : `${name}: ${value}`)),
  )
  return body === undefined || hasType ? own : [...own, ...option('-H', word('content-type: application/json'))]
}

const authWords = (auth: Auth | undefined): readonly Word[] => {
  if (auth === undefined) return []
  const secret = secretPart(auth.kind === 'basic' ? auth.password.$secret : auth.secret.$secret)
  if (auth.kind === 'basic') {
    const user = typeof auth.user === 'string' ? { text: auth.user } : secretPart(auth.user.$secret)
    return option('--user', [user, { text: ':' }, secret])
  }
  // curl 7.87 and later; it encodes what follows the equals sign.
  if (auth.kind === 'query') return option('--url-query', [{ text: `${auth.name}=` }, secret])
  const parts = auth.template.split('{secret}').flatMap((text, n) => (n === 0 ? [{ text }] : [secret, { text }]))
  return option('-H', [{ text: `${auth.name}: ` }, ...parts])
}

const bodyWords = ({ body, headers }: Request): readonly Word[] =>
  body === undefined ? [] : option('--data-raw', isRawText(body, headers) ? textWord(body) : jsonWord(body))

/** A text is sent as it is where its media type is not JSON. */
const isRawText = (body: Json, headers: Request['headers'] = {}): boolean => {
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1]
  return typeof body === 'string' && type !== undefined && !/json/i.test(type)
}

const urlWord = (url: string): Word => {
  const parts = url.split(afterPlaceholder)
  return parts.flatMap((text, n) =>
    n % 3 === 0 ? [{ text }] : n % 3 === 1 ? [afterPart(text, parts[n + 1] ?? '')] : [],
  )
}
