import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { planResource } from '../../../../core/engine/plan/resource/plan-resource.ts'
import type { Json, JsonObject } from '../../../../core/engine/schema/json.ts'
import { changedPaths } from '../../../../core/engine/values/changed-paths.ts'
import { requestApply } from '../../../../core/engine/workflows/apply/request-apply.ts'
import { runApply } from '../../../../core/engine/workflows/apply/run-apply.ts'
import { checkWorkspace } from '../../../../core/engine/workflows/check/check-workspace.ts'
import { aLoopback } from '../../../builders/servers/loopback.ts'
import { actor, testDeps, yaml } from '../../../builders/workspaces/workspace.ts'

const document = `
provider: { id: api, with: { baseUrl: {} }, baseUrl: "{with.baseUrl}" }
resolvers: { owner: { list: { method: GET, path: /owners } } }
resources:
  api_tenant:
    operations: { list: { method: GET, path: /tenants }, create: { method: POST, path: /tenants }, delete: { method: DELETE, path: "/tenants/{uuid}" } }
    identity: { keys: [name] }
    lookup: { list: {}, match: [name] }
    serverId: { uuid: uuid }
    lifecycle: { states: { at: state, busy: [UPDATING] } }
    parts: [{ name: main, read: list, attributes: { name: { required: true, immutable: true }, realm: { computed: true } } }]
  api_group:
    operations:
      list: { method: GET, path: /groups }
      create: { method: POST, path: /groups }
      update: { method: PATCH, path: "/groups/{uuid}" }
      delete: { method: DELETE, path: "/groups/{uuid}" }
    identity: { keys: [name] }
    lookup: { list: {}, match: [name] }
    serverId: { uuid: uuid }
    parts:
      - { name: main, read: list, write: { op: update }, attributes: { name: {}, size: { type: number }, zone: {}, fixed: { immutable: true }, owner: { ref: { resolver: owner, emit: id } } } }
`

const start = async (group: JsonObject = {}) => {
  const rows: Record<string, JsonObject[]> = {
    tenants: [{ uuid: 't1', name: 'main', realm: 'north', state: 'OK' }],
    groups: [{ uuid: 'g1', name: 'web', size: 1, zone: 'north', ...group }],
    owners: [{ id: 'o1', name: 'Ann' }],
  }
  const failing = new Set<string>()
  const api = await aLoopback((_, response) => {
    const { method = '', url = '', body } = api.seen.at(-1) ?? { body: '' }
    const [, kind = '', id] = url.split('/')
    const row = rows[kind]?.find((each) => each['uuid'] === id)
    if (row !== undefined && method === 'PATCH') Object.assign(row, JSON.parse(body))
    const answer: Json = failing.has(kind) ? { detail: 'no' } : (row ?? rows[kind] ?? null)
    response.writeHead(failing.has(kind) ? 500 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer))
  })
  const given = testDeps()
  const want = (spec: string): void => {
    const head = `workspace: w\nproviders: { api: { source: rest, definition: ./api.yaml, with: { baseUrl: "${api.url}" } } }`
    const tenant = '  - { type: api_tenant, name: t, spec: { name: main } }'
    given.current.bundle = yaml(
      `${head}\nresources:\n${tenant}\n  - { type: api_group, name: g, spec: { name: web, ${spec} } }\n`,
      {
        'api.yaml': document,
      },
    )
  }
  const check = async () => {
    const { plan, run } = await checkWorkspace({ workspace: 'w', trigger: 'cli', actor }, given.deps)
    return {
      run,
      status: run.status,
      changes:
        plan?.changes.map(({ address, diff, blocked, causes }) => [
          address,
          changedPaths(diff).join(),
          blocked?.reason,
          causes?.[0]?.cause,
        ]) ?? [],
      unchecked: plan?.unchecked.map(({ address, reason, detail }) => `${address} ${reason} ${detail}`) ?? [],
    }
  }
  const tenant = (state: string): void => void Object.assign(rows['tenants']?.[0] ?? {}, { state })
  const writes = () => api.seen.filter(({ method }) => method !== 'GET').length
  return {
    ...given,
    rows,
    failing,
    want,
    check,
    tenant,
    writes,
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  }
}

const zone = 'zone: "${resource.api_tenant.t.realm}"'
const busy = 'api_tenant.t busy it is UPDATING: another change of it is in progress'

describe('a referenced object that is busy', () => {
  it('still has its id, so that resources that name it are compared', async () => {
    await using api = await start({ zone: 't1' })
    api.want('size: 1, zone: "${resource.api_tenant.t.uuid}"')
    api.tenant('UPDATING')
    expect(await api.check()).toMatchObject({ changes: [], unchecked: [busy] })
  })

  it('leaves one value unknown, and everything else is compared', async () => {
    await using api = await start()
    api.want(`size: 1, ${zone}`)
    expect((await api.check()).status).toBe('in_sync')
    api.tenant('UPDATING')
    const open =
      'api_group.g unresolved zone: it refers to api_tenant.t, of which that value is not known; everything else was compared'
    expect(await api.check()).toMatchObject({ changes: [], unchecked: [busy, open], status: 'incomplete' })
    Object.assign(api.rows['groups']?.[0] ?? {}, { size: 2, zone: 'south' })
    const moved = await api.check()
    expect(moved).toMatchObject({
      changes: [['api_group.g', 'size', 'dependency_unknown', 'drift']],
      status: 'incomplete',
    })
    const digest = moved.run.digests?.commands ?? ''
    const request = { workspace: 'w', mode: 'execute', digest, reason: 'r', actor } as const
    const applied = await requestApply(request, api.deps).then(
      ({ id }) => runApply({ workspace: 'w', applyId: id }, api.deps),
      () => undefined,
    )
    expect(applied?.status).not.toBe('running')
    expect(api.writes()).toBe(0)
    // What was not compared was not agreed to meanwhile.
    api.tenant('OK')
    expect((await api.check()).changes.map(([address, paths, blocked]) => [address, paths, blocked])).toEqual([
      ['api_group.g', 'size,zone', undefined],
    ])
  })

  it.each([
    ['it does not exist', 'absent', `size: 1, ${zone}`],
    ['it tells the object from others', 'here', 'size: 1, fixed: "${resource.api_tenant.t.realm}"'],
  ])('leaves the whole resource unchecked where %s', async (_, where, spec) => {
    await using api = await start()
    api.want(spec)
    api.tenant('UPDATING')
    if (where === 'absent') api.rows['groups']?.splice(0)
    const { changes, unchecked } = await api.check()
    expect(changes).toEqual([])
    expect(unchecked).toHaveLength(2)
    expect(unchecked[1]).toContain('it refers to api_tenant.t, of which that value is not known')
    expect(unchecked[1]).not.toContain('everything else')
  })

  it('leaves unknown only the one value that an unreadable list would have given', async () => {
    await using api = await start({ owner: 'o1' })
    api.want('size: 7, owner: Ann')
    api.failing.add('owners')
    const { changes, unchecked } = await api.check()
    expect(changes).toEqual([['api_group.g', 'size', 'dependency_unknown', 'new']])
    expect(unchecked.join()).toMatch(
      /^api_group\.g server_error owner: which owner is "Ann"\? .*answered 500.*; everything else was compared$/,
    )
  })
})

it('law: with unknown values all others are compared as ever, nothing is sent, and nothing is in sync', () => {
  const names = ['a', 'b', 'c', 'd'] as const
  const attributes = Object.fromEntries([
    ['key', { type: 'string', identity: true }],
    ...names.map((name) => [name, { type: 'number' }]),
  ])
  const values = fc.record(Object.fromEntries(names.map((name) => [name, fc.integer({ min: 0, max: 2 })])))
  const plan = (desired: JsonObject, observed: JsonObject, open?: readonly string[]) =>
    planResource({
      desired: {
        address: 't.x',
        type: 't',
        name: 'x',
        module: '',
        provider: 'p',
        attributes: desired,
        absent: false,
        dependsOn: [],
        lifecycle: {},
      } as never,
      facts: { schema: { attributes } as never },
      observed: { kind: 'present', attributes: observed },
      ignoreRules: [],
      today: '2027-01-01',
      ...(open && {
        open: Object.fromEntries(
          open.map((name) => [name, { kind: 'unknown', reason: 'unresolved', detail: 'no' }] as const),
        ),
      }),
    })
  fc.assert(
    fc.property(values, values, fc.subarray([...names], { minLength: 1 }), (left, right, open) => {
      const [desired, observed] = [
        { key: 'k', ...left },
        { key: 'k', ...right },
      ]
      const partial = plan(
        Object.fromEntries(Object.entries(desired).filter(([name]) => !open.includes(name as 'a'))),
        observed,
        open,
      )
      const whole = plan(desired, observed)
      const paths = (of: typeof whole) => (of.change === undefined ? [] : changedPaths(of.change.diff).map(String))
      expect(partial.unchecked).toBeDefined()
      expect(partial.change === undefined || partial.change.blocked !== undefined).toBe(true)
      expect(paths(partial)).toEqual(paths(whole).filter((path) => !open.includes(path as 'a')))
    }),
  )
})
