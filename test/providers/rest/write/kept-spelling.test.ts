import { describe, expect, it } from 'vitest'
import type { Json } from '../../../../core/engine/schema/json.ts'
import { eachOf } from '../../../builders/long.ts'
import { driveThings, startThings } from '../../../builders/servers/things-api.ts'

/* What a write of a whole object does not change is sent back byte for byte, however JavaScript would spell it. */

const documentOf = (facts: string, write = 'send: full', method = 'PUT'): string => `
operations:
  retrieve: { method: GET, path: "/things/{name}" }
  create: { method: PUT, path: "/things/{name}" }
  update: { method: ${method}, path: "/things/{name}" }
  list: { method: GET, path: "/lists/{name}" }
  replace: { method: PUT, path: "/lists/{name}" }
  removeCfg: { method: DELETE, path: "/things/{name}/cfg" }
identity: { keys: [name] }
lookup: { retrieve: true }
lifecycle: { preventDelete: true }
parts:
  - name: main
    read: retrieve
    write: { op: update, ${write} }
    attributes: { name: {}, note: { leftOut: true }, v: ${facts} }
`

/** The text that the server has after an apply. */
const applied = async (document: string, there: string, spec: Record<string, Json>, path = '/things/x') => {
  await using server = await startThings()
  server.state.set('/things/x', '{"name":"x"}')
  server.state.set(path, there)
  const drive = driveThings(server, document, { x: { name: 'x', ...spec } })
  const { plan, digest } = await drive.check()
  expect(await drive.apply(digest)).toMatchObject({ status: 'succeeded' })
  return { text: server.state.get(path), plan }
}

const big = '12345678901234567890'

describe('a write of a whole object keeps', () => {
  eachOf(
    it,
    7,
  )<[string, string, string]>([
    ['an integer beyond 2^53', '{ type: number, leftOut: true }', big],
    ['the zeros of a fraction', '{ type: number }', '1.10'],
    ['an exponent', '{ type: number }', '1e2'],
    ['numbers inside of any JSON', '{ type: any }', `{"a":[${big},{"b":1.0}]}`],
    ['numbers in a map', '{ type: map, element: { type: any } }', `{"k":${big},"l":2.50}`],
    ['numbers in elements', '{ type: list, element: { type: any } }', `[1.0,${big}]`],
    [
      'members of elements',
      '{ type: set, key: [k], element: { type: object, attributes: { k: {} } } }',
      `[{"k":"a","n":${big}}]`,
    ],
    ['null for the default', '{ type: list, element: {}, default: [d] }', 'null'],
    ['a word for nothing', '{ missing: [n/a], default: dd }', '"n/a"'],
    ['a number in a text', '{ type: number, as: text, normalise: [number] }', '"007"'],
    ['spaces in a list that is a text', '{ type: set, as: comma, normalise: [commaList], element: {} }', '"b, a"'],
  ])('as it was read: %s', async (_, facts, value) => {
    const { text } = await applied(documentOf(facts), `{"name":"x","note":"old","v":${value}}`, { note: 'new' })
    expect(text).toBe(`{"name":"x","note":"new","v":${value}}`)
  })

  it.each(['changed', 'full'])('what nobody names of any JSON, with send: %s', async (send) => {
    const document = documentOf('{ type: any, partial: true }', `send: ${send}`)
    const there = `{"name":"x","v":{"a":[{"x":${big},"y":1.0}],"b":1,"c":{"d":${big},"e":1}}}`
    const { text } = await applied(document, there, { v: { b: 2, c: { e: 3 } } })
    expect(text).toBe(there.replace('"b":1', '"b":2').replace('"e":1', '"e":3'))
  })

  it('what nobody names of any JSON in an element that a PATCH changes, and nothing else of the element', async () => {
    const document = documentOf('{ leftOut: true }')
      .replace('  removeCfg:', '  change: { method: PATCH, path: "/lists/{name}/{el.k}" }\n  removeCfg:')
      .concat(`  - name: rules
    read: { op: list, list: { as: rules, items: items } }
    collection:
      field: rules
      key: [k]
      element: { k: {}, v: { type: any, partial: true } }
      write: { each: { create: replace, update: change, remove: removeCfg } }
`)
    await using server = await startThings()
    server.state.set('/things/x', '{"name":"x"}')
    server.state.set('/lists/x', `{"items":[{"k":"a","own":1,"v":{"a":${big},"b":1.0}}]}`)
    const drive = driveThings(server, document, { x: { name: 'x', rules: [{ k: 'a', v: { b: 2 } }] } })
    await drive.apply((await drive.check()).digest)
    expect(server.writes().map(({ body }) => body)).toEqual([`{"k":"a","v":{"a":${big},"b":2}}`])
  })

  eachOf(
    it,
    1,
  )<[string, string, string, (value: string) => string]>([
    [
      'changed members in a PATCH of one',
      'change: { method: PATCH, path: "/lists/{name}/{el.k}", body: "{changed}" }',
      'each: { create: change, update: change, remove: removeCfg }',
      (value) => `{"v":${value}}`,
    ],
    [
      'members in a PUT of one',
      'change: { method: PUT, path: "/lists/{name}/{el.k}", body: { k: "{el.k}", v: "{el.v}", own: 1 } }',
      'each: { create: change, update: change, remove: removeCfg }',
      (value) => `{"k":"a","v":${value},"own":1}`,
    ],
    [
      'changed members in one request for several',
      'change: { method: PATCH, path: "/lists/{name}" }',
      'op: change, body: { items: "{changes}" }, batch: 5, upsert: { k: "{el.k}", set: "{changed}" }',
      (value) => `{"items":[{"k":"a","set":{"v":${value}}}]}`,
    ],
    [
      'a whole list in a form of the document',
      'change: { method: PUT, path: "/lists/{name}" }',
      'op: change, body: { items: "{all}" }, upsert: { k: "{el.k}", v: "{el.v}", kind: fixed }',
      (value) => `{"items":[{"k":"a","own":1,"v":${value},"kind":"fixed"}]}`,
    ],
  ])('what nobody names of elements: %s', async (_, operation, write, body) => {
    const kinds: [facts: string, there: string, wanted: Json, sent: string][] = [
      ['type: any, partial: true', `{"a":[${big},1.0],"b":1}`, { b: 2 }, `{"a":[${big},1.0],"b":2}`],
      ['type: any', '{"a":1.0,"e":1e2,"b":1}', { a: 1, e: 100, b: 2 }, '{"a":1.0,"e":1e2,"b":2}'],
      ['type: object, attributes: { b: { type: number } }', `{"a":${big},"b":1}`, { b: 2 }, `{"a":${big},"b":2}`],
      ['type: map, manage: declared, element: { type: any }', `{"a":${big},"b":1}`, { b: 2 }, `{"a":${big},"b":2}`],
    ]
    for (const [facts, there, v, sent] of kinds) {
      const document = documentOf('{ leftOut: true }')
        .replace('  removeCfg:', `  ${operation}\n  removeCfg:`)
        .concat(`  - name: rules
    read: { op: list, list: { as: rules, items: items } }
    collection:
      field: rules
      key: [k]
      element: { k: {}, v: { ${facts} } }
      write: { ${write} }
`)
      await using server = await startThings()
      server.state.set('/things/x', '{"name":"x"}')
      server.state.set('/lists/x', `{"items":[{"k":"a","own":1,"v":${there}}]}`)
      const drive = driveThings(server, document, { x: { name: 'x', rules: [{ k: 'a', v }] } })
      const { plan, digest } = await drive.check()
      expect(plan.commands).toMatchObject([{ grade: 'reversible' }])
      await drive.apply(digest)
      expect(server.writes().map((each) => each.body)).toEqual([body(sent)])
    }
  })

  it('numbers of elements that are read as a list and written as a whole', async () => {
    const document = documentOf('{ leftOut: true }').concat(`  - name: rules
    read: { op: list, list: { as: rules, items: items } }
    collection:
      field: rules
      key: [k]
      element: { k: {}, size: { type: number } }
      write: { op: replace, body: { items: "{all}" } }
`)
    const there = `{"items":[{"k":"a","size":1.0,"n":${big}},{"k":"b","size":2}]}`
    const rules = [
      { k: 'a', size: 1 },
      { k: 'b', size: 3 },
    ]
    const { text } = await applied(document, there, { rules }, '/lists/x')
    expect(text).toBe(there.replace('"size":2', '"size":3'))
  })

  it('the order of equal elements, with what nobody names of them', async () => {
    const facts = '{ type: list, element: { type: object, attributes: { n: {} } } }'
    const there = '{"name":"x","v":[{"n":"p","x":1},{"n":"p","x":2},{"n":"q","x":3}]}'
    const { text } = await applied(documentOf(facts), there, { v: [{ n: 'q' }, { n: 'p' }, { n: 'p' }] })
    expect(text).toBe('{"name":"x","v":[{"n":"q","x":3},{"n":"p","x":1},{"n":"p","x":2}]}')
  })
})

describe('a key of a map that every JavaScript object has', () => {
  it.each(['mergePatch', 'jsonPatch'])('is removed like any other with send: %s', async (send) => {
    const facts = '{ type: map, element: {} }'
    const there = '{"name":"x","v":{"__proto__":"1","constructor":"2","toString":"3","kept":"4"}}'
    const { text, plan } = await applied(documentOf(facts, `send: ${send}`, 'PATCH'), there, { v: { kept: '4' } })
    expect(text).toBe('{"name":"x","v":{"kept":"4"}}')
    expect(JSON.stringify(plan)).not.toContain('native code')
  })
})

describe('a part that is removed', () => {
  it('is lossy by what the document does not name of it', async () => {
    const document = documentOf('{ leftOut: true }')
      .replace(/v: .*\n$/, 'on: { type: boolean, path: cfg.on, default: false } }\n')
      .replace('op: update, send: full', 'op: update, send: full, remove: removeCfg')
    await using server = await startThings()
    server.state.set('/things/x', '{"name":"x","cfg":{"on":true,"other":5}}')
    const cfg = document.replace(
      'attributes: { name: {}, note: { leftOut: true }, on',
      'attributes: { name: { in: path }, on',
    )
    const { plan } = await driveThings(server, cfg, { x: { name: 'x', on: false } }).check()
    expect(plan.commands).toMatchObject([{ grade: 'lossy', request: { method: 'DELETE' } }])
    expect(JSON.stringify(plan.commands)).toContain('/cfg/other')
  })
})
