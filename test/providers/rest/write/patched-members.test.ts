import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { anApi, planOne, providerOf, typeOf } from '../../../builders/workspaces/rest.ts'

/* Many servers merge the members of an object alone: what a PATCH has there takes the place of all that was there, or is named. */

interface Facts {
  readonly write?: string
  readonly update?: string
  readonly attributes?: string
  readonly more?: string
}

const a = 'a: { type: number, path: spec.a }'

const documentOf = ({ write = 'op: update', update = '', attributes = a, more = '' }: Facts): string => `
provider: { id: api, baseUrl: "http://api.test", with: { form: { default: text, values: [text, object] } } }
resources:
  api_thing:
    operations:
      retrieve: { method: GET, path: "/things/{name}" }
      create: { method: POST, path: /things }
      update: { method: PATCH, path: "/things/{name}"${update} }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    lifecycle: { preventDelete: true }
    parts:
      - { name: main, read: retrieve, write: { ${write} }, attributes: { name: { immutable: true }, ${attributes} } }
${more}`

const planned = async (facts: Facts, body: JsonObject, spec: JsonObject) => {
  const api = anApi({ 'GET /things/x': { body: { name: 'x', ...body } } })
  const { commands } = await planOne(
    typeOf(providerOf(documentOf(facts), {}), 'api_thing'),
    { spec: { name: 'x', ...spec } },
    api,
  )
  return commands.map(({ loses, grade }) => ({ loses, grade }))
}

const there = {
  spec: { a: 1, b: 2, c: { d: 3 } },
  list: [
    { k: 'a', v: 0 },
    { k: 'b', v: 5 },
  ],
}
const rest = ['/spec/b', '/spec/c/d']
const own = 'body: { spec: { a: "{desired.a}" } }'

describe('a PATCH with a body of its own', () => {
  it.each<[string, Facts, readonly string[]]>([
    ['of the part', { write: `op: update, ${own}` }, rest],
    ['of the operation', { update: `, ${own}` }, rest],
    ['with attributes beside others', { update: ', body: { spec: { "...": "{fields}" } }' }, rest],
    ['with attributes alone', { update: ', body: { spec: "{fields}" }' }, rest],
    [
      'with some of it',
      {
        attributes: `${a}, b: { computed: true, type: number, path: spec.b }`,
        update: ', body: { spec: { a: "{desired.a}", b: "{before.b}" } }',
      },
      ['/spec/c/d'],
    ],
    [
      'of an attribute in parts',
      {
        attributes: 'spec: { type: object, attributes: { a: { type: number }, b: { type: number } } }',
        write: 'op: update, body: { spec: { a: "{desired.spec.a}" } }',
      },
      rest,
    ],
    [
      'of a call',
      {
        update: ` }\n      call: { method: PATCH, path: "/things/{name}", ${own}`,
        more: '    actions: { call: { on: [a], op: call } }\n',
      },
      rest,
    ],
    [
      'with a list of one element',
      {
        attributes: 'a: { type: number, path: v, select: { in: list, where: { k: a } } }',
        update: ', body: { list: [{ k: a, v: "{desired.a}" }] }',
      },
      ['/list/*/k', '/list/*/v'],
    ],
    ['at other places', { update: ', body: { options: { a: "{desired.a}" } }' }, rest],
    ['in an object around it', { update: ', body: { thing: { spec: { a: "{desired.a}" } } }' }, rest],
    [
      'by choice',
      { update: ', body: { $choose: "{with.form}", text: { spec: { a: "{desired.a}" } }, object: {} }' },
      rest,
    ],
    [
      'at a place below',
      {
        attributes: 'a: { type: number, path: spec.c.a, leftOut: true }',
        write: 'op: set',
        update: ' }\n      set: { method: PATCH, path: "/things/{name}/spec", body: { c: { a: "{desired.a}" } }',
      },
      ['/spec/c/d'],
    ],
  ])('names what it may replace: %s', async (_, facts, loses) => {
    const spec = facts.attributes?.includes('object') ? { spec: { a: 5 } } : { a: 5 }
    expect(await planned(facts, { a: 5, ...there }, spec)).toEqual([{ loses, grade: 'lossy' }])
  })

  it.each<[string, Facts]>([
    ['where the document says that the server keeps the rest', { write: `op: update, keeps: true, ${own}` }],
    ['in a format that says it', { update: `, contentType: application/merge-patch+json, ${own}` }],
    [
      'of the object as it was read',
      { attributes: 'spec: { type: any, partial: true }', update: ', body: { spec: "{desired.spec}" }' },
    ],
    [
      'of all attributes that differ',
      { attributes: `${a}, b: { type: number, path: spec.b }`, update: ', body: { thing: "{fields}" }' },
    ],
    ['of what is a value', { update: ', body: { a: "{desired.a}" }' }],
  ])('loses nothing: %s', async (_, facts) => {
    const spec = facts.attributes?.includes('any') ? { spec: { a: 5 } } : { a: 5 }
    expect(await planned(facts, there, spec)).toEqual([{ loses: undefined, grade: 'reversible' }])
  })

  it.each([
    ['all of them', '{ spec: { list: "{all}" } }', ['/spec/b']],
    ['what is done to them', '{ spec: { list: "{changes}" } }', undefined],
  ])('names what it may replace beside elements: %s', async (_, body, loses) => {
    const more = `      - name: list
        read: retrieve
        collection: { field: list, path: spec.list, key: [k], element: { k: {}, v: {} }, write: { op: update, body: ${body} } }
`
    const object = { spec: { b: 2, list: [{ k: 'a', v: '1' }] } }
    const lost = await planned({ attributes: 'note: { leftOut: true }', more }, object, { list: [{ k: 'a', v: '2' }] })
    expect(lost.map((each) => each.loses)).toEqual([loses])
  })
})
