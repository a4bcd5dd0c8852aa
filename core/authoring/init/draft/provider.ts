import type { Json } from '../../../schema/json.ts'
import { defined } from '../../../values/defined.ts'
import type { Description, SecurityScheme } from '../../description/description.ts'
import { entry } from './attribute.ts'
import { type Entry, map, openMap } from './yaml.ts'

export interface ProviderFacts {
  readonly id: string
  readonly pagination: Json
  readonly pageComments: readonly string[]
  /** Where the description is, as `check` finds it again. */
  readonly openapi?: string
}

/** `provider`: where the API is and how requests are signed. */
export const draftProvider = (description: Description, facts: ProviderFacts): Entry => {
  const signing = signingOf(description.security)
  return {
    key: 'provider',
    node: openMap([
      entry('id', facts.id),
      ...(description.title === '' ? [] : [entry('description', description.title)]),
      ...(facts.openapi === undefined ? [] : [entry('openapi', facts.openapi)]),
      { key: 'with', node: openMap([baseEntry(description), ...signing.given]) },
      { ...entry('baseUrl', '{with.baseUrl}'), comments: signing.comments ?? [] },
      ...signing.auth,
      { key: 'pagination', node: { kind: 'value', value: facts.pagination }, comments: facts.pageComments },
      entry('reads', { absent: [404] }),
    ]),
  }
}

const baseEntry = ({ servers }: Description): Entry => {
  const usable = servers.find((server) => isBase(server))
  const path = servers.find((server) => server.startsWith('/'))
  const text = `Address of the API${path === undefined || usable !== undefined ? '' : `, with ${path} at its end`}.`
  return {
    key: 'baseUrl',
    node: map([entry('description', text), ...(usable === undefined ? [] : [entry('default', usable)])]),
  }
}

/** What a workspace may give as a base URL. */
const isBase = (server: string): boolean => {
  const url = URL.parse(server)
  return (
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.search === '' &&
    url.hash === '' &&
    url.username === '' &&
    !server.includes('{')
  )
}

interface Signing {
  readonly given: readonly Entry[]
  readonly auth: readonly Entry[]
  /** Where nothing else can carry them. */
  readonly comments?: readonly string[]
}

const secret = (name: string, description: string): Entry => ({
  key: name,
  node: map([entry('description', description), entry('secret', true)]),
})

const kinds = ['header', 'bearer', 'basic', 'query', 'oauth2'] as const

/** The first way that a document can say; the others stay a comment. */
const signingOf = (schemes: readonly SecurityScheme[]): Signing => {
  const usable = schemes.filter(({ kind }) => (kinds as readonly string[]).includes(kind))
  const [chosen] = usable
  if (chosen === undefined) {
    const comments =
      schemes.length === 0
        ? ['decide: the description names no way to sign in']
        : ['decide: no way to sign in of the description can be said here']
    return { given: [], auth: [], comments }
  }
  const others = [...new Set(usable.slice(1).map(wordsFor))].filter((words) => words !== wordsFor(chosen))
  const comments = others.length === 0 ? [] : [`decide: there is also ${others.join(', ')}`]
  return signingWith(chosen, comments)
}

const wordsFor = (scheme: SecurityScheme): string =>
  'parameter' in scheme ? `${scheme.kind} ${scheme.parameter}` : scheme.kind

const signingWith = (scheme: SecurityScheme, comments: readonly string[]): Signing => {
  if (scheme.kind === 'basic') {
    return {
      given: [
        { key: 'user', node: map([entry('description', 'Who signs in.')]) },
        secret('password', 'The password of that user.'),
      ],
      auth: [
        { key: 'auth', node: map([entry('basic', { user: '{with.user}', password: '{with.password}' })]), comments },
      ],
    }
  }
  if (scheme.kind === 'header' || scheme.kind === 'query') {
    const name = scheme.parameter
    const isToken = scheme.kind === 'header' && name.toLowerCase() === 'authorization'
    const how = { name, ...defined({ template: isToken ? 'Bearer {secret}' : undefined }), secret: '{with.token}' }
    return {
      given: [secret('token', `What goes into the ${scheme.kind} ${name}.`)],
      auth: [
        {
          key: 'auth',
          node: map([entry(scheme.kind, how)]),
          comments: [
            ...comments,
            ...(isToken ? ['decide: how the token is introduced: "Bearer", "token", nothing'] : []),
          ],
        },
      ],
    }
  }
  const isOauth = scheme.kind === 'oauth2'
  return {
    given: [secret('token', 'A token.')],
    auth: [
      {
        key: 'auth',
        node: map([entry('bearer', { secret: '{with.token}' })]),
        comments: [
          ...comments,
          ...(isOauth ? ['decide: a token that somebody made, or `oauth2` with client credentials'] : []),
        ],
      },
    ],
  }
}
