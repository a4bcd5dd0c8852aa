import { expect, it } from 'vitest'
import type { Json } from '../../../../core/engine/schema/json.ts'
import { anApi, planOne, providerOf, typeOf } from '../../../builders/workspaces/rest.ts'

/* What a body has by itself, and not from an attribute that changes: it takes the place of what was read, which the command says. */

const there = {
  name: 'x',
  note: 'old',
  by: 'alice',
  n: 1,
  meta: { by: 'bob', n: 1 },
  els: [{ k: 'a', v: 'old', by: 'carol' }],
}

interface Way {
  readonly method?: string
  readonly write?: string
  /** Of the operation of the part, of one element, and of the collection. */
  readonly body?: string
  readonly each?: string
  readonly list?: string
  readonly attributes?: string
  readonly answer?: string
}

const elementOps = (body: string): string => `
      addEl: { method: POST, path: "/things/{name}/els" }
      setEl: { method: PATCH, path: "/things/{name}/els/{key.k}"${body} }
      removeEl: { method: DELETE, path: "/things/{name}/els/{key.k}" }`

const documentOf = ({
  method = 'PATCH',
  write = '',
  body = '',
  each,
  list,
  attributes = '',
  answer = '',
}: Way): string => `
provider: { id: api, baseUrl: "http://api.test" }
resources:
  api_thing:
    operations:
      retrieve: { method: GET, path: "/things/{name}"${answer} }
      create: { method: POST, path: /things }
      update: { method: ${method}, path: "/things/{name}"${body} }
${each === undefined ? '' : elementOps(each)}
    identity: { keys: [name] }
    lookup: { retrieve: true }
    lifecycle: { preventDelete: true }
    parts:
      - name: main
        read: retrieve
        write: { op: update${write} }
        attributes: { name: { immutable: true }, note: {}${attributes} }
${
  each === undefined && list === undefined
    ? ''
    : `      - name: els
        read: retrieve
        onCreate: after
        collection:
          field: els
          key: [k]
          element: { k: {}, v: {} }
          write: ${list ?? '{ each: { create: addEl, update: setEl, remove: removeEl } }'}`
}`

const planned = async (way: Way, spec: Record<string, Json>, answer: Json = there) => {
  const api = anApi({ 'GET /things/x': { body: answer } })
  const { commands } = await planOne(
    typeOf(providerOf(documentOf(way), {}), 'api_thing'),
    { spec: { name: 'x', ...spec } },
    api,
  )
  return commands.map(({ grade, loses }) => [grade, loses])
}

const spread = '"...": "{fields}"'

it.each<[string, Way, readonly string[]]>([
  ['a PATCH', { write: `, body: { ${spread}, by: me }` }, ['/by']],
  ['the body of the operation', { body: ', body: { note: "{desired.note}", by: me }' }, ['/by']],
  ['a PUT', { method: 'PUT', write: `, body: { ${spread}, by: me }` }, ['/by']],
  ['a PUT of the whole object', { method: 'PUT', write: `, send: object, body: { ${spread}, by: me }` }, ['/by']],
  ['a merge patch', { write: `, send: mergePatch, body: { ${spread}, meta: { by: me, n: 1 } }` }, ['/meta/by']],
  ['what a server merges', { write: `, keeps: true, body: { ${spread}, meta: { by: me, n: 1 } }` }, ['/meta/by']],
  ['a null', { write: `, body: { ${spread}, by: null }` }, ['/by']],
  ['another value of what was read', { write: `, body: { ${spread}, by: "{name}" }` }, ['/by']],
  ['an attribute that does not change', { attributes: ', by: {}', write: `, body: { ${spread}, by: me }` }, ['/by']],
  [
    'an operation of a JSON Patch',
    { write: ', body: [{ op: replace, path: /note, value: "{desired.note}" }, { op: replace, path: /by, value: me }]' },
    ['/by'],
  ],
  [
    'an operation of a JSON Patch that adds what is there',
    {
      write:
        ', body: [{ op: replace, path: /note, value: "{desired.note}" }, { op: add, path: /meta, value: { n: 1 } }]',
    },
    ['/meta/by'],
  ],
  [
    'an operation of a JSON Patch that removes',
    { write: ', body: [{ op: replace, path: /note, value: "{desired.note}" }, { op: remove, path: /meta/by }]' },
    ['/meta/by'],
  ],
  ['the same in a PUT', { method: 'PUT', attributes: ', by: {}', write: `, body: { ${spread}, by: me }` }, ['/by']],
])('in %s it is named, and the command is lossy', async (_, way, lost) => {
  expect(await planned(way, { note: 'new' })).toEqual([['lossy', lost]])
})

it.each<[string, Way, readonly string[]]>([
  ['an element', { each: ', body: { "...": "{changed}", by: me }' }, ['/els/*/by']],
  [
    'elements that change',
    { list: `{ op: update, body: { els: "{changes}" }, upsert: { "...": "{el}", by: me } }` },
    ['/els/*/by'],
  ],
  [
    'all elements',
    { list: `{ op: update, body: { els: "{all}" }, upsert: { "...": "{el}", by: me } }` },
    ['/els/*/by'],
  ],
  ['a body around elements', { list: `{ op: update, body: { els: "{changes}", by: me } }` }, ['/by']],
])('so it is in %s', async (_, way, lost) => {
  expect(await planned(way, { els: [{ k: 'a', v: 'new' }] })).toEqual([['lossy', lost]])
})

it.each([['PATCH'], ['PUT']])('so it is beside the object of a %s', async (method) => {
  const way = { method, answer: ', answer: data', write: ', body: { data: "{fields}", meta: { by: me } }' }
  expect(await planned(way, { note: 'new' }, { data: there, meta: { by: 'dan' } })).toEqual([['lossy', ['/meta/by']]])
})

it.each([['PATCH'], ['PUT']])('so it is of a list beside the object of a %s', async (method) => {
  const way = { method, answer: ', answer: data', write: ', body: { data: "{fields}", tags: [a] }' }
  expect(await planned(way, { note: 'new' }, { data: there, tags: ['a', 'b'] })).toEqual([['lossy', ['/tags/*']]])
  expect(await planned(way, { note: 'new' }, { data: there, tags: ['a'] })).toEqual([['reversible', undefined]])
})

it.each<[string, Way]>([
  [
    'is what was read, in a JSON Patch',
    { write: ', body: [{ op: replace, path: /note, value: "{desired.note}" }, { op: add, path: /by, value: alice }]' },
  ],
  ['is what was read', { write: `, body: { ${spread}, by: alice, n: 1 }` }],
  [
    'is what was read, as a form has it',
    { body: ', contentType: application/x-www-form-urlencoded', write: `, keeps: true, body: { ${spread}, n: "1" }` },
  ],
  ['is nowhere in what was read', { write: `, body: { ${spread}, force: true }` }],
  ['is made of what changes, and comes back with it', { write: `, body: { ${spread}, by: "by {desired.note}" }` }],
  ['is the value of another part', { each: '', body: ', body: { note: "{desired.note}", els: "{desired.els}" }' }],
])('nothing is said of it where it %s', async (_, way) => {
  expect(
    await planned(way, { note: 'new' }, { ...there, by: way.write?.includes('by {') ? 'by old' : 'alice' }),
  ).toEqual([['reversible', undefined]])
})
