import { expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { eachOf } from '../../../builders/long.ts'
import { driveDocument, startThings } from '../../../builders/servers/things-api.ts'

/* Elements that are named by ids of objects that the same plan creates. */
const document = `
provider: { id: api, baseUrl: "{with.baseUrl}", with: { baseUrl: {} } }
resources:
  api_tag:
    operations:
      list: { method: GET, path: /tags }
      retrieve: { method: GET, path: "/tags/{id}" }
      create: { method: POST, path: /tags, produces: { id: id } }
      delete: { method: DELETE, path: "/tags/{id}" }
    identity: { keys: [name] }
    lookup: { list: {}, match: [name] }
    serverId: { id: id }
    parts: [{ name: main, read: retrieve, attributes: { name: { required: true, immutable: true } } }]
  api_note:
    operations:
      list: { method: GET, path: /notes }
      retrieve: { method: GET, path: "/notes/{id}" }
      create: { method: POST, path: /notes, produces: { id: id } }
      delete: { method: DELETE, path: "/notes/{id}" }
    identity: { keys: [tag, name] }
    lookup: { list: {}, match: [tag, name] }
    serverId: { id: id }
    parts:
      - name: main
        read: retrieve
        attributes:
          name: { type: any, required: true, immutable: true }
          tag: { immutable: true, required: true, ref: { type: api_tag, emit: id, by: name } }
  api_box:
    operations:
      list: { method: GET, path: /boxes }
      retrieve: { method: GET, path: "/boxes/{id}" }
      create: { method: POST, path: /boxes, produces: { id: id } }
      delete: { method: DELETE, path: "/boxes/{id}" }
      add: { method: POST, path: "/boxes/{id}/tags", body: { id: "{el.tag}" } }
      drop: { method: DELETE, path: "/boxes/{id}/tags/{key.tag}" }
    identity: { keys: [name] }
    lookup: { list: {}, match: [name] }
    serverId: { id: id }
    parts:
      - { name: main, read: retrieve, attributes: { name: { required: true, immutable: true } } }
      - name: tags
        read: retrieve
        onCreate: after
        collection:
          field: tags
          key: [tag]
          element: { tag: { path: id, ref: { type: api_tag, emit: id, by: name } } }
          write: { each: { create: add, remove: drop } }
`

interface Box {
  readonly id: string
  readonly name: string
  tags: { id: string }[]
}

const aServer = async () => {
  const tags: { id: string; name: string }[] = []
  const boxes: Box[] = []
  const server = await startThings({
    route: ({ method, url, body }) => {
      if (url.startsWith('/things')) return undefined
      const [, kind, id, inner, tag] = url.split('/')
      const ok = (value: unknown) => ({ status: 200, body: JSON.stringify(value) })
      const box = boxes.find((each) => each.id === id)
      if (inner === 'tags' && box !== undefined) {
        if (method === 'POST') box.tags.push(JSON.parse(body) as { id: string })
        else box.tags = box.tags.filter((each) => each.id !== tag)
        return ok(box)
      }
      const { name } = (body === '' ? {} : JSON.parse(body)) as { name: string }
      if (method === 'POST' && kind === 'tags') return ok(tags[tags.push({ id: `t${tags.length + 1}`, name }) - 1])
      if (method === 'POST') return ok(boxes[boxes.push({ id: `b${boxes.length + 1}`, name, tags: [] }) - 1])
      if (id === undefined) return ok(kind === 'tags' ? tags : kind === 'boxes' ? boxes : [])
      const one = kind === 'tags' ? tags.find((each) => each.id === id) : box
      return one === undefined ? { status: 404, body: '{}' } : ok(one)
    },
  })
  return Object.assign(server, { boxes, tags })
}

const tag = (name: string): JsonObject => ({ type: 'api_tag', name, spec: { name } })

it('elements that are named by ids which the same plan makes are added at the first apply', async () => {
  await using server = await aServer()
  const box: JsonObject = {
    type: 'api_box',
    name: 'box',
    spec: { name: 'box', tags: [{ tag: 'red' }, { tag: 'blue' }, { tag: 'green' }] },
  }
  const drive = driveDocument(server, document, [tag('red'), tag('blue'), tag('green'), box])
  const { digest, plan } = await drive.check()
  expect(plan.commands).toHaveLength(7)
  expect(await drive.apply(digest)).toMatchObject({ status: 'succeeded' })
  expect(server.boxes[0]?.tags.map(({ id }) => id).toSorted()).toEqual(['t1', 't2', 't3'])
  expect((await drive.check()).plan.inSync).toBe(true)
})

it('a command names what the same plan creates by its address, and a key of the file by itself', async () => {
  await using server = await aServer()
  const red = { type: 'api_tag', name: 'red', spec: { name: 'Red' } }
  const drive = driveDocument(server, document, [
    red,
    { type: 'api_box', name: 'a', spec: { name: 'a', tags: [{ tag: 'Red' }] } },
    { type: 'api_box', name: 'b', spec: { name: '${resource.api_tag.red.name}', tags: [] } },
    { type: 'api_box', name: 'c', spec: { name: 'of ${resource.api_tag.red.id}', tags: [] } },
    { type: 'api_note', name: 'd', spec: { tag: 'Red', name: 12.5 } },
  ])
  const { plan } = await drive.check()
  expect(plan.commands.map(({ description }) => description)).toEqual([
    'create api_tag Red',
    'create api_box a',
    'add api_tag.red to tags',
    'create api_box Red',
    'create api_box of (api_tag.red)',
    'create api_note api_tag.red 12.5',
  ])
})

/** Lists that one request writes whole, or in part. */
const lists = (part: string) => `
${document.slice(0, document.indexOf('  api_note:'))}  api_box:
    operations:
      retrieve: { method: GET, path: "/things/{name}" }
      create: { method: PUT, path: "/things/{name}" }
      update: { method: PUT, path: "/things/{name}" }
      patch: { method: PATCH, path: "/things/{name}" }
      delete: { method: DELETE, path: "/things/{name}" }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    parts:
      - name: main
        read: retrieve
        ${part}
`
const facts =
  'type: set, key: [tag], element: { type: object, attributes: { tag: { path: id, send: id, ref: { type: api_tag, emit: id, by: name } }, note: {} } }'
const inMain = (write: string) =>
  `write: { ${write} }\n        attributes: { name: { required: true, immutable: true }, tags: { ${facts} } }`
const inCollection = (write: string) => `attributes: { name: { required: true, immutable: true } }
      - name: tags
        read: retrieve
        collection:
          field: tags
          key: [tag]
          element: { tag: { path: id, send: id, ref: { type: api_tag, emit: id, by: name } }, note: {} }
          write: { ${write} }`

eachOf(
  it,
  2,
)<[string, string]>([
  ['send: full', inMain('op: update, send: full')],
  ['send: changed', inMain('op: patch, send: changed')],
  ['send: object', inMain('op: update, send: object')],
  ['send: mergePatch', inMain('op: patch, send: mergePatch')],
  ['send: jsonPatch', inMain('op: patch, send: jsonPatch')],
  ['{all}', inCollection('op: patch, body: { tags: "{all}" }')],
])('new elements of a list are written at the first apply with what was there: %s', async (_, part) => {
  await using server = await aServer()
  server.state.set('/things/box', '{"name":"box","own":1,"tags":[{"id":"t9","note":"old","own":1}]}')
  server.tags.push({ id: 't9', name: 'old' })
  const tags = [
    { tag: 'old', note: 'new' },
    { tag: 'red', note: 'r' },
    { tag: 'blue', note: 'b' },
  ]
  const resources = [tag('red'), tag('blue'), { type: 'api_box', name: 'box', spec: { name: 'box', tags } }]
  const drive = driveDocument(server, lists(part), resources)
  const { digest, plan } = await drive.check()
  expect(plan.unchecked).toEqual([])
  expect(await drive.apply(digest)).toMatchObject({ status: 'succeeded' })
  expect(JSON.parse(server.state.get('/things/box') ?? '')).toEqual({
    name: 'box',
    own: 1,
    tags: [
      { id: 't9', note: 'new', own: 1 },
      { id: 't2', note: 'b' },
      { id: 't3', note: 'r' },
    ],
  })
  expect((await drive.check()).plan.inSync).toBe(true)
})
