import type { ServerResponse } from 'node:http'
import type { Json, JsonObject } from '../../core/engine/schema/json.ts'
import { type Heard, startServer } from '../builders/servers/loopback.ts'
import { type Answer, type Asked, type Findings, isGraphql, newAnswers } from './server/answer.ts'
import { type Clock, standingClock } from './server/clock.ts'
import { type Fault, newFaults } from './server/faults.ts'
import { keyPair } from './server/key-pairs.ts'
import { githubLimits, type LimitOptions, limitKey, newLimits, noLimits } from './server/limits.ts'
import type { OrganizationPlan } from './server/plans.ts'
import { Refusal } from './server/refusal.ts'
import { type Actor, appOfJwt, isJwt, newTokens, type TokenOptions, tokenIn } from './server/tokens.ts'
import { addOrganization } from './state/organization.ts'
import type { VaultKind } from './state/parts.ts'
import { repositoryByName } from './state/repository.ts'
import { vaultAt } from './state/vault.ts'
import { addAccount, keyOf, newWorld } from './state/world.ts'

export interface GitHubOptions {
  /** An organisation that is there from the start. */
  readonly organization?: string
  /** Its owner; tokens are his unless they say otherwise. */
  readonly owner?: string
  /** Further people; they are members of the organisation. */
  readonly members?: readonly string[]
  /** What the organisation pays for: `enterprise` without it. */
  readonly plan?: OrganizationPlan
  /** People who have an account and are no members. */
  readonly people?: readonly string[]
  /** A test moves it; without one it stands still at the start of 2030. */
  readonly clock?: Clock
  /** `github`: those of github.com. Without it there is none that a test would reach. */
  readonly limits?: 'github' | Partial<LimitOptions>
  /** Milliseconds that each answer takes. */
  readonly latency?: number
  /** Check each answer against the description. Off only where speed is measured. */
  readonly checkAnswers?: boolean
  readonly port?: number
  /** Called with each request and its answer's status. */
  readonly answered?: (request: SeenRequest) => void
}

export interface AppOptions {
  readonly slug?: string
  readonly permissions?: Readonly<Record<string, string>>
  /** Names in the organisation; without them the app sees all repositories. */
  readonly repositories?: readonly string[]
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
const nobody: Actor = { login: 'nobody', kind: 'none' }
const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Of the limit of a minute: a read is one, a write five; a query of GraphQL is sent by POST and is a read. */
const pointsOf = ({ method, url, text }: Asked): number => {
  const isRead = isGraphql(url) ? !/\bmutation\b/.test(text) : method === 'GET' || method === 'HEAD'
  return isRead ? 1 : 5
}

const limitsFrom = (limits: GitHubOptions['limits']): LimitOptions =>
  limits === 'github' ? githubLimits : { ...noLimits, ...limits }

const answerOf = (error: unknown): Answer => {
  if (!(error instanceof Refusal)) throw error
  return { status: error.status, headers: error.headers, body: error.body }
}

/** GitHub on a loopback port, with state. See README.md. */
export const startGitHub = async (options: GitHubOptions = {}) => {
  const { organization = 'acme', owner = 'octo-owner', members = [], people = [], clock = standingClock() } = options
  const world = newWorld(clock)
  const findings: Findings = { violations: [], ignored: [], performed: new Set(), mistakes: [] }
  const requests: SeenRequest[] = []
  const behaviour = { checkAnswers: options.checkAnswers ?? true, latency: options.latency ?? 0 }
  const tokens = newTokens(owner)
  const limits = newLimits(clock, limitsFrom(options.limits))
  const faults = newFaults()
  const answerTo = newAnswers({ world, findings, tokens, limits, isChecked: () => behaviour.checkAnswers })

  const first = addOrganization(world, organization)
  const plan = options.plan ?? 'enterprise'
  Object.assign(first.settings, { plan: { ...(first.settings['plan'] as JsonObject), name: plan } })
  for (const login of people) addAccount(world, login)
  for (const login of [owner, ...members])
    first.members.set(keyOf(addAccount(world, login).login), login === owner ? 'admin' : 'member')

  const actorOf = (authorization: string | undefined): Actor => {
    const token = tokenIn(authorization)
    if (token === undefined) return nobody
    const known = isJwt(token) ? appOfJwt(token, world.apps, clock.now()) : tokens.known.get(token)
    if (known === undefined || (known.expires ?? Number.POSITIVE_INFINITY) <= clock.now())
      throw new Refusal(401, { message: 'Bad credentials' })
    return known
  }

  /** An answer that cost nothing: not modified, or about the limit itself. */
  const isCounted = ({ url }: Asked, { status }: Answer): boolean => status !== 304 && !url.startsWith('/rate_limit')

  const performed = async (asked: Asked, own: readonly Fault[]): Promise<Answer & { readonly login: string }> => {
    let actor = nobody
    try {
      actor = actorOf(asked.headers['authorization'] as string | undefined)
      const resource = isGraphql(asked.url) ? 'graphql' : 'core'
      if (!asked.url.startsWith('/rate_limit')) limits.admit(limitKey(actor), resource, pointsOf(asked))
      for (const fault of own) if (fault.kind === 'hold') await fault.until
      if (behaviour.latency > 0) await wait(behaviour.latency)
      const status = own.find((fault) => fault.kind === 'status')
      if (status?.kind === 'status') {
        const { body = '{"message":"Server Error"}' } = status
        return { status: status.status, headers: { ...status.headers }, text: body, login: actor.login }
      }
      const answer = answerTo(asked, actor, own)
      if (isCounted(asked, answer)) limits.count(limitKey(actor), resource, answer.cost)
      const scopes =
        actor.kind === 'classic' ? { 'x-oauth-scopes': (actor.scopes ?? ['repo', 'admin:org']).join(', ') } : {}
      return {
        ...answer,
        headers: { ...limits.headers(limitKey(actor), resource), ...scopes, ...answer.headers },
        login: actor.login,
      }
    } catch (error) {
      const answer = answerOf(error)
      return {
        ...answer,
        headers: { ...limits.headers(limitKey(actor), 'core'), ...answer.headers },
        login: actor.login,
      }
    }
  }

  const send = (method: string, answer: Answer, own: readonly Fault[], response: ServerResponse): void => {
    const { status, body, headers } = answer
    const text = answer.text ?? (body === undefined ? undefined : JSON.stringify(body))
    // Limits are told by this clock, so that its time must be in the answer.
    const date = new Date(clock.now()).toUTCString()
    response.writeHead(status, { date, ...(text === undefined ? {} : { 'content-type': json }), ...headers })
    const isBroken = text !== undefined && own.some(({ kind }) => kind === 'broken-json')
    response.end(method === 'HEAD' ? undefined : isBroken ? text.slice(0, Math.max(1, text.length - 2)) : text)
  }

  const serve = async ({ method, url, headers, body: text }: Heard, response: ServerResponse): Promise<void> => {
    const own = faults.of({ method, path: url })
    const has = (kind: Fault['kind']): boolean => own.some((fault) => fault.kind === kind)
    const note = (status: number, login: string): void => {
      const seen = {
        method,
        path: url,
        status,
        counted: isCounted({ method, url, headers, text }, { status, headers: {} }),
        login,
      }
      requests.push(seen)
      options.answered?.(seen)
    }
    if (has('drop')) {
      note(0, '')
      return void response.destroy()
    }
    limits.enter()
    const { login, ...answer } = await performed({ method, url, headers, text }, own)
    limits.leave()
    note(answer.status, login)
    if (has('drop-after')) return void response.destroy()
    send(method, answer, own, response)
  }

  const server = await startServer(serve, { port: options.port ?? 0, host: '127.0.0.1' })
  world.url = server.url

  const close = async (): Promise<void> => {
    await server[Symbol.asyncDispose]()
    const [mistake] = findings.mistakes
    if (mistake !== undefined)
      throw new Error(`the stand-in is wrong in ${mistake.operation}: ${mistake.problems.join('; ')}`)
  }

  /** A change from outside, by somebody else: the same operations, without the socket, and not among `requests`. */
  const as = (login: string) => ({
    request: (method: string, path: string, body?: Json): Answer => {
      addAccount(world, login)
      const text = body === undefined ? '' : JSON.stringify(body)
      const answer = answerTo({ method, url: path, headers: {}, text }, { login, kind: 'outside' })
      if (answer.status >= 400) throw new Error(`${method} ${path} ${answer.status} ${JSON.stringify(answer.body)}`)
      return answer
    },
  })

  /** A GitHub App, installed in the organisation. The key is in PEM, as GitHub gives it to download. */
  const app = ({ slug = 'plumbline', permissions = {}, repositories }: AppOptions = {}) => {
    const { publicKey, privateKey } = keyPair(world.apps.size)
    const at = world.now()
    const id = world.newId()
    const granted = { metadata: 'read', ...permissions }
    addAccount(world, `${slug}[bot]`, 'Bot')
    world.apps.set(id, { id, slug, name: slug, owner: organization, publicKey, permissions: granted, created_at: at })
    const seen = repositories?.map((name) => repositoryByName(world, `${organization}/${name}`)?.id ?? 0)
    const installation = world.newId()
    world.installations.set(installation, {
      id: installation,
      app: id,
      account: organization,
      permissions: granted,
      ...(seen && { repositories: new Set(seen) }),
      suspended_at: null,
      created_at: at,
    })
    return { id, installation, privateKey }
  }

  return {
    url: server.url,
    world,
    clock,
    behaviour,
    requests,
    ...findings,
    limits,
    faults,
    as,
    app,
    /** A token of the owner, or of somebody else, with all permissions or with those given. */
    token: (own?: TokenOptions): string => tokens.issue(own),
    /** The value of a secret in clear; `place` is `acme`, `acme/web` or `acme/web/production`. */
    secret: (place: string, name: string, kind: VaultKind = 'actions'): string | undefined =>
      vaultAt(world, place, kind)?.secrets.get(name.toUpperCase())?.value,
    /** A secret of an organisation, as somebody else sets it; for one of selected repositories none is selected. */
    setSecret: (
      place: string,
      { name, visibility, value }: { name: string; visibility: string; value: string },
    ): void => {
      const now = world.now()
      const set = { name, value, visibility, repositories: new Set<number>(), created_at: now, updated_at: now }
      vaultAt(world, place, 'actions')?.secrets.set(name.toUpperCase(), set)
    },
    forget: (): void => void requests.splice(0),
    close,
    [Symbol.asyncDispose]: close,
  }
}
