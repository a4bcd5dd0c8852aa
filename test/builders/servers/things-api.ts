import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'
import { readLedger } from '../../../core/engine/state/ledger.ts'
import { requestApply } from '../../../core/engine/workflows/apply/request-apply.ts'
import { runApply } from '../../../core/engine/workflows/apply/run-apply.ts'
import { planUndoOf } from '../../../core/engine/workflows/apply/take-undo.ts'
import { checkWorkspace } from '../../../core/engine/workflows/check/check-workspace.ts'
import type { Deps } from '../../../core/engine/workflows/deps.ts'
import { actor, testDeps, yaml } from '../workspaces/workspace.ts'
import { type Heard, startServer } from './loopback.ts'

/*
 * A server that keeps JSON texts by path, byte for byte, with whatever a document wants to be told of: versions in a header,
 * a trailer or a member, patches of both kinds, children with ids of the server.
 */

export interface ThingsOptions {
  readonly etag?: 'header' | 'trailer' | 'weak'
  /** A member that counts writes; a PUT or PATCH with another value, or none, is a 409. */
  readonly generation?: string
  /** Answers before anything else does. */
  readonly route?: (request: Heard, state: Map<string, string>) => Answer | undefined
  /** A Unix socket that it listens at, instead of a port. */
  readonly socket?: string
  /** Runs right before a request is answered. */
  readonly before?: (request: Heard, state: Map<string, string>) => void
}

interface Answer {
  readonly status: number
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

const tagOf = (text: string): string => `"${createHash('sha256').update(text).digest('hex').slice(0, 12)}"`

const pathOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))

type Holder = Record<string, unknown>

/** RFC 6902 as strictly as it is written: what is not there cannot be replaced or removed, nor can a parent be missing. */
export const patchJson = (
  whole: unknown,
  operations: readonly { op: string; path: string; value?: unknown }[],
): unknown => {
  let root = structuredClone(whole)
  for (const { op, path, value } of operations) {
    const steps = pathOf(path)
    const last = steps.pop()
    if (last === undefined) {
      root = value
      continue
    }
    const holder = steps.reduce<unknown>((inner, step) => (inner as Holder | undefined)?.[step], root)
    if (typeof holder !== 'object' || holder === null) throw new Error(`nothing at ${path}`)
    const there = Object.hasOwn(holder, last)
    if (op !== 'add' && !there) throw new Error(`nothing at ${path}`)
    if (op === 'test' && JSON.stringify((holder as Holder)[last]) !== JSON.stringify(value)) throw new Error('test')
    if (op === 'remove') delete (holder as Holder)[last]
    if (op === 'add' || op === 'replace') (holder as Holder)[last] = value
  }
  return root
}

/** RFC 7386. */
export const mergeJson = (whole: unknown, patch: unknown): unknown => {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch
  const result: Holder = typeof whole === 'object' && whole !== null && !Array.isArray(whole) ? { ...whole } : {}
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name]
    else result[name] = mergeJson(result[name], value)
  }
  return result
}

const patched = (there: string, { headers, body }: Heard): Answer => {
  const type = headers['content-type'] ?? ''
  try {
    const whole = JSON.parse(there) as Holder
    if (type.includes('json-patch')) return { status: 200, body: JSON.stringify(patchJson(whole, JSON.parse(body))) }
    const patch = JSON.parse(body) as Holder
    return {
      status: 200,
      body: JSON.stringify(type.includes('merge-patch') ? mergeJson(whole, patch) : { ...whole, ...patch }),
    }
  } catch (error) {
    return { status: 422, body: JSON.stringify({ error: String(error) }) }
  }
}

const answerTo = (request: Heard, state: Map<string, string>, options: ThingsOptions): Answer => {
  const routed = options.route?.(request, state)
  if (routed !== undefined) return routed
  const { method, headers, body } = request
  const path = request.url.split('?')[0] ?? ''
  const there = state.get(path)
  if (method === 'GET') return there === undefined ? { status: 404, body: '{}' } : { status: 200, body: there }
  if (options.etag !== undefined && there !== undefined) {
    const given = headers['if-match']
    if (given !== undefined && given !== tagOf(there)) return { status: 412, body: '{"error":"stale"}' }
    if (headers['if-none-match'] === '*') return { status: 412, body: '{"error":"there is one"}' }
  }
  if (method === 'POST') {
    const name = `${path}/${[...state.keys()].filter((key) => key.startsWith(`${path}/`)).length + 1}`
    const made = JSON.stringify({
      id: name.split('/').at(-1),
      ...(JSON.parse(body === '' ? '{}' : body) as JsonObject),
    })
    state.set(name, made)
    return { status: 201, body: made }
  }
  if (method === 'DELETE') return state.delete(path) ? { status: 204 } : { status: 404, body: '{}' }
  const counted = options.generation
  if (counted !== undefined && there !== undefined) {
    const now = (JSON.parse(there) as Holder)[counted]
    const given = (JSON.parse(body) as Holder)[counted]
    if (given !== now) return { status: 409, body: JSON.stringify({ error: `it is ${String(now)}` }) }
  }
  const answer = method === 'PUT' ? { status: 200, body } : patched(there ?? '{}', request)
  if (answer.status !== 200 || answer.body === undefined) return answer
  const kept =
    counted === undefined
      ? answer.body
      : JSON.stringify({ ...(JSON.parse(answer.body) as Holder), [counted]: nextOf(there, counted) })
  state.set(path, kept)
  return { status: 200, body: kept }
}

const nextOf = (there: string | undefined, counted: string): number =>
  there === undefined ? 1 : Number((JSON.parse(there) as Holder)[counted] ?? 0) + 1

const write = (response: ServerResponse, { status, body, headers }: Answer, etag: ThingsOptions['etag']): void => {
  if (body === undefined) return void response.writeHead(status, headers).end()
  const tag = tagOf(body)
  const isTold = etag !== undefined && status < 300
  response.writeHead(status, {
    'content-type': 'application/json',
    ...headers,
    ...(isTold && etag === 'header' ? { etag: tag } : {}),
    ...(isTold && etag === 'weak' ? { etag: `W/${tag}` } : {}),
    ...(isTold && etag === 'trailer' ? { trailer: 'Etag' } : {}),
  })
  response.write(body)
  if (isTold && etag === 'trailer') response.addTrailers({ Etag: tag })
  response.end()
}

/** On a port of its own; `await using` ends it. */
export const startThings = async (options: ThingsOptions = {}) => {
  const state = new Map<string, string>()
  const received: Heard[] = []
  const behaviour = { ...options }
  const { socket } = options
  const server = await startServer(
    (request, response) => {
      received.push(request)
      behaviour.before?.(request, state)
      write(response, answerTo(request, state, behaviour), behaviour.etag)
    },
    ...(socket === undefined ? [] : [{ path: socket }]),
  )
  const writes = () => received.filter(({ method }) => method !== 'GET' && method !== 'HEAD')
  return {
    ...server,
    state,
    received,
    behaviour,
    writes,
    lines: () =>
      writes().map(({ method, url, body }) => [`${method} ${url}`, ...(body === '' ? [] : [JSON.parse(body) as Json])]),
  }
}

export type Things = Awaited<ReturnType<typeof startThings>>

/** The workflows over the server, for a document whose baseUrl is `{with.baseUrl}`. */
export const driveThings = (
  server: Pick<Things, 'url'>,
  resource: string,
  specs: Readonly<Record<string, Json>>,
  changes: Partial<Deps> = {},
) => {
  const document = `
provider: { id: api, baseUrl: "{with.baseUrl}", with: { baseUrl: {} } }
resources:
  api_thing:
${resource.replace(/^\n/, '').replaceAll(/^/gm, '    ')}
`
  const all = (wanted: Readonly<Record<string, Json>>) =>
    Object.entries(wanted).map(([name, spec]): JsonObject => ({ type: 'api_thing', name, spec }))
  const drive = driveDocument(server, document, all(specs), changes)
  const want = (next: Readonly<Record<string, Json>>, more?: JsonObject): void => drive.want(all(next), more)
  return { ...drive, want }
}

/** The same for any document and any resources. `settings`: of the workspace. */
export const driveDocument = (
  { url }: Pick<Things, 'url'>,
  document: string,
  resources: readonly JsonObject[],
  changes: Partial<Deps> = {},
  settings: JsonObject = {},
) => {
  const bundleOf = (wanted: readonly JsonObject[], more: JsonObject = {}) =>
    yaml(
      JSON.stringify({
        workspace: 'things',
        ...settings,
        ...more,
        providers: { api: { source: 'rest', definition: './api.provider.yaml', with: { baseUrl: url } } },
        resources: wanted,
      }),
      { 'api.provider.yaml': document },
    )
  const given = testDeps({ ...changes, bundle: bundleOf(resources) })
  const check = async () => {
    const { run, plan } = await checkWorkspace({ workspace: 'things', trigger: 'cli', actor }, given.deps)
    if (plan === undefined) throw new Error(JSON.stringify(run.error))
    return { run, plan, digest: run.digests?.commands ?? '' }
  }
  const apply = async (digest: string, mode: 'check' | 'execute' = 'execute') => {
    const { id } = await requestApply({ workspace: 'things', mode, digest, reason: 'test', actor }, given.deps)
    return runApply({ workspace: 'things', applyId: id, patient: true }, given.deps)
  }
  const planUndo = (applyId: string) => planUndoOf({ workspace: 'things', applyId, trigger: 'cli', actor }, given.deps)
  /** Plans the way back from an apply, and goes it. */
  const undo = async (applyId: string) => {
    const planned = await planUndo(applyId)
    return { ...planned, apply: await apply(planned.plan.digests.commands) }
  }
  const ledger = () => Array.fromAsync(readLedger(given.deps.store, 'things'))
  const want = (next: readonly JsonObject[], more?: JsonObject): void => {
    given.current.bundle = bundleOf(next, more)
  }
  return { ...given, check, apply, planUndo, undo, ledger, want }
}
