import type { Problem } from '../../../schema/issue.ts'
import type { RestDocument } from '../document/document.ts'
import { partsOf } from '../document/template.ts'
import { type Findings, problem } from './problem.ts'
import { callsOf, isCallOfItsOwn, type SignIn } from './sign-in-call.ts'

/*
 * A sign-in is sent in a check too, and without approval. So it must not go to an address of objects: a
 * POST there would make one. Only where the calls themselves say what each of them does, may it be one more.
 */

/** As it stands in the document, with variables. */
const writtenSignIn = ({ provider: { auth } }: RestDocument): SignIn | undefined => {
  if (auth === undefined) return undefined
  if ('oauth2' in auth) return { key: 'oauth2', url: auth.oauth2.tokenUrl, sent: [] }
  return 'login' in auth
    ? { key: 'login', url: auth.login.url, sent: [auth.login.body ?? null, auth.login.headers ?? null] }
    : undefined
}

/** Why an address is none to sign in at; `undefined` for one that is. The host does not count: it has many names. */
export const refuseSignIn = (document: RestDocument, signIn: SignIn, baseUrl: string): Problem | undefined => {
  const target = segmentsOf(urlPath(signIn.url))
  const bases = [...new Set([urlPath(baseUrl), '', '/'])]
  const calls = callsOf(document).filter(({ operation: { path } }) =>
    bases.some((base) => isSamePath(target, segmentsOf(withWildcards(`${base}${path}`)))),
  )
  const [found] = calls
  const { auth } = document.provider
  if (found === undefined) return undefined
  if (auth !== undefined && 'login' in auth && isCallOfItsOwn(calls, auth.login, signIn)) return undefined
  return problem(['provider', 'auth', signIn.key], 'signInAtOperation', signIn.url, found.operation.path)
}

/** Without a workspace only an address without variables can be checked. */
export const checkSignIn = (document: RestDocument): Findings => {
  const signIn = writtenSignIn(document)
  if (signIn === undefined || partsOf(signIn.url).some((part) => 'variable' in part)) return []
  return refuseSignIn(document, signIn, '')
}

/** Stands for what a variable may be. No path holds it. */
const wildcard = '\0'

const withWildcards = (template: string): string =>
  partsOf(template)
    .map((part) => ('text' in part ? part.text : wildcard))
    .join('')

const urlPath = (url: string): string => url.replace(/^[a-z][\w+.-]*:\/\/[^/?#]*/i, '').split(/[?#]/)[0] ?? ''

/** As a server may take it that reads generously: encodings undone, dots and empty segments gone, in lower case. */
const segmentsOf = (path: string): readonly string[] => {
  let decoded = path
  for (let n = 0; n < 8; n += 1)
    decoded = decoded.replaceAll(/%[0-9a-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)))
  const segments: string[] = []
  for (const each of decoded.toLowerCase().split(/[/\\]/)) {
    const [name = ''] = each.split(';')
    const plain = name.trim()
    if (plain === '..') segments.pop()
    else if (plain !== '' && plain !== '.') segments.push(plain)
  }
  const last = segments.pop()
  return last === undefined ? segments : [...segments, last.replace(/\.(json|xml|ya?ml)$/, '')]
}

const isSamePath = (target: readonly string[], template: readonly string[]): boolean =>
  target.length === template.length && template.every((segment, n) => fits(target[n] ?? '', segment))

const fits = (text: string, segment: string): boolean => {
  const [first = '', ...rest] = segment.split(wildcard)
  if (rest.length === 0) return text === segment
  if (!text.startsWith(first)) return false
  const last = rest.pop() ?? ''
  let at = first.length
  for (const part of rest) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return text.length - last.length >= at && text.endsWith(last)
}
