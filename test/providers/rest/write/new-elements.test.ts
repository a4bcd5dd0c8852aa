import { expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
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
      if (id === undefined) return ok(kind === 'tags' ? tags : boxes)
      const one = kind === 'tags' ? tags.find((each) => each.id === id) : box
      return one === undefined ? { status: 404, body: '{}' } : ok(one)
    },
  })
  return Object.assign(server, { boxes })
}

it('elements that are named by ids which the same plan makes are added at the first apply', async () => {
  await using server = await aServer()
  const tag = (name: string): JsonObject => ({ type: 'api_tag', name, spec: { name } })
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
