import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PlannedChange } from '../../../../core/engine/provider/provider.ts'
import type { Json, JsonObject } from '../../../../core/engine/schema/json.ts'
import { long } from '../../../builders/long.ts'
import { linesOf, providerOf, typeOf } from '../../../builders/workspaces/rest.ts'

const document = `
provider:
  id: things
  baseUrl: "http://api.test/v1"
  with: { tenant: { default: t1 } }
  headers: { X-Version: "2" }
resources:
  api_thing:
    operations:
      list: { method: GET, path: "/{with.tenant}/things" }
      retrieve: { method: GET, path: "/{with.tenant}/things/{id}" }
      create: { method: POST, path: "/{with.tenant}/owners/{owner}/things", body: { thing: "{fields}" }, produces: { id: thing.id } }
      update: { method: PATCH, path: "/{with.tenant}/things/{id}", headers: { X-Kind: patch } }
      rename: { method: POST, path: "/{with.tenant}/things/{id}/rename", success: [202], grade: irreversible }
      members: { method: PUT, path: "/{with.tenant}/things/{id}/members" }
      links: { method: POST, path: "/{with.tenant}/things/{id}/links" }
      delete: { method: DELETE, path: "/{with.tenant}/things/{id}", query: { force: true } }
    identity: { keys: [owner, name] }
    lookup: { list: {}, match: [owner, name] }
    serverId: { id: id }
    parts:
      - name: main
        read: retrieve
        write: { op: update }
        attributes:
          owner: { in: path }
          name: { immutable: true }
          size: { type: number, send: spec.size, as: text }
          tags: { type: list, element: {}, as: comma, send: spec.tags }
          rules: { type: any, as: json }
          token: { sensitive: true, writeOnly: true }
          hint: { sendOn: create }
      - name: title
        read: retrieve
        onCreate: after
        write: { op: rename, send: template, body: { to: "{desired.title}", from: "{before.title?}" } }
        attributes: { title: {} }
      - name: members
        read: retrieve
        onCreate: after
        collection:
          field: members
          key: [user]
          element: { user: {}, role: {}, since: { computed: true } }
          write: { op: members, body: { list: "{all}" } }
      - name: links
        read: retrieve
        collection:
          field: links
          key: [to]
          element: { to: { send: target }, label: {} }
          write: { op: links, batch: 2, body: { add: "{upserts}", drop: "{removes}" }, remove: "{key.target}" }
`
const type = typeOf(providerOf(document, {}), 'api_thing')
const base = { owner: 'o/1', name: 'one' }

const change = (more: Partial<PlannedChange>): PlannedChange => ({
  address: 'api_thing.one',
  action: 'update',
  desired: base,
  before: base,
  after: base,
  diff: { kind: 'value', action: 'same' },
  changed: [],
  ids: { id: '7' },
  ...more,
})
const commands = (more: Partial<PlannedChange>) => type.commands(change(more))
const update = (before: JsonObject, after: JsonObject) =>
  commands({
    desired: { ...base, ...after },
    before: { ...base, ...before },
    after: { ...base, ...before, ...after },
    changed: Object.keys(after).map((name) => [name]),
  })
const lines = (drafts: ReturnType<typeof commands>) => linesOf(drafts, 'http://api.test/v1')

describe('the command of a create', () => {
  const desired = {
    ...base,
    size: 3,
    tags: ['a', 'b'],
    rules: { b: 1 },
    hint: 'x',
    title: 'T',
    members: [{ user: 'u' }],
    links: [],
  }

  it('sends inline parts in one body, then the others with the id in the answer', () => {
    const drafts = commands({ action: 'create', desired, before: null, after: desired })
    const thing = '/t1/things/(known after apply: api_thing.one /ids/id)'
    expect(lines(drafts)).toEqual([
      [
        'POST /t1/owners/o%2F1/things',
        { thing: { name: 'one', spec: { size: '3', tags: 'a,b' }, rules: '{"b":1}', hint: 'x', links: [] } },
      ],
      [`POST ${thing}/rename`, { to: 'T' }],
      [`PUT ${thing}/members`, { list: [{ user: 'u' }] }],
    ])
    expect(drafts[0]).toMatchObject({ produces: { '/ids/id': '/thing/id' }, grade: 'reversible' })
    expect(drafts[1]).toMatchObject({ grade: 'irreversible', success: [202] })
    expect(drafts[0]?.request.headers).toMatchObject({ 'X-Version': '2', 'Content-Type': 'application/json' })
  })

  it('keeps a place for a value that another resource will have', () => {
    const after = { ...base, owner: { $after: 'api_owner.x', pointer: '/attributes/id' } }
    const [[line, body] = ['']] = lines(commands({ action: 'create', desired: after, before: null, after }))
    expect(line).toBe('POST /t1/owners/(known after apply: api_owner.x /attributes/id)/things')
    expect(body).toEqual({ thing: { name: 'one' } })
  })

  it('keeps secrets as references, and builds texts around them', () => {
    const secret = { $secret: 'env:A', digest: 'd' }
    const after = { ...base, token: secret, tags: ['a', secret] }
    const [draft] = commands({ action: 'create', desired: after, before: null, after })
    expect(draft?.request.body).toEqual({
      thing: { name: 'one', token: secret, spec: { tags: { $concat: ['a', ',', secret] } } },
    })
  })
})

describe('the command of an update', () => {
  it('sends the differences, and can be undone with the former values', () => {
    const [draft] = update({ size: 1, tags: ['a'] }, { size: 2 })
    expect(draft).toMatchObject({
      action: 'update',
      description: 'set size',
      grade: 'reversible',
      request: { method: 'PATCH', effect: 'write', body: { spec: { size: '2' } }, headers: { 'X-Kind': 'patch' } },
      inverse: { method: 'PATCH', body: { spec: { size: '1' } } },
    })
  })

  it.each<[string, JsonObject, JsonObject]>([
    ['nobody knows what was there', {}, { size: 2 }],
    ['the value cannot be read', { token: 'x' }, { token: { $secret: 'env:A' } }],
    ['a secret was there', { rules: { $sealed: 'd' } }, { rules: 1 }],
  ])('is lossy where %s', (_, before, after) => {
    const [draft] = update(before, after)
    expect(draft).toMatchObject({ grade: 'lossy' })
    expect(draft).not.toHaveProperty('inverse')
  })

  it('clears a value with null, and empties a list with an empty list', () => {
    expect(lines(update({ size: 1, tags: ['a'] }, { size: null, tags: [] }))).toEqual([
      ['PATCH /t1/things/7', { spec: { size: null, tags: '' } }],
    ])
  })

  it('treats a text as text where it looks like a template', () => {
    expect(lines(update({ title: 'old' }, { title: 'new' }))).toEqual([
      ['POST /t1/things/7/rename', { to: 'new', from: 'old' }],
    ])
  })

  it('writes a whole list, without values that the server computes', () => {
    const before = [{ user: 'a', role: 'r', since: 1 }]
    const after = [...before, { user: 'b' }]
    expect(lines(update({ members: before }, { members: after }))).toEqual([
      ['PUT /t1/things/7/members', { list: [{ user: 'a', role: 'r' }, { user: 'b' }] }],
    ])
    expect(lines(update({ members: before }, { members: [] }))).toEqual([['PUT /t1/things/7/members', { list: [] }]])
  })

  it('writes elements in batches, removals first, by key', () => {
    const before = [{ to: 'z', label: '1' }, { to: 'a' }]
    const after = [{ to: 'z', label: '2' }, { to: 'c' }]
    expect(lines(update({ links: before }, { links: after }))).toEqual([
      ['POST /t1/things/7/links', { add: [{ target: 'c' }], drop: ['a'] }],
      ['POST /t1/things/7/links', { add: [{ target: 'z', label: '2' }], drop: [] }],
    ])
  })
})

describe('the commands of a delete and a replacement', () => {
  it('delete with the query of the document, and can be undone by a create', () => {
    const before = { ...base, size: 1, title: undefined as never }
    const { title: _, ...known } = before
    const [draft] = commands({ action: 'delete', before: known, after: null })
    expect(draft).toMatchObject({
      action: 'delete',
      grade: 'lossy',
      request: { method: 'DELETE', url: 'http://api.test/v1/t1/things/7?force=true' },
      inverse: { method: 'POST', body: { thing: { name: 'one', spec: { size: '1' } } } },
    })
    expect(draft?.request).not.toHaveProperty('body')
  })

  it('have no inverse where one request is not enough', () => {
    expect(commands({ action: 'delete', before: { ...base, title: 'T' }, after: null })[0]).not.toHaveProperty(
      'inverse',
    )
  })

  it.each([
    ['deleteFirst', ['DELETE', 'POST']],
    ['createFirst', ['POST', 'DELETE']],
  ] as const)('replace in the order %s', (replaceOrder, methods) => {
    const drafts = commands({ action: 'replace', replaceOrder, after: { ...base, size: 2 } })
    expect(drafts.map(({ request }) => request.method)).toEqual(methods)
  })

  it('do not copy a secret digest to the new object', () => {
    const after = { ...base, rules: { inner: { $sealed: 'd' } } }
    const drafts = commands({ action: 'replace', before: after, after })
    const sent = JSON.stringify(drafts.map(({ request }) => request))
    expect(sent).not.toContain('$sealed')
    expect(sent).not.toContain('live:')
  })
})

describe('values that cannot be in a request', () => {
  it.each<[string, JsonObject, string]>([
    ['a secret in JSON text', { ...base, rules: { a: { $secret: 'env:A' } } }, 'rules is sent as JSON text'],
    ...['d,e', '', ' a'].map((tag): [string, JsonObject, string] => [
      'an element that commas do not keep',
      { ...base, tags: ['b', tag] },
      'tags.1 is sent in a text of elements between commas',
    ]),
    [
      'an element without any value',
      { ...base, links: [{ to: 'a' }, { label: null }] },
      'links.1 has no value for any',
    ],
    ['a name that a URL loses', { ...base, owner: '..' }, 'owner cannot be "..": it is part of a URL'],
  ])('block the change with the reason: %s', (_, attributes, message) => {
    expect(type.validate?.(attributes).map((problem) => problem.message)).toEqual([expect.stringContaining(message)])
  })
})

describe('laws of commands', () => {
  const shuffled = (value: Json, seed: number): Json => {
    if (Array.isArray(value)) return value.map((child: Json) => shuffled(child, seed))
    if (typeof value !== 'object' || value === null) return value
    const members = Object.entries(value).map(([name, child]) => [name, shuffled(child, seed)] as const)
    return Object.fromEntries(seed % 2 === 0 ? members : members.toReversed())
  }
  const attributes = fc.record(
    {
      size: fc.integer(),
      tags: fc.array(fc.string()),
      rules: fc.jsonValue() as fc.Arbitrary<Json>,
      title: fc.string(),
      links: fc.uniqueArray(fc.record({ to: fc.string(), label: fc.string() }), { selector: ({ to }) => to }),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<JsonObject>

  it('the order of members has no effect, and nothing given is changed', long, () => {
    fc.assert(
      fc.property(
        attributes,
        attributes,
        fc.constantFrom('create', 'update', 'delete', 'replace'),
        (before, after, action) => {
          const given: Partial<PlannedChange> = {
            action,
            desired: { ...base, ...after },
            before: { ...base, ...before },
            after: { ...base, ...before, ...after },
            changed: Object.keys(after).map((name) => [name]),
          }
          const copy = structuredClone(given)
          const other = {
            ...given,
            ...(shuffled(
              { desired: given.desired, before: given.before, after: given.after } as JsonObject,
              1,
            ) as JsonObject),
          }
          expect(commands(other as Partial<PlannedChange>)).toEqual(commands(given))
          expect(given).toEqual(copy)
        },
      ),
    )
  })
})

describe('the inverse of a create', () => {
  const archived = `
provider: { id: things, baseUrl: "http://api.test" }
resources:
  api_thing:
    operations:
      list: { method: GET, path: /things }
      create: { method: POST, path: /things, produces: { id: id } }
      archive: { method: POST, path: "/things/{id}/archive", body: { reason: "removed {name}" } }
    identity: { keys: [name] }
    lookup: { list: {}, match: [name] }
    serverId: { id: id }
    lifecycle: { delete: { op: archive } }
    parts: [{ name: main, read: list, attributes: { name: { immutable: true } } }]
`
  it('is the delete as the document defines it, with its body', () => {
    const [create] = typeOf(providerOf(archived, {}), 'api_thing').commands(
      change({ action: 'create', desired: { name: 'one' }, before: null, after: { name: 'one' }, ids: {} }),
    )
    expect(create?.inverse).toMatchObject({
      url: ['http://api.test/things/', { $after: 'api_thing.one', pointer: '/ids/id' }, '/archive'],
      body: { reason: 'removed one' },
    })
  })
})
