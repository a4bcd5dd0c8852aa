import { gunzipSync } from 'node:zlib'
import { type Alert, type Deps, defined, memoryStore, type Queue, type Store, type Warning } from '#core'
import { createCipher } from '../../../functions/adapters/cipher.ts'
import { systemClock } from '../../../functions/adapters/clock.ts'
import type { PageFiles } from '../../../functions/adapters/files/page-files.ts'
import { createIds } from '../../../functions/adapters/ids.ts'
import { createSeal } from '../../../functions/adapters/seal.ts'
import { sealBox } from '../../../functions/adapters/seal-box.ts'
import { createSecrets } from '../../../functions/adapters/secrets.ts'
import { signJwt } from '../../../functions/adapters/sign-jwt.ts'
import { storeSource } from '../../../functions/adapters/store-source.ts'
import { createTransport } from '../../../functions/adapters/transport/index.ts'
import type { Access } from '../../../functions/api/middleware/authenticate.ts'
import { apiHandler } from '../../../functions/api.ts'
import { answerSchema, problemsUnder } from '../generated/answer-schema.ts'
import { apiEvent, type EventParts, lambdaContext, tokenOf } from './api-event.ts'

type Checks = Parameters<Queue['checks']>[0][number]
type Applies = Parameters<Queue['apply']>[0]

export interface TestDeps {
  readonly deps: Deps
  readonly checks: Checks[]
  readonly applies: Applies[]
  readonly alerts: Alert[]
  readonly warnings: Warning[]
}

/** Real parts, with lists in the place of queues and topic. */
export const testDeps = (more: Partial<Deps> = {}, store: Store = memoryStore(systemClock)): TestDeps => {
  const checks: Checks[] = []
  const applies: Applies[] = []
  const alerts: Alert[] = []
  const warnings: Warning[] = []
  const deps: Deps = {
    store,
    config: storeSource(store),
    providers: async () => ({}),
    sources: {},
    transport: createTransport(),
    secrets: createSecrets({ environment: {}, clock: systemClock }),
    seal: createSeal('test'),
    cipher: createCipher(createSeal('test')),
    signJwt,
    sealBox,
    alerts: {
      publish: async (alert) => {
        alerts.push(alert)
      },
    },
    queue: {
      checks: async (messages) => {
        checks.push(...messages)
        return []
      },
      apply: async (message) => {
        applies.push(message)
      },
    },
    clock: systemClock,
    ids: createIds(systemClock),
    limits: { concurrency: 4, leaseMs: 30_000 },
    warn: (warning) => void warnings.push(warning),
    ...more,
  }
  return { deps, checks, applies, alerts, warnings }
}

export interface CallParts extends Omit<EventParts, 'body'> {
  /** Of the token; without it there is no token. */
  readonly scope?: string
  /** Sent as JSON. */
  readonly json?: unknown
  readonly body?: string
  readonly remainingMs?: number
}

export interface Called {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly json: Record<string, unknown>
}

const parse = (text: string): Record<string, unknown> => {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return {}
  }
}

const eventOf = (method: string, path: string, { scope, json, ...parts }: CallParts) =>
  apiEvent(method, path, {
    ...parts,
    ...(scope === undefined ? {} : { authorizer: tokenOf(scope) }),
    ...(json === undefined
      ? {}
      : { body: JSON.stringify(json), headers: { 'content-type': 'application/json', ...parts.headers } }),
  })

/** Calls the whole handler; an answer that the OpenAPI document does not describe is an error. */
export const testApi = (deps: Deps | Error, access: Access = { SCOPE_PREFIX: '' }, page?: PageFiles) => {
  const compose = async (): Promise<Deps> => {
    if (deps instanceof Error) throw deps
    return deps
  }
  const handler = apiHandler({ compose, access: () => access, ...defined({ page }) })
  return async (method: string, path: string, parts: CallParts = {}): Promise<Called> => {
    const event = eventOf(method, path, parts)
    const {
      statusCode = 0,
      headers = {},
      body = '',
      isBase64Encoded,
    } = await handler(event, lambdaContext(parts.remainingMs))
    const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8')
    const text = (headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString('utf8')
    const mediaType = String(headers['content-type']).split(';')[0] ?? ''
    const json = parse(text)
    if (json['code'] !== 'ROUTE_NOT_FOUND' && json['code'] !== 'METHOD_NOT_ALLOWED') {
      const inner = path.replace(`/${event.requestContext.stage}/`, '/')
      const problems = problemsUnder(
        answerSchema({ method, path: inner, status: statusCode, mediaType }),
        mediaType.endsWith('json') && !mediaType.endsWith('ndjson') ? json : text,
      )
      if (problems.length > 0) throw new Error(`${method} ${path} ${statusCode}: ${problems.join('; ')}: ${text}`)
    }
    return { status: statusCode, headers: headers as Record<string, string>, text, json }
  }
}
