import { createHash } from 'node:crypto'
import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'
import { isObject } from '../../../core/engine/schema/json.ts'
import { type Routed, routeOf } from '../description/routes.ts'
import { checkAnswer, checkBody, checkParameters } from '../description/validate.ts'
import { answerGraphql } from '../graphql/answer.ts'
import { handlers } from '../shelves/index.ts'
import type { World } from '../state/shapes.ts'
import { keyOf } from '../state/world.ts'
import { writeAudit } from './audit.ts'
import type { Call } from './call.ts'
import { describedPart, isExcepted } from './exceptions.ts'
import { disturbed, type Fault } from './faults.ts'
import { type Limits, limitKey, type Resource } from './limits.ts'
import { pageOf } from './paging.ts'
import { checkPermission } from './permissions.ts'
import { checkPlan, planOf } from './plans.ts'
import { notFound, Refusal, refuse } from './refusal.ts'
import type { Actor, Tokens } from './tokens.ts'

/** What came in, before anybody knows what it means. */
export interface Asked {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly text: string
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Json
  /** Points of a query. */
  readonly cost?: number
  /** Instead of a body: what a fault says. */
  readonly text?: string
}

/** `/graphql`; on a server of one's own `/api/graphql`. */
export const isGraphql = (path: string): boolean => /^(\/api)?\/graphql$/.test(path)

export interface Violation {
  readonly operation: string
  readonly method: string
  readonly path: string
  readonly problems: readonly string[]
}

export interface Findings {
  /** Requests that the description does not allow. */
  readonly violations: Violation[]
  /** Members of bodies and queries that the description does not know; GitHub ignores them in silence. */
  readonly ignored: Violation[]
  /** Operations that had success. */
  readonly performed: Set<string>
  /** What is wrong with the stand-in itself. */
  readonly mistakes: Violation[]
}

export interface AnswerDeps {
  readonly world: World
  readonly findings: Findings
  readonly tokens: Tokens
  readonly limits: Limits
  readonly isChecked: () => boolean
}

/** A path of a repository that is called otherwise now, and of `/repositories/{id}`, to which GitHub redirects. */
const placed = (world: World, url: URL): string | { readonly location: string } => {
  const [, first, ...rest] = url.pathname.split('/')
  if (first === 'repositories' && /^\d+$/.test(rest[0] ?? '')) {
    const repository = world.repositories.get(Number(rest[0])) ?? notFound()
    return ['', 'repos', repository.owner, repository.name, ...rest.slice(1)].join('/')
  }
  const [owner, name, ...below] = rest
  if (first !== 'repos' || owner === undefined || name === undefined) return url.pathname
  const moved = world.movedRepositories.get(keyOf(decodeURIComponent(owner), decodeURIComponent(name)))
  if (moved === undefined) return url.pathname
  return { location: `${['', 'repositories', moved, ...below].join('/')}${url.search}` }
}

const parsed = (text: string): Json | undefined => {
  if (text === '') return undefined
  try {
    return JSON.parse(text) as Json
  } catch {
    return refuse(400, 'Problems parsing JSON')
  }
}

const whileArchived = new Set([
  'repos/delete',
  'repos/transfer',
  'repos/create-fork',
  'teams/add-or-update-repo-permissions-in-org',
  'teams/remove-repo-in-org',
])

const moved = (location: string, method: string): Answer => ({
  // A write keeps its method and its body only with 307.
  status: method === 'GET' || method === 'HEAD' ? 301 : 307,
  headers: { location },
  body: {
    message: 'Moved Permanently',
    url: location,
    documentation_url: 'https://docs.github.com/rest/guides/best-practices-for-using-the-rest-api#follow-redirects',
  },
})

const etagOf = (body: Json): string => `W/"${createHash('sha256').update(JSON.stringify(body)).digest('hex')}"`

/** What belongs to an archived repository cannot be changed; it can be made live again, deleted or moved. */
const checkArchived = ({ world: { repositories, repositoryIds }, params, body, operation }: Call): void => {
  const repository = repositories.get(repositoryIds.get(keyOf(params['owner'] ?? '', params['repo'] ?? '')) ?? 0)
  if (repository?.settings['archived'] !== true || whileArchived.has(operation)) return
  if (operation === 'repos/update' && body['archived'] === false) return
  refuse(403, 'Repository was archived so is read-only.')
}

const conditional = (answer: Answer, { method, headers }: Asked): Answer => {
  if (method !== 'GET' || answer.status !== 200 || answer.body === undefined) return answer
  const etag = etagOf(answer.body)
  const withEtag = { ...answer.headers, etag }
  return headers['if-none-match'] === etag ? { status: 304, headers: withEtag } : { ...answer, headers: withEtag }
}

/** The way of a request: its route, who may, what the description says, the handler, the page, the audit log. */
export const newAnswers = ({ world, findings, tokens, limits, isChecked }: AnswerDeps) => {
  const report = (into: Violation[], { route }: Routed, { method, url }: Asked, problems: readonly string[]): void => {
    if (problems.length > 0) into.push({ operation: route.operation.operationId, method, path: url, problems })
  }

  const callOf = (routed: Routed, asked: Asked, url: URL, actor: Actor): Call => {
    const { route, params } = routed
    const { query, problems, ignored } = checkParameters(route, params, url.searchParams)
    const body = parsed(asked.text)
    const inBody = checkBody(route, describedPart(route.operation.operationId, body))
    const found = [...problems, ...inBody.problems]
    report(findings.ignored, routed, asked, [...ignored, ...inBody.ignored])
    // GitHub takes a body of any type; its description knows JSON only.
    const isTyped = actor.kind === 'outside' || asked.text === '' || /json/.test(String(asked.headers['content-type']))
    report(findings.violations, routed, asked, isTyped ? found : [...found, 'the content type is not application/json'])
    if (found.length > 0) refuse(422, `Invalid request.\n\n${found.join('\n')}`)
    const accept = String(asked.headers['accept'] ?? '')
    const limit = (resource?: Resource): JsonObject => limits.state(limitKey(actor), resource)
    const known = isObject(body) ? body : {}
    return { world, operation: route.operation.operationId, params, query, body: known, actor, accept, tokens, limit }
  }

  const checked = (routed: Routed, asked: Asked, status: number, body: Json | undefined): void => {
    if (!isChecked()) return
    const { operationId } = routed.route.operation
    const problems = checkAnswer(routed.route, status, body).filter((problem) => !isExcepted(operationId, problem))
    report(findings.mistakes, routed, asked, problems)
    if (problems.length > 0) refuse(500, `the stand-in answered what ${operationId} forbids: ${problems.join('; ')}`)
  }

  const performed = (routed: Routed, asked: Asked, url: URL, actor: Actor, faults: readonly Fault[]): Answer => {
    const { route } = routed
    const { operationId } = route.operation
    const handler = handlers[operationId] ?? refuse(501, `the stand-in does not perform ${operationId}`)
    checkPermission(world, routed, actor)
    checkPlan(world, routed, planOf(world, routed))
    const call = callOf(routed, asked, url, actor)
    if (route.method !== 'GET') checkArchived(call)
    const { status, body, headers = {}, list } = handler(call)
    const items = list && { ...list, items: disturbed(list.items, faults, Number(call.query['page'] ?? 1)) }
    const isShort = faults.some(({ kind }) => kind === 'short-page')
    const page = items && pageOf(route, items, call.query, url, isShort)
    const whole = page?.body ?? body
    checked(routed, asked, status, whole)
    findings.performed.add(operationId)
    if (route.method !== 'GET') writeAudit(call, route.method, status, whole)
    return { status, headers: { ...headers, ...page?.headers }, ...(whole === undefined ? {} : { body: whole }) }
  }

  const graphql = (asked: Asked, actor: Actor): Answer => {
    if (actor.kind === 'none') refuse(401, 'This endpoint requires you to be authenticated.')
    const { body, cost, problems } = answerGraphql(
      world,
      actor,
      limits.state(limitKey(actor), 'graphql'),
      parsed(asked.text),
    )
    if (problems.length > 0)
      findings.violations.push({ operation: 'graphql', method: asked.method, path: asked.url, problems })
    return { status: 200, headers: {}, body, cost }
  }

  const refusal = (error: unknown): Answer => {
    if (error instanceof Refusal) return { status: error.status, headers: error.headers, body: error.body }
    if (error instanceof URIError) return { status: 400, headers: {}, body: { message: 'Bad Request' } }
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
    findings.mistakes.push({ operation: 'none', method: '', path: '', problems: [message] })
    return { status: 500, headers: {}, body: { message } }
  }

  return (asked: Asked, actor: Actor, faults: readonly Fault[] = []): Answer => {
    try {
      const url = new URL(asked.url, world.url)
      if (asked.method === 'POST' && isGraphql(url.pathname)) return graphql(asked, actor)
      const path = placed(world, url)
      if (typeof path !== 'string') return moved(`${world.url}${path.location}`, asked.method)
      const routed = routeOf(asked.method === 'HEAD' ? 'GET' : asked.method, path) ?? notFound()
      return conditional(performed(routed, asked, url, actor, faults), asked)
    } catch (error) {
      return refusal(error)
    }
  }
}
