import type { JsonObject } from '../../../core/engine/schema/json.ts'
import { requestApply } from '../../../core/engine/workflows/apply/request-apply.ts'
import { runApply } from '../../../core/engine/workflows/apply/run-apply.ts'
import { checkWorkspace } from '../../../core/engine/workflows/check/check-workspace.ts'
import { actor, testDeps, yaml } from '../workspaces/workspace.ts'
import { aLoopback } from './loopback.ts'

interface Key {
  readonly uuid: string
  readonly user_uuid: string
  name: string
  text: string
}

/** An API of keys, which belong to whoever made them, and of which the staff sees everybody's. A token is `token-<user>`. */
export const startKeys = async (rows: readonly Key[] = []) => {
  const keys = [...rows]
  /** What `/users/me/` answers, in the place of the truth; a text is JSON already. */
  const behaviour: { me?: readonly [number, JsonObject | string]; hidesOthers?: true } = {}
  const server = await aLoopback((request, response) => {
    const { method = '', url = '', body } = server.seen.at(-1) ?? { body: '' }
    const user = String(request.headers['x-token']).replace('token-', '')
    const answer = (status: number, value?: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(value === undefined || typeof value === 'string' ? value : JSON.stringify(value))
    }
    const [path = '', query = ''] = url.split('?')
    if (path === '/users/me/') {
      const [status, me] = behaviour.me ?? [200, { uuid: user, token: `token-${user}` }]
      return answer(status, me)
    }
    const owner = new URLSearchParams(query).get('user_uuid')
    const shown = keys.filter(({ user_uuid }) => behaviour.hidesOthers !== true || user_uuid === user)
    const key = shown.find(({ uuid }) => path === `/keys/${uuid}/`)
    if (path === '/keys/' && method === 'GET')
      return answer(
        200,
        shown.filter(({ user_uuid }) => owner === null || user_uuid === owner),
      )
    if (path === '/keys/' && method === 'POST') {
      const made = {
        uuid: `k${keys.length + 1}`,
        user_uuid: user,
        ...(JSON.parse(body) as { name: string; text: string }),
      }
      keys.push(made)
      return answer(201, made)
    }
    if (key === undefined) return answer(404, { detail: 'not found' })
    if (method === 'GET') return answer(200, key)
    if (method === 'DELETE') {
      keys.splice(keys.indexOf(key), 1)
      return answer(204)
    }
    Object.assign(key, JSON.parse(body))
    return answer(200, key)
  })
  const writes = () => server.seen.filter(({ method }) => method !== 'GET').map(({ method, url }) => `${method} ${url}`)
  const asked = () => server.seen.filter(({ url }) => url === '/users/me/').length
  return {
    url: server.url,
    seen: server.seen,
    keys,
    behaviour,
    writes,
    asked,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

export interface KeyDocument {
  /** How the caller is named in the lookup. */
  readonly lookup?: string
  readonly list?: string
  readonly me?: string
  readonly discover?: string
  readonly create?: string
  /** Without ids: its objects are asked for by their names. */
  readonly isNamed?: true
}

const provider = ({
  lookup = '{ list: { query: { user_uuid: "{me.uuid}" } }, match: [name] }',
  list = '{ method: GET, path: /keys/ }',
  me = ', me: { read: { method: GET, path: /users/me/ }, as: { uuid: uuid } }',
  discover = '{ query: { user_uuid: "{me.uuid}" } }',
  create = '{ method: POST, path: /keys/ }',
}: KeyDocument): string => `
provider: { id: keys, with: { baseUrl: {}, token: { secret: true } }, baseUrl: "{with.baseUrl}", auth: { header: { name: X-Token, secret: "{with.token}" } }${me} }
resources:
  keys_key:
    operations:
      list: ${list}
      retrieve: { method: GET, path: "/keys/{uuid}/" }
      create: ${create}
      update: { method: PATCH, path: "/keys/{uuid}/" }
      delete: { method: DELETE, path: "/keys/{uuid}/" }
    identity: { keys: [name] }
    lookup: ${lookup}
    discover: ${discover}
    serverId: { uuid: uuid }
    parts:
      - { name: main, read: retrieve, write: { op: update }, attributes: { name: { required: true }, text: {} } }
`

const namedOnly = (document: string): string =>
  document.replaceAll('/{uuid}/', '/{name}/').replace('    serverId: { uuid: uuid }\n', '')

export const driveKeys = (url: string, document: KeyDocument = {}) => {
  const given = testDeps()
  const become = (user: string): void => {
    given.secrets['env:TOKEN'] = `token-${user}`
  }
  become('ana')
  const want = (resources: string, more = ''): void => {
    const head = `workspace: keys\nproviders: { keys: { source: rest, definition: ./keys.yaml, with: { baseUrl: "${url}", token: { secret: "env:TOKEN" } } } }`
    given.current.bundle = yaml(`${head}\n${more}\nresources:\n${resources || '  []'}\n`, {
      'keys.yaml': document.isNamed ? namedOnly(provider(document)) : provider(document),
    })
  }
  const check = async () => {
    const { plan, run } = await checkWorkspace({ workspace: 'keys', trigger: 'cli', actor }, given.deps)
    return {
      run,
      status: run.status,
      changes: plan?.changes.map(({ action, address }) => `${action} ${address}`) ?? [],
      unchecked: plan?.unchecked.map(({ reason, detail }) => `${reason}: ${detail}`) ?? [],
      unmanaged: plan?.unmanaged.map(({ identity }) => String(identity['name'])) ?? [],
    }
  }
  const approve = async (): Promise<string> => {
    const digest = (await check()).run.digests?.commands ?? ''
    const request = { workspace: 'keys', mode: 'execute', digest, reason: 'as wanted', actor } as const
    return (await requestApply(request, given.deps)).id
  }
  const run = (applyId: string) => runApply({ workspace: 'keys', applyId }, given.deps)
  const apply = async () => run(await approve())
  return { ...given, become, want, check, approve, run, apply }
}

export const key = (address: string, name: string, text = 't'): string =>
  `  - { type: keys_key, name: ${address}, spec: { name: ${name}, text: ${text} } }\n`
