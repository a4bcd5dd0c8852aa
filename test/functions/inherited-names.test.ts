import { describe, expect, test } from 'vitest'
import { loadProviders } from '../../core/providers/load-providers.ts'
import { testApi, testDeps } from '../builders/aws/api.ts'

/*
 * Names that every object has already. Whoever looks one up in a table of ours must find what the table holds, and nothing
 * that an object brings along.
 */
const names = Object.getOwnPropertyNames(Object.prototype)
const workspaceNames = names.filter((name) => /^[a-z0-9][a-z0-9-]{0,62}$/.test(name))
const scope = 'read check apply configure'

const api = () => testApi(testDeps({ providers: loadProviders }).deps)
const untouched = (): void => {
  expect(Object.getOwnPropertyNames(Object.prototype).sort()).toEqual([...names].sort())
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
}
const configuration = (workspace = 'acme'): string => JSON.stringify({ workspace, providers: {}, resources: [] })
const put = (text: string, more: Record<string, unknown> = {}) =>
  `{"entry":"plumbline.json","files":{"plumbline.json":${JSON.stringify(text)}${Object.entries(more)
    .map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`)
    .join('')}}}`
const json = { 'content-type': 'application/json' }

/** What a request may hold such a name in. */
const places: readonly [string, (name: string) => Parameters<ReturnType<typeof testApi>>][] = [
  ['a media type', (name) => ['PUT', '/v1/workspaces/acme', { scope, body: '{}', headers: { 'content-type': name } }]],
  [
    'a media type of an apply',
    (name) => ['POST', '/v1/workspaces/acme/apply', { scope, body: '{}', headers: { 'content-type': `${name}; q=1` } }],
  ],
  ['what is accepted', (name) => ['GET', '/v1/workspaces', { scope, headers: { accept: name } }]],
  ['an encoding', (name) => ['GET', '/v1/workspaces', { scope, headers: { 'accept-encoding': name } }]],
  ['a header', (name) => ['GET', '/v1/workspaces', { scope, headers: { [name]: 'x' } }]],
  ['a path', (name) => ['GET', `/${name}`, { scope }]],
  ['a path of the API', (name) => ['GET', `/v1/${name}`, { scope }]],
  ['a workspace', (name) => ['GET', `/v1/workspaces/${name}`, { scope }]],
  ['a run', (name) => ['GET', `/v1/workspaces/acme/runs/${name}`, { scope }]],
  ['a plan', (name) => ['GET', `/v1/workspaces/acme/runs/${name}/plan`, { scope }]],
  ['an apply', (name) => ['GET', `/v1/workspaces/acme/applies/${name}`, { scope }]],
  ['a query', (name) => ['GET', '/v1/workspaces', { scope, query: `${name}=1` }]],
  ['a query of a ledger', (name) => ['GET', '/v1/workspaces/acme/ledger', { scope, query: `${name}=1` }]],
  ['a cursor', (name) => ['GET', '/v1/workspaces', { scope, query: `cursor=${name}` }]],
  [
    'a member of a body',
    (name) => ['PUT', '/v1/workspaces/acme', { scope, headers: json, body: `{"${name}":{"polluted":1}}` }],
  ],
  [
    'a file',
    (name) => ['PUT', '/v1/workspaces/acme', { scope, headers: json, body: put(configuration(), { [name]: 'x' }) }],
  ],
  [
    'an entry',
    (name) => ['PUT', '/v1/workspaces/acme', { scope, headers: json, body: `{"entry":"${name}","files":{}}` }],
  ],
  [
    'a target',
    (name) => [
      'POST',
      '/v1/workspaces/acme/apply',
      { scope, json: { mode: 'check', digest: `sha256:${'0'.repeat(64)}`, reason: 'x', targets: [name] } },
    ],
  ],
  ['a scope', (name) => ['GET', '/v1/workspaces', { scope: name }]],
]

/** What a configuration may hold such a name in. */
const written: readonly [string, (name: string) => string][] = [
  ['a key', (name) => `{"workspace":"acme","${name}":{"polluted":1}}`],
  ['an alias', (name) => `{"workspace":"acme","providers":{"${name}":{"source":"host","with":{"root":"/srv"}}}}`],
  ['a source', (name) => `{"workspace":"acme","providers":{"p":{"source":"${name}"}}}`],
  [
    'a setting',
    (name) => `{"workspace":"acme","providers":{"p":{"source":"host","with":{"root":"/srv","${name}":1}}}}`,
  ],
  ['a definition', (name) => `{"workspace":"acme","providers":{"p":{"source":"rest","definition":"${name}"}}}`],
  [
    'a type',
    (name) =>
      `{"workspace":"acme","providers":{"p":{"source":"host","with":{"root":"/srv"}}},"resources":[{"type":"${name}","name":"a","spec":{}}]}`,
  ],
  [
    'a type of a provider',
    (name) =>
      `{"workspace":"acme","providers":{"p":{"source":"host","with":{"root":"/srv"}}},"resources":[{"type":"${name}","provider":"p","name":"a","spec":{}}]}`,
  ],
  [
    'a provider',
    (name) => `{"workspace":"acme","resources":[{"type":"host_file","provider":"${name}","name":"a","spec":{}}]}`,
  ],
  [
    'a name',
    (name) =>
      `{"workspace":"acme","providers":{"p":{"source":"host","with":{"root":"/srv"}}},"resources":[{"type":"host_file","name":"${name}","spec":{"path":"a","content":"x"}}]}`,
  ],
  [
    'an attribute',
    (name) =>
      `{"workspace":"acme","providers":{"p":{"source":"host","with":{"root":"/srv"}}},"resources":[{"type":"host_file","name":"a","spec":{"path":"a","content":"x","${name}":"x"}}]}`,
  ],
  [
    'a file of a resource',
    (name) =>
      `{"workspace":"acme","providers":{"p":{"source":"host","with":{"root":"/srv"}}},"resources":[{"type":"host_file","name":"a","spec":{"path":"a","source":"${name}"}}]}`,
  ],
  ['a variable', (name) => `{"workspace":"acme","variables":{"${name}":{"type":"string","default":"x"}}}`],
  ['a variable that is asked for', (name) => `{"workspace":"acme","variables":{},"schedule":"\${var.${name}}"}`],
  [
    'a variable in an attribute',
    (name) => `{"workspace":"acme","providers":{"p":{"source":"host","with":{"root":"\${var.${name}}"}}}}`,
  ],
  [
    'a reference',
    (name) =>
      `{"workspace":"acme","providers":{"p":{"source":"host","with":{"root":"/srv"}}},"resources":[{"type":"host_file","name":"a","spec":{"path":"a","content":"\${resource.host_file.${name}.path}"}}]}`,
  ],
  [
    'an attribute of a reference',
    (name) =>
      `{"workspace":"acme","providers":{"p":{"source":"host","with":{"root":"/srv"}}},"resources":[{"type":"host_file","name":"a","spec":{"path":"a","content":"\${resource.host_file.b.${name}}"}},{"type":"host_file","name":"b","spec":{"path":"b","content":"x"}}]}`,
  ],
  [
    'a dependency',
    (name) =>
      `{"workspace":"acme","providers":{"p":{"source":"host","with":{"root":"/srv"}}},"resources":[{"type":"host_file","name":"a","spec":{"path":"a","content":"x"},"dependsOn":["${name}"]}]}`,
  ],
  ['a schedule', (name) => `{"workspace":"acme","schedule":"${name}"}`],
  ['a time zone', (name) => `{"workspace":"acme","schedule":"rate(1 hour)","timezone":"${name}"}`],
  ['a severity', (name) => `{"workspace":"acme","alerts":{"minSeverity":"${name}"}}`],
  ['a grade', (name) => `{"workspace":"acme","policy":{"allowGrades":["${name}"]}}`],
  ['a word for what is unmanaged', (name) => `{"workspace":"acme","unmanaged":"${name}"}`],
]

const each = <Case>(cases: readonly (readonly [string, Case])[]) =>
  cases.flatMap(([place, make]) => names.map((name) => [place, name, make] as const))

describe('the API never fails by itself', () => {
  test.each(each(places))('accepts or refuses as %s the inherited name %s', async (_place, name, make) => {
    const { status, json: body } = await api()(...make(name))
    expect([status < 500, body['code']]).toEqual([true, status < 400 ? undefined : expect.any(String)])
    untouched()
  })

  test.each(each(written))(
    'accepts or refuses as %s of a configuration the inherited name %s',
    async (_place, name, make) => {
      const { status } = await api()('PUT', '/v1/workspaces/acme', { scope, headers: json, body: put(make(name)) })
      expect([200, 422]).toContain(status)
      untouched()
    },
  )
})

test.each(workspaceNames)('a workspace with the name %s works like all others', async (name) => {
  const call = api()
  const path = `/v1/workspaces/${name}`
  expect((await call('GET', path, { scope })).status).toBe(404)
  const stored = await call('PUT', path, { scope, headers: json, body: put(configuration(name)) })
  expect(stored.status).toBe(200)
  expect((await call('GET', path, { scope })).json['id']).toBe(name)
  expect((await call('GET', `${path}/runs`, { scope })).json['items']).toEqual([])
})
