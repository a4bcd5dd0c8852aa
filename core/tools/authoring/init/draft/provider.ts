import { baseUrlFault } from '../../../../engine/schema/base-url.ts'
import { defined, present } from '../../../../engine/values/defined.ts'
import type { Description, SecurityScheme } from '../../description/description.ts'
import type { Pages } from '../find/pages.ts'
import { inputs, questions } from '../words.ts'
import { type Entry, entry, map, openMap } from './yaml.ts'

export interface ProviderFacts {
  readonly id: string
  /** The pagination of most lists. */
  readonly pages: Pages
  readonly openapi?: string
}

export const draftProvider = (description: Description, { id, pages, openapi }: ProviderFacts): Entry => {
  const { auth, inputs: secrets, comments } = signingOf(description.security)
  return {
    key: 'provider',
    node: openMap(
      entry('id', id),
      description.title !== '' && entry('description', description.title),
      entry('openapi', openapi),
      { key: 'with', node: openMap(baseEntry(description), ...secrets) },
      entry('baseUrl', '{with.baseUrl}', auth === undefined ? comments : []),
      auth && { key: 'auth', node: map(auth), comments },
      entry('pagination', pages.pagination, pages.comments),
      entry('reads', { absent: [404] }),
    ),
  }
}

const baseEntry = ({ servers }: Description): Entry => {
  const usable = servers.find(isBase)
  const path = usable === undefined ? servers.find((server) => server.startsWith('/')) : undefined
  return { key: 'baseUrl', node: map(entry('description', inputs.baseUrl(path)), entry('default', usable)) }
}

const inputEntry = (key: string, description: string, isSecret: boolean): Entry => ({
  key,
  node: map(entry('description', description), isSecret && entry('secret', true)),
})

const isBase = (server: string): boolean => !server.includes('{') && baseUrlFault(server) === undefined

interface DraftSigning {
  readonly inputs: readonly Entry[]
  readonly auth?: Entry | undefined
  readonly comments: readonly string[]
}

const usableKinds: ReadonlySet<string> = new Set(['header', 'bearer', 'basic', 'query', 'oauth2'])

const nameOf = (scheme: SecurityScheme): string =>
  'parameter' in scheme ? `${scheme.kind} ${scheme.parameter}` : scheme.kind

/** Takes the first scheme that a document can use; the others become a comment. */
const signingOf = (schemes: readonly SecurityScheme[]): DraftSigning => {
  const [chosen, ...more] = schemes.filter(({ kind }) => usableKinds.has(kind))
  if (chosen === undefined)
    return { inputs: [], comments: [schemes.length === 0 ? questions.noSigning : questions.otherSigning] }
  const others = [...new Set(more.map(nameOf))].filter((name) => name !== nameOf(chosen))
  const { comments, ...signing } = signingWith(chosen)
  return { ...signing, comments: present(others.length > 0 && questions.moreSigning(others), ...comments) }
}

const signingWith = (scheme: SecurityScheme): DraftSigning => {
  if (scheme.kind === 'basic')
    return {
      inputs: [inputEntry('user', inputs.user, false), inputEntry('password', inputs.password, true)],
      auth: entry('basic', { user: '{with.user}', password: '{with.password}' }),
      comments: [],
    }
  if (scheme.kind === 'header' || scheme.kind === 'query') {
    const { kind, parameter } = scheme
    const isToken = kind === 'header' && parameter.toLowerCase() === 'authorization'
    const template = isToken ? 'Bearer {secret}' : undefined
    return {
      inputs: [inputEntry('token', inputs.parameter(kind, parameter), true)],
      auth: entry(kind, { name: parameter, ...defined({ template }), secret: '{with.token}' }),
      comments: isToken ? [questions.tokenForm] : [],
    }
  }
  return {
    inputs: [inputEntry('token', inputs.token, true)],
    auth: entry('bearer', { secret: '{with.token}' }),
    comments: scheme.kind === 'oauth2' ? [questions.oauth] : [],
  }
}
