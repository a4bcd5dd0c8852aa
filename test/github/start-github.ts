import type { Json } from '../../core/schema/json.ts'
import { startServer } from '../builders/servers/loopback.ts'
import { type Answer, type Findings, newAnswers } from './server/answer.ts'
import { type Clock, standingClock } from './server/clock.ts'
import { type Actor, newTokens, type TokenOptions, tokenIn } from './server/tokens.ts'
import { addOrganization } from './state/organization.ts'
import { addAccount, keyOf, newWorld } from './state/world.ts'

export interface GitHubOptions {
  /** An organisation that is there from the start. */
  readonly organization?: string
  /** Its owner; tokens are his unless they say otherwise. */
  readonly owner?: string
  /** Further people; they are members of the organisation. */
  readonly members?: readonly string[]
  /** People who have an account and are no members. */
  readonly people?: readonly string[]
  /** A test moves it; without one it stands still at the start of 2030. */
  readonly clock?: Clock
  /** Check each answer against the description. Off only where speed is measured. */
  readonly checkAnswers?: boolean
  readonly port?: number
  /** Called with each request and its answer's status. */
  readonly answered?: (request: SeenRequest) => void
}

interface SeenRequest {
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly status: number
  /** Whether it counts against the rate limit: a 304 does not. */
  readonly counted: boolean
  readonly login: string
}

const json = 'application/json; charset=utf-8'
const badCredentials: Answer = {
  status: 401,
  headers: {},
  body: { message: 'Bad credentials', documentation_url: 'https://docs.github.com/rest', status: '401' },
}

/** GitHub on a loopback port, with state. See README.md. */
export const startGitHub = async ({
  organization = 'acme',
  owner = 'octo-owner',
  members = [],
  people = [],
  clock = standingClock(),
  checkAnswers = true,
  port = 0,
  answered,
}: GitHubOptions = {}) => {
  const world = newWorld(clock)
  const findings: Findings = { violations: [], ignored: [], performed: new Set(), faults: [] }
  const requests: SeenRequest[] = []
  const behaviour = { checkAnswers }
  const tokens = newTokens(() => owner)
  const answerTo = newAnswers(world, findings, () => behaviour.checkAnswers)

  const first = addOrganization(world, organization)
  for (const login of people) addAccount(world, login)
  for (const login of [owner, ...members])
    first.members.set(keyOf(addAccount(world, login).login), login === owner ? 'admin' : 'member')

  const actorOf = (authorization: string | undefined): Actor | undefined => {
    const token = tokenIn(authorization)
    return token === undefined ? { login: '', kind: 'none' } : tokens.known.get(token)
  }

  const server = await startServer(
    ({ method, url, headers, body: text }, response) => {
      const actor = actorOf(headers.authorization)
      const answer = actor === undefined ? badCredentials : answerTo({ method, url, headers, text }, actor)
      const { status, body, headers: own } = answer
      const seen = { method, path: url, status, counted: status !== 304, login: actor?.login ?? '' }
      requests.push(seen)
      answered?.(seen)
      response.writeHead(status, { ...(body === undefined ? {} : { 'content-type': json }), ...own })
      response.end(body === undefined || method === 'HEAD' ? undefined : JSON.stringify(body))
    },
    { port, host: '127.0.0.1' },
  )
  world.url = server.url

  const close = async (): Promise<void> => {
    await server[Symbol.asyncDispose]()
    const [fault] = findings.faults
    if (fault !== undefined)
      throw new Error(`the stand-in is wrong in ${fault.operation}: ${fault.problems.join('; ')}`)
  }

  /** A change from outside, by somebody else: the same operations, without the socket, and not among `requests`. */
  const as = (login: string) => ({
    request: (method: string, path: string, body?: Json): Answer => {
      addAccount(world, login)
      const text = body === undefined ? '' : JSON.stringify(body)
      const answer = answerTo({ method, url: path, headers: {}, text }, { login, kind: 'classic' })
      if (answer.status >= 400) throw new Error(`${method} ${path} ${answer.status} ${JSON.stringify(answer.body)}`)
      return answer
    },
  })

  return {
    url: server.url,
    world,
    clock,
    behaviour,
    requests,
    ...findings,
    as,
    /** A token of the owner, or of somebody else, with all permissions or with those given. */
    token: (options?: TokenOptions): string => tokens.issue(options),
    forget: (): void => void requests.splice(0),
    close,
    [Symbol.asyncDispose]: close,
  }
}
