import { describe, expect, it } from 'vitest'
import type { Json } from '../../../../core/engine/schema/json.ts'
import { driveThings, startThings } from '../../../builders/servers/things-api.ts'

/** Parents and what is made inside them, with a variable of the parent in every place that a request has. */
const documentOf = (create: string, query = ''): string => `
operations:
  list: { method: GET, path: /things }
  retrieve: { method: GET, path: "/things/{id}" }
  create: ${create}
  update: { method: PATCH, path: "/things/{id}" }
  delete: { method: DELETE, path: "/things/{id}" }
identity: { keys: [name] }
lookup: { list: { items: items${query} }, match: [name] }
serverId: { id: id }
parts:
  - name: main
    read: retrieve
    write: { op: update }
    attributes:
      name: { immutable: true }
      parent: { ref: { type: api_thing, emit: id }, immutable: true }
      note: {}
`

const open = async (document: string, specs: Readonly<Record<string, Json>>) => {
  const server = await startThings({
    route: ({ method, url }, state) => {
      if (method !== 'GET' || url.split('?')[0] !== '/things') return undefined
      const items = [...state].flatMap(([path, text]) => (/^\/things\/[^/]+$/.test(path) ? [JSON.parse(text)] : []))
      return { status: 200, body: JSON.stringify({ items }) }
    },
  })
  return { server, drive: driveThings(server, document, specs) }
}

const places = {
  'the query': '{ method: POST, path: /things, query: { scope: "{VARIABLE}" } }',
  'the body':
    '{ method: POST, path: /things, body: { name: "{name}", scope: "{VARIABLE}", parent: "{parent?}", ABOUT: "{note?}" } }',
  'a text of the body':
    '{ method: POST, path: /things, body: { name: "{name}", scopes: ["s/{VARIABLE}"], parent: "{parent?}", ABOUT: "{note?}" } }',
} as const

const family = { a: { name: 'a' }, b: { name: 'b', parent: '${resource.api_thing.a.id}' } }

describe('a variable without a value', () => {
  it.each(['the query', 'the body', 'a text of the body'] as const)(
    'in %s blocks its command, with the reason',
    async (place) => {
      const { server, drive } = await open(documentOf(places[place].replace('{VARIABLE}', '{desired.note}')), {
        a: { name: 'a' },
      })
      await using _ = server
      const { plan } = await drive.check()
      expect(plan.commands).toEqual([])
      expect(plan.changes).toMatchObject([
        { blocked: { reason: 'value_missing', detail: expect.stringContaining('{desired.note}') } },
      ])
      expect(plan.inSync).toBe(false)
    },
  )

  it.each(['the query', 'the body', 'a text of the body'] as const)(
    'in %s is left out where the document says so',
    async (place) => {
      const { server, drive } = await open(documentOf(places[place].replace('{VARIABLE}', '{desired.note?}')), {
        a: { name: 'a' },
      })
      await using _ = server
      const { plan } = await drive.check()
      expect(plan.commands).toHaveLength(1)
      expect(JSON.stringify(plan.commands[0]?.request)).not.toContain('note')
      expect(JSON.stringify(plan.commands[0]?.request)).not.toContain('scope=')
    },
  )

  it('blocks its dependents too, and nothing else', async () => {
    const create = places['the body'].replace('{VARIABLE}', '{desired.note}')
    const { server, drive } = await open(documentOf(create), {
      ...family,
      b: { ...family.b, note: 'n' },
      c: { name: 'c', note: 'n' },
    })
    await using _ = server
    const { plan } = await drive.check()
    expect(plan.commands.map(({ address }) => address)).toEqual(['api_thing.c'])
    expect(plan.changes.map(({ address, blocked }) => [address, blocked?.reason]).toSorted()).toEqual([
      ['api_thing.a', 'value_missing'],
      ['api_thing.b', 'dependency_unknown'],
      ['api_thing.c', undefined],
    ])
  })

  it('makes a read unknown instead of wider', async () => {
    const { server, drive } = await open(documentOf('{ method: POST, path: /things }', ', query: { note: "{note}" }'), {
      a: { name: 'a' },
    })
    await using _ = server
    const { plan } = await drive.check()
    expect(plan.unchecked).toMatchObject([{ address: 'api_thing.a', reason: 'unresolved' }])
  })
})

describe('a member of another object that the same plan creates', () => {
  it.each(['the query', 'the body', 'a text of the body'] as const)(
    'is filled in when that object exists, in %s',
    async (place) => {
      const create = places[place].replace('{VARIABLE}', '{refs.parent.scope.code?}')
      const { server, drive } = await open(documentOf(create), family)
      await using _ = server
      // What the server makes of a parent by itself, and tells when it is read.
      server.behaviour.before = ({ method }, state) => {
        if (method !== 'GET') return
        for (const [path, text] of state) {
          state.set(path, JSON.stringify({ ...JSON.parse(text), scope: { code: `c/${path.split('/').at(-1)}` } }))
        }
      }
      const { plan, digest } = await drive.check()
      expect(JSON.stringify(plan.commands[1]?.request)).toContain('/object/scope/code')
      const applied = await drive.apply(digest)
      expect(applied.outcomes.map(({ status, detail }) => [status, detail])).toEqual([
        ['succeeded', undefined],
        ['succeeded', undefined],
      ])
      const sent = server.writes()[1]
      expect(`${decodeURIComponent(sent?.url ?? '')} ${sent?.body}`).toContain('c/1')
    },
  )

  it('blocks its command if the created object does not have it', async () => {
    const create = places['the query'].replace('{VARIABLE}', '{refs.parent.scope.code?}')
    const { server, drive } = await open(documentOf(create), family)
    await using _ = server
    const { digest } = await drive.check()
    const applied = await drive.apply(digest)
    expect(applied.outcomes.map(({ status }) => status)).toEqual(['succeeded', 'failed'])
    expect(server.writes()).toHaveLength(1)
  })
})
