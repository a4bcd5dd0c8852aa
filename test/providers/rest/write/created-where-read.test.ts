import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { eachOf } from '../../../builders/long.ts'
import { driveDocument, startThings } from '../../../builders/servers/things-api.ts'

/*
 * A store whose objects are made by PUT under names of the client, in an envelope of data and rights, and which answers 403 where
 * the caller may see nothing, also where nothing is.
 */

const documentOf = (send: string): string => {
  const [method, type] =
    send === 'object' ? ['PUT', 'json'] : ['PATCH', `${send === 'mergePatch' ? 'merge' : 'json'}-patch+json`]
  const operations = (path: string): string => `
      retrieve: { method: GET, path: "${path}" }
      create: { method: PUT, path: "${path}" }
      update: { method: ${method}, path: "${path}", headers: { Content-Type: application/${type} } }
      delete: { method: DELETE, path: "${path}" }`
  const part = `{ op: update, send: ${send} }`
  return `
provider: { id: api, baseUrl: "{with.baseUrl}", with: { baseUrl: {} } }
resources:
  api_bucket:
    operations:
      list: { method: GET, path: /buckets }${operations('/buckets/{bucket}')}
    identity: { keys: [bucket] }
    lookup: { list: {}, match: [bucket], at: { bucket: id }, follow: retrieve }
    parts:
      - name: main
        read: retrieve
        write: ${part}
        attributes:
          bucket: { in: path, path: data.id }
          title: { path: data.title, leftOut: true }
          readers: { type: set, path: permissions.read, default: [] }
  api_group:
    operations:${operations('/buckets/{bucket}/groups/{name}')}
    identity: { keys: [bucket, name] }
    lookup: { retrieve: true }
    parts:
      - name: main
        read: retrieve
        write: ${part}
        attributes:
          bucket: { in: path, ref: { type: api_bucket, emit: data.id } }
          name: { in: path, path: data.id }
          members: { type: set, path: data.members, default: [] }
`
}

const shop = (title: string, members: readonly string[]): readonly JsonObject[] => [
  { type: 'api_bucket', name: 'shop', spec: { bucket: 'shop', title, readers: ['all'] } },
  { type: 'api_group', name: 'eds', spec: { bucket: 'shop', name: 'eds', members: [...members] } },
]

describe('objects in an envelope that are sent as they were read', () => {
  eachOf(it, 1)(['object', 'mergePatch', 'jsonPatch'])('are created in it too: %s', async (send) => {
    await using server = await startThings({
      route: ({ method, url, body }, state) => {
        if (method === 'GET' && url === '/buckets') {
          const all = [...state].filter(([key]) => /^\/buckets\/\w+$/.test(key))
          return { status: 200, body: JSON.stringify(all.map(([key]) => ({ id: key.split('/')[2] }))) }
        }
        const hidden = !state.has(url.split('/').slice(0, 3).join('/'))
        if (method === 'GET' && hidden) return { status: 403, body: '{"message":"you cannot see this"}' }
        if (method !== 'PUT') return undefined
        const { data = {}, permissions = {} } = JSON.parse(body) as { data?: JsonObject; permissions?: JsonObject }
        const made = JSON.stringify({ data: { ...data, id: url.split('/').at(-1) ?? '' }, permissions })
        state.set(url, made)
        return { status: 200, body: made }
      },
    })
    const drive = driveDocument(server, documentOf(send), shop('one', ['a']))
    const first = await drive.check()
    expect([first.plan.changes.map(({ action }) => action), first.plan.unchecked]).toEqual([['create', 'create'], []])
    await drive.apply(first.digest)
    expect((await drive.check()).plan.inSync).toBe(true)
    expect(server.lines()).toEqual([
      ['PUT /buckets/shop', { data: { title: 'one' }, permissions: { read: ['all'] } }],
      ['PUT /buckets/shop/groups/eds', { data: { members: ['a'] } }],
    ])
    drive.want(shop('two', ['a', 'b']))
    await drive.apply((await drive.check()).digest)
    expect((await drive.check()).plan.inSync).toBe(true)
  })
})
