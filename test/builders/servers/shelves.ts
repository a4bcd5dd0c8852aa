import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'
import { requestApply } from '../../../core/engine/workflows/apply/request-apply.ts'
import { runApply } from '../../../core/engine/workflows/apply/run-apply.ts'
import { checkWorkspace } from '../../../core/engine/workflows/check/check-workspace.ts'
import { actor, testDeps, yaml } from '../workspaces/workspace.ts'
import { aLoopback } from './loopback.ts'

interface ShelfBehaviour {
  /** Somebody else, after our nth write (from 1). */
  after?: (n: number) => void
  /** The status with which our nth write is refused, and nothing done. */
  refuse?: (n: number) => number | undefined
  /** What a refusal says. */
  says?: Json
  /** Whether our nth write is done, and its answer lost. */
  loses?: (n: number) => boolean
  /** Things that lists do not show, by name. */
  hides?: string
  /** The token has lost its role: lists are empty, things are not there, and `/me` says so. */
  isBlind?: boolean
}

/** A row of things in shelves. `ids`: by number, never again; the smallest that is free; or the place in the row. */
export const startShelves = async (ids: 'counted' | 'reused' | 'position', rows: readonly JsonObject[] = []) => {
  const things: { key: number; body: JsonObject }[] = []
  let last = 0
  const free = (): number => {
    for (let key = 1; ; key += 1) if (things.every((each) => each.key !== key)) return key
  }
  const add = (body: JsonObject): number => {
    last += 1
    const key = ids === 'reused' ? free() : last
    things.push({ key, body })
    return key
  }
  for (const row of rows) add(row)
  const idOf = (index: number): string => String(ids === 'position' ? index : things[index]?.key)
  const shown = (index: number): JsonObject => ({ id: idOf(index), ...things[index]?.body })
  const behaviour: ShelfBehaviour = {}
  const act = (method: string, path: string, body: JsonObject): [number, Json?] => {
    const [, place, id] = path.split('/')
    if (place === 'me') return [200, { id: 'u1', roles: behaviour.isBlind ? [] : ['owner'] }]
    if (behaviour.isBlind && method === 'GET') return id === undefined ? [200, []] : [404, { error: 'there is none' }]
    if (id === undefined) {
      if (method === 'GET') {
        const rows = things.map((_, index) => shown(index))
        return [200, rows.filter(({ name }) => name !== behaviour.hides)]
      }
      add(body)
      return [201, shown(things.length - 1)]
    }
    const index = things.findIndex((_, each) => idOf(each) === id)
    const found = things[index]
    if (found === undefined) return [404, { error: 'there is none' }]
    if (method === 'GET') return [200, shown(index)]
    if (method === 'DELETE') {
      things.splice(index, 1)
      return [204]
    }
    found.body = { ...found.body, ...body }
    return [200, shown(index)]
  }
  let sent = 0
  const server = await aLoopback((_, response) => {
    const { method = '', url = '', body } = server.seen.at(-1) ?? { body: '' }
    if (method !== 'GET') sent += 1
    const refusal = method === 'GET' ? undefined : behaviour.refuse?.(sent)
    const given = body === '' ? {} : JSON.parse(body)
    const [status, answer] =
      refusal === undefined ? act(method, url.split('?')[0] ?? '', given) : [refusal, behaviour.says ?? {}]
    if (method !== 'GET') behaviour.after?.(sent)
    if (method !== 'GET' && behaviour.loses?.(sent)) {
      response.destroy()
      return
    }
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(answer === undefined ? undefined : JSON.stringify(answer))
  })
  const writes = () => server.seen.filter(({ method }) => method !== 'GET').map(({ method, url }) => `${method} ${url}`)
  return {
    url: server.url,
    seen: server.seen,
    behaviour,
    writes,
    things,
    add,
    names: () => things.map(({ body }) => body['name']),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

export interface Shelves {
  readonly kind?: 'stable' | 'reused' | 'position'
  readonly name?: string
  readonly lifecycle?: string
  /** More of `provider`. */
  readonly more?: string
}

export const provider = ({
  kind = 'stable',
  name = '{}',
  lifecycle = '{ onImmutable: replace }',
  more = '',
}: Shelves): string => `
provider: { id: shelf, with: { baseUrl: {} }, baseUrl: "{with.baseUrl}"${more} }
resources:
  shelf_thing:
    operations:
      list: { method: GET, path: /things }
      retrieve: { method: GET, path: "/things/{id}" }
      create: { method: POST, path: /things }
      update: { method: PATCH, path: "/things/{id}" }
      delete: { method: DELETE, path: "/things/{id}" }
    identity: { keys: [name], ids: ${kind} }
    lookup: { list: {}, match: [name] }
    serverId: { id: id }
    lifecycle: ${lifecycle}
    parts:
      - { name: main, read: retrieve, write: { op: update }, attributes: { name: ${name}, note: {}, kind: { immutable: true }, above: {} } }
`

export const driveShelves = (url: string, model: Shelves = {}) => {
  const given = testDeps()
  const want = (resources: string, more = ''): void => {
    const head = `workspace: shelves\nproviders: { shelf: { source: rest, definition: ./shelf.yaml, with: { baseUrl: "${url}" } } }`
    given.current.bundle = yaml(`${head}\n${more}\nresources:\n${resources || '  []'}\n`, {
      'shelf.yaml': provider(model),
    })
  }
  const check = () => checkWorkspace({ workspace: 'shelves', trigger: 'cli', actor }, given.deps)
  const approve = async (): Promise<string> => {
    const digest = (await check()).run.digests?.commands ?? ''
    const request = { workspace: 'shelves', mode: 'execute', digest, reason: 'as wanted', actor } as const
    return (await requestApply(request, given.deps)).id
  }
  const run = (applyId: string) => runApply({ workspace: 'shelves', applyId }, given.deps)
  const apply = async () => run(await approve())
  return { ...given, want, check, approve, run, apply }
}

export const thing = (address: string, name: string, note = 'n'): string =>
  `  - { type: shelf_thing, name: ${address}, spec: { name: ${name}, note: ${note} } }\n`
