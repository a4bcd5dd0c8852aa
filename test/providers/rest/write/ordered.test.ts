import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../../core/engine/schema/json.ts'
import { requestApply } from '../../../../core/engine/workflows/apply/request-apply.ts'
import { runApply } from '../../../../core/engine/workflows/apply/run-apply.ts'
import { checkWorkspace } from '../../../../core/engine/workflows/check/check-workspace.ts'
import { long } from '../../../builders/long.ts'
import { actor, testDeps, yaml } from '../../../builders/workspaces/workspace.ts'

/* A tenant's security group and an instance that is ordered, as Waldur has them: both are done long after they are answered. */
const document = `
provider:
  id: waldur
  baseUrl: "{with.baseUrl}"
  with: { baseUrl: {} }
resolvers:
  tenant: { list: { method: GET, path: /tenants/, query: { name_exact: "{value}" } } }
resources:
  waldur_group:
    operations:
      list: { method: GET, path: /groups/ }
      retrieve: { method: GET, path: "/groups/{uuid}/" }
      create: { method: POST, path: "/tenants/{refs.tenant.uuid}/create_security_group/", produces: { uuid: uuid, url: url } }
      update: { method: PATCH, path: "/groups/{uuid}/" }
      setRules: { method: POST, path: "/groups/{uuid}/set_rules/", body: "{desired.rules}" }
      delete: { method: DELETE, path: "/groups/{uuid}/" }
    identity: { keys: [tenant, name] }
    lookup: { list: { query: { name_exact: "{name}", tenant_uuid: "{refs.tenant.uuid}" } }, match: [tenant, name] }
    serverId: { uuid: uuid, url: url }
    lifecycle: { states: { at: state, busy: [CREATING, UPDATING, DELETING] } }
    wait: { poll: retrieve, state: state, ok: [OK], error: [ERRED], message: error_message, intervalSeconds: 1 }
    actions: { rules: { on: [rules], op: setRules, order: after } }
    parts:
      - name: main
        read: retrieve
        write: { op: update }
        attributes:
          tenant: { immutable: true, ref: { resolver: tenant, emit: url } }
          name: {}
          description: {}
          rules:
            type: set
            element:
              type: object
              attributes:
                port: { type: number }
                remote_group:
                  ref: { type: waldur_group, by: name, emit: url, scope: { tenant_uuid: "{refs.tenant.uuid}" } }
  waldur_instance:
    operations:
      list: { method: GET, path: /instances/ }
      retrieve: { method: GET, path: "/instances/{uuid}/" }
      order: { method: GET, path: "/orders/{order}/" }
      create:
        method: POST
        path: /orders/
        body: { attributes: "{fields}", accepting_terms_of_service: true }
        wait:
          - poll: { op: order, from: { order: uuid } }
            state: state
            ok: [done]
            error: [erred, rejected, canceled]
            message: error_message
            intervalSeconds: 1
            produces: { uuid: resource_uuid }
          - { poll: retrieve, state: state, ok: [OK], error: [ERRED], intervalSeconds: 1 }
      update: { method: PATCH, path: "/instances/{uuid}/", wait: none }
      delete: { method: POST, path: "/instances/{uuid}/terminate/", wait: { poll: retrieve, when: [200, 202], gone: success, intervalSeconds: 1 } }
    identity: { keys: [name] }
    lookup: { list: { query: { name_exact: "{name}" } }, match: [name] }
    serverId: { uuid: uuid }
    parts:
      - name: main
        read: retrieve
        write: { op: update }
        attributes: { name: {}, groups: { type: set, immutable: true, element: { ref: { type: waldur_group, by: name, emit: url, scope: { tenant_uuid: t1 } } } } }
`

/** Polls until something is done. */
const patience = 2

const startWaldur = async () => {
  const log: [string, Json?][] = []
  const things = new Map<string, JsonObject & { left?: number }>()
  const behaviour = { order: 'done' }
  const tick = (path: string, end: JsonObject): void => {
    const thing = things.get(path)
    const left = Number(thing?.['left'] ?? 0)
    if (thing !== undefined && left > 0)
      things.set(path, left === 1 ? { ...thing, ...end, left: 0 } : { ...thing, left: left - 1 })
  }
  const answer = (method: string, path: string, body: JsonObject, url: string): [number, Json?] => {
    const base = url
    if (path === '/tenants/') return [200, [{ uuid: 't1', url: `${base}/tenants/t1/`, name: 'T' }]]
    if (method === 'GET' && path.split('/').length === 3) {
      return [200, [...things].filter(([at]) => at.startsWith(path)).map(([, thing]) => thing)]
    }
    if (path.endsWith('create_security_group/')) {
      const made = {
        uuid: 'g1',
        url: `${base}/groups/g1/`,
        tenant: `${base}/tenants/t1/`,
        ...body,
        state: 'CREATING',
        left: patience,
      }
      things.set('/groups/g1/', made)
      return [201, made]
    }
    if (path.endsWith('set_rules/')) {
      things.set('/groups/g1/', { ...things.get('/groups/g1/'), rules: body, state: 'UPDATING', left: patience })
      return [202]
    }
    if (path === '/orders/' && method === 'POST') {
      things.set('/orders/o1/', { uuid: 'o1', state: 'executing', left: patience, wanted: body['attributes'] ?? null })
      return [201, { uuid: 'o1', state: 'executing' }]
    }
    if (path.endsWith('terminate/')) {
      things.set('/instances/i1/', { ...things.get('/instances/i1/'), left: patience, ending: true })
      return [200, { order_uuid: 'o2' }]
    }
    const thing = things.get(path)
    if (thing?.['ending'] === true && thing['left'] === 1) things.delete(path)
    const end = path.startsWith('/orders/')
      ? { state: behaviour.order, resource_uuid: 'i1', error_message: 'no quota' }
      : { state: 'OK' }
    tick(path, end)
    const now = things.get(path)
    if (path === '/orders/o1/' && now?.['state'] === 'done' && !things.has('/instances/i1/')) {
      things.set('/instances/i1/', { uuid: 'i1', state: 'CREATING', left: patience, ...(now['wanted'] as JsonObject) })
    }
    return now === undefined ? [404, {}] : [200, now]
  }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { method = '', url = '' } = request
    const text = Buffer.concat(chunks).toString()
    const body = text === '' ? {} : (JSON.parse(text) as JsonObject)
    log.push(text === '' ? [`${method} ${url}`] : [`${method} ${url}`, body])
    const own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const [status, answered] = answer(method, url.split('?')[0] ?? '', body, own)
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(answered === undefined ? '' : JSON.stringify(answered))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    behaviour,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    writes: () => log.filter(([line]) => !line.startsWith('GET')),
    log,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const drive = (url: string) => {
  const bundleOf = (resources: readonly JsonObject[]) =>
    yaml(
      JSON.stringify({
        workspace: 'w',
        providers: { waldur: { source: 'rest', definition: './api.provider.yaml', with: { baseUrl: url } } },
        resources,
      }),
      { 'api.provider.yaml': document },
    )
  const given = testDeps({ bundle: bundleOf([]) })
  const check = () => checkWorkspace({ workspace: 'w', trigger: 'cli', actor }, given.deps)
  const all = async (...resources: readonly JsonObject[]) => {
    given.current.bundle = bundleOf(resources)
    const digest = (await check()).plan?.digests.commands ?? ''
    const { id } = await requestApply({ workspace: 'w', mode: 'execute', digest, reason: 'r', actor }, given.deps)
    return runApply({ workspace: 'w', applyId: id }, given.deps)
  }
  return { check, all }
}

const group = (rules: Json): JsonObject => ({
  type: 'waldur_group',
  name: 'web',
  spec: { tenant: 'T', name: 'web', rules },
})
const instance: JsonObject = { type: 'waldur_instance', name: 'one', spec: { name: 'one', groups: ['web'] } }

describe('a security group', () => {
  it('is created below its tenant, and its rules are set when it is done', long, async () => {
    await using server = await startWaldur()
    const { all, check } = drive(server.url)
    expect(await all(group([{ port: 80 }]))).toMatchObject({ status: 'succeeded' })
    expect(await all(group([{ port: 80 }, { port: 443, remote_group: 'web' }]))).toMatchObject({ status: 'succeeded' })
    expect(server.writes().map(([line]) => line)).toEqual([
      'POST /tenants/t1/create_security_group/',
      'POST /groups/g1/set_rules/',
    ])
    expect(new Set(server.writes()[1]?.[1] as Json[])).toEqual(
      new Set([{ port: 80 }, { port: 443, remote_group: `${server.url}/groups/g1/` }]),
    )
    expect(await check()).toMatchObject({ run: { status: 'in_sync' } })
  })
})

describe('an instance', () => {
  it('is ordered, waited for as an order and then as an instance, and terminated', long, async () => {
    await using server = await startWaldur()
    const { all, check } = drive(server.url)
    await all(group([]))
    expect(await all(group([]), instance)).toMatchObject({ status: 'succeeded' })
    expect(server.writes().at(-1)).toEqual([
      'POST /orders/',
      { attributes: { name: 'one', groups: [`${server.url}/groups/g1/`] }, accepting_terms_of_service: true },
    ])
    const polled = server.log.map(([line]) => line).filter((line) => /orders\/o1|instances\/i1/.test(line))
    expect(polled.slice(0, 4)).toEqual([
      'GET /orders/o1/',
      'GET /orders/o1/',
      'GET /instances/i1/',
      'GET /instances/i1/',
    ])
    expect(await check()).toMatchObject({ run: { status: 'in_sync' } })
    expect(await all(group([]))).toMatchObject({ status: 'succeeded' })
    expect(server.writes().at(-1)?.[0]).toBe('POST /instances/i1/terminate/')
    expect(await check()).toMatchObject({ run: { status: 'in_sync' } })
  })

  it('is a failed command with the reason if its order is rejected', async () => {
    await using server = await startWaldur()
    server.behaviour.order = 'Rejected'
    const { all } = drive(server.url)
    await all(group([]))
    const applied = await all(group([]), instance)
    expect(applied.outcomes).toMatchObject([
      { status: 'failed', detail: 'it was accepted and failed: it is Rejected: no quota' },
    ])
  })
})
