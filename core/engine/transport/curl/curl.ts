import type { Auth, TokenAuth, TokenUse } from '../../schema/auth.ts'
import type { PlannedRequest } from '../../schema/command.ts'
import type { SecretMark, Url } from '../../schema/value.ts'
import { present } from '../../values/defined.ts'
import { formFields, mediaTypeOf } from '../../values/marks/form-fields.ts'
import { urlParts, urlWords } from '../../values/url.ts'
import { isExec } from '../programs.ts'
import { asked, unsayable } from '../words.ts'
import { execToShell } from './exec-shell.ts'
import { fileToShell } from './file-shell.ts'
import {
  afterPart,
  ask,
  comment,
  jsonWord,
  quoteWord,
  secretPart,
  textWord,
  type Word,
  type WordPart,
  word,
} from './shell-word.ts'

/**
 * A line for a POSIX shell that sends the same request. Secrets come from their source, and a value of an earlier
 * command is read from a variable. A request that a shell cannot send becomes a comment.
 */
export const toCurl = (request: PlannedRequest): string => {
  const { url } = request
  if (typeof url === 'string' && /^file:/i.test(url)) return fileToShell({ ...request, url })
  if (typeof url === 'string' && isExec(url)) return execToShell({ ...request, url })
  if (request.sealedBox !== undefined) return comment(`${request.method} ${urlWords(url)}`, unsayable.sealed)
  const words = [
    word('curl'),
    ...flags(request),
    ...headerWords(request),
    ...authWords(request.auth),
    ...bodyWords(request),
  ]
  const line = [...words, urlWord(url)].map(quoteWord).join(' ')
  const why = whyUnsayable(request, line)
  return why === undefined ? line : comment(`${request.method} ${urlWords(url)}`, why)
}

const token = /^[\w!#$%&'*+.^`|~-]+$/

/**
 * Finds values that curl cannot take as an argument, such as a name that begins with `@`, which curl reads as a file.
 */
const whyUnsayable = ({ method, headers = {} }: PlannedRequest, line: string): string | undefined => {
  if (line.includes('\0')) return unsayable.nul
  if (!token.test(method)) return unsayable.noMethod
  const wrong = Object.entries(headers).some(([name, value]) => !token.test(name) || /[\r\n]/.test(value))
  return wrong ? unsayable.invalidHeader : undefined
}

/** `-g` keeps curl from expanding brackets and braces, and `--path-as-is` from removing dots from the path. */
const flags = ({ method, url, socket }: PlannedRequest): readonly Word[] => [
  word('-sS'),
  word('--fail-with-body'),
  ...present(holds(url, /[[\]{}]/) && word('-g'), holds(url, /\/\.{1,2}([/?#]|$)/) && word('--path-as-is')),
  ...present(socket).flatMap((path) => option('--unix-socket', word(path))),
  ...(method === 'HEAD' ? [word('--head')] : [word('-X'), word(method)]),
]

const holds = (url: Url, pattern: RegExp): boolean =>
  urlParts(url).some((part) => typeof part === 'string' && pattern.test(part))

const option = (name: string, value: Word): readonly Word[] => [word(name), value]

const headerWords = (request: PlannedRequest): readonly Word[] => {
  const { headers = {}, body } = request
  const own = Object.entries(headers).flatMap(([name, value]) =>
    // curl drops a header that ends in a colon, but sends it empty if it ends in a semicolon.
    option('-H', word(value === '' ? `${name};` : `${name}: ${value}`)),
  )
  return body === undefined || mediaTypeOf(request) !== undefined
    ? own
    : [...own, ...option('-H', word('content-type: application/json'))]
}

const authWords = (auth: Auth | undefined): readonly Word[] => {
  if (auth === undefined) return []
  switch (auth.kind) {
    case 'basic':
      return option('--user', [partOf(auth.user), { text: ':' }, partOf(auth.password)])
    case 'query':
      return querySecret(auth.name, partOf(auth.secret))
    case 'header':
      return headerSecret(auth.name, auth.template.split('{secret}'), partOf(auth.secret))
    case 'sigv4':
      return awsWords(auth)
    default: {
      const { basic, always, also = [] } = auth.kind === 'login' ? auth : {}
      return [
        ...present(always && basic).flatMap((pair) => authWords({ kind: 'basic', ...pair })),
        ...tokenWords(auth, auth.send, 'token'),
        ...also.flatMap(({ send }) => tokenWords(auth, send, `token_${send.name.replace(/\W/g, '_')}`)),
      ]
    }
  }
}

const tokenWords = (auth: TokenAuth, { in: where, name, template }: TokenUse, variable: string): readonly Word[] => {
  const token = ask(variable, asked.token(tokenSource(auth)))
  const around = template.split('{token}')
  if (where === 'query') return querySecret(name, token)
  return where === 'header'
    ? headerSecret(name, around, token)
    : headerSecret('cookie', around.with(0, `${name}=${around[0]}`), token)
}

const tokenSource = (auth: TokenAuth): string =>
  auth.kind === 'oauth2' ? `POST ${auth.tokenUrl}` : `${auth.method} ${auth.url}`

const partOf = (value: string | SecretMark): WordPart =>
  typeof value === 'string' ? { text: value } : secretPart(value.$secret)

/** Needs curl 7.87, which encodes the text after the equals sign. */
const querySecret = (name: string, secret: WordPart): readonly Word[] =>
  option('--url-query', [{ text: `${encodeURIComponent(name)}=` }, secret])

const headerSecret = (name: string, around: readonly string[], secret: WordPart): readonly Word[] => {
  const parts = around.flatMap((text, n): WordPart[] => (n === 0 ? [{ text }] : [secret, { text }]))
  return option('-H', [{ text: `${name}: ` }, ...parts])
}

/** Needs curl 7.75. */
const awsWords = (auth: Extract<Auth, { kind: 'sigv4' }>): readonly Word[] => [
  ...option('--aws-sigv4', word(`aws:amz:${auth.region}:${auth.service}`)),
  ...option('--user', [partOf(auth.accessKeyId), { text: ':' }, partOf(auth.secretAccessKey)]),
  ...present(auth.sessionToken).flatMap((token) => option('-H', [{ text: 'x-amz-security-token: ' }, partOf(token)])),
]

const bodyWords = (request: PlannedRequest): readonly Word[] => {
  const { body } = request
  if (body === undefined) return []
  const type = mediaTypeOf(request)
  if (type === undefined || /json/i.test(type)) return option('--data-raw', jsonWord(body))
  if (typeof body === 'string') return option('--data-raw', textWord(body))
  const fields = formFields(request)
  if (fields === undefined) return option('--data-raw', jsonWord(body))
  return fields.flatMap(([name, value]) =>
    option('--data-urlencode', [{ text: `${encodeURIComponent(name)}=` }, ...(value === null ? [] : textWord(value))]),
  )
}

const urlWord = (url: Url): Word =>
  urlParts(url).map((part) => (typeof part === 'string' ? { text: part } : afterPart(part.$after, part.pointer)))
