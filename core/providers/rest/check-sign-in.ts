import type { Auth } from '../../schema/command.ts'
import type { Problem } from '../provider.ts'
import { problem } from './check-operation.ts'
import type { Wrong } from './configure-auth.ts'
import type { RestDocument } from './document.ts'
import { partsOf } from './template.ts'

/*
 * A sign-in is sent in a check too, and nobody approves it. So it goes nowhere where the document says that objects are: a
 * POST there would make one.
 */

/** Where the tokens of a way to sign in come from. */
export const signInUrl = (auth: Auth | undefined): string | undefined => {
  if (auth?.kind === 'login') return auth.url
  return auth?.kind === 'oauth2' ? auth.tokenUrl : undefined
}

/** Why nobody signs in at an address; `undefined` where somebody may. The host does not count: it has many names. */
export const refuseSignIn = (document: RestDocument, url: string, baseUrl: string): Wrong | undefined => {
  const target = segmentsOf(pathOf(url))
  const bases = new Set([pathOf(baseUrl), '', '/'])
  const found = pathsOf(document).find((path) =>
    [...bases].some((base) => isSamePath(target, segmentsOf(withWildcards(`${base}${path}`)))),
  )
  if (found === undefined) return undefined
  return {
    message: `the address to sign in at, ${url}, is that of an operation: ${found}`,
    fix: 'sign in at a path that no operation has; what is read or written belongs into operations',
  }
}

/** What can be told without a workspace: an address in which nothing is to be filled in. */
export const checkSignIn = (document: RestDocument): readonly Problem[] => {
  const { auth } = document.provider
  const [key, url] =
    auth === undefined
      ? []
      : 'login' in auth
        ? ['login', auth.login.url]
        : 'oauth2' in auth
          ? ['oauth2', auth.oauth2.tokenUrl]
          : []
  if (key === undefined || url === undefined || partsOf(url).some((part) => 'variable' in part)) return []
  const refused = refuseSignIn(document, url, '')
  return refused === undefined ? [] : [problem(['provider', 'auth', key], refused.message, refused.fix)]
}

const pathsOf = ({ resources, resolvers = {} }: RestDocument): readonly string[] => [
  ...Object.values(resources).flatMap(({ operations }) => Object.values(operations).map(({ path }) => path)),
  ...Object.values(resolvers).flatMap(({ list, retrieve }) =>
    [list, retrieve].flatMap((operation) => (operation === undefined ? [] : [operation.path])),
  ),
]

/** Stands for what a variable may be. No path holds it. */
const wildcard = '\0'

const withWildcards = (template: string): string =>
  partsOf(template)
    .map((part) => ('text' in part ? part.text : wildcard))
    .join('')

const pathOf = (url: string): string => url.replace(/^[a-z][\w+.-]*:\/\/[^/?#]*/i, '').split(/[?#]/)[0] ?? ''

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
