import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { eachOf } from '../../../builders/long.ts'
import { driveDocument, startThings } from '../../../builders/servers/things-api.ts'

/* A PUT replaces what it leaves out: values that no read shows go along, and what is shown in their place is no value. */

const documentOf = (send: string): string => `
provider: { id: api, baseUrl: "{with.baseUrl}", with: { baseUrl: {} }, reads: { absent: [404] } }
resources:
  api_door:
    operations:
      retrieve: { method: GET, path: "/doors/{name}" }
      create: { method: PUT, path: "/doors/{name}" }
      update: { method: PUT, path: "/doors/{name}" }
      delete: { method: DELETE, path: "/doors/{name}" }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    parts:
      - name: main
        read: retrieve
        write: { op: update, ${send} }
        attributes: { name: {}, n: { type: number }, pin: { sensitive: true, writeOnly: true } }
`

const pin = { secret: 'env:PIN' }
const door = (more: JsonObject): JsonObject => ({ type: 'api_door', name: 'd', spec: { name: 'd', n: 1, ...more } })

/** The door after it was made, changed by others, repaired, and after that was undone. */
const story = async (send: string, mask: string | undefined, declared: JsonObject) => {
  await using server = await startThings({
    route: ({ method, url }, state) => {
      const there = state.get(url)
      if (method !== 'GET' || there === undefined) return undefined
      const { pin: hidden, ...shown } = JSON.parse(there) as JsonObject
      return {
        status: 200,
        body: JSON.stringify(mask === undefined || hidden === undefined ? shown : { ...shown, pin: mask }),
      }
    },
  })
  const drive = driveDocument(server, documentOf(send), [door({ pin })])
  drive.secrets['env:PIN'] = 'hunter2-hunter2'
  await drive.apply((await drive.check()).digest)
  const made = server.state.get('/doors/d') ?? ''
  server.state.set('/doors/d', JSON.stringify({ ...(JSON.parse(made) as JsonObject), n: 4, other: 'theirs' }))
  drive.want([door(declared)])
  const { plan, digest } = await drive.check()
  const { id, status } = await drive.apply(digest)
  const repaired = JSON.parse(server.state.get('/doors/d') ?? '{}') as JsonObject
  await drive.undo(id)
  const undone = JSON.parse(server.state.get('/doors/d') ?? '{}') as JsonObject
  return { status, repaired, undone, lost: plan.commands[0]?.loses, text: JSON.stringify(plan) }
}

const sends = [
  'send: changed',
  'send: full',
  'send: object',
  'send: full, body: { n: "{desired.n}", "...": "{fields}" }',
]

describe.each([
  ['shows nothing of it', undefined],
  ['shows a mask', '****'],
])('a value of which an answer %s', (_, mask) => {
  eachOf(it, 1)(sends.slice(0, 3))('goes along where others differ, and back: %s', async (send) => {
    const { status, repaired, undone, text } = await story(send, mask, { pin })
    expect(status).toBe('succeeded')
    expect(repaired).toEqual({ name: 'd', n: 1, other: 'theirs', pin: 'hunter2-hunter2' })
    expect(undone).toEqual({ name: 'd', n: 4, other: 'theirs', pin: 'hunter2-hunter2' })
    expect(text).not.toContain('hunter2')
  })

  eachOf(it, 1)(sends.slice(0, 3))(
    'is never the mask, and told to be lost, where it is not declared: %s',
    async (send) => {
      const { repaired, lost } = await story(send, mask, {})
      expect(repaired['pin']).toBeUndefined()
      expect(lost).toContain('/pin')
    },
  )
})

it('a value that is not sent because another one is, is told to be lost', async () => {
  await using server = await startThings()
  server.state.set('/doors/d', JSON.stringify({ name: 'd', n: 4 }))
  const text = documentOf('send: full').replace('writeOnly: true', 'writeOnly: true, unlessSent: [n]')
  const drive = driveDocument(server, text, [door({ pin })])
  drive.secrets['env:PIN'] = 'hunter2-hunter2'
  await drive.apply((await drive.check()).digest)
  server.state.set('/doors/d', JSON.stringify({ name: 'd', n: 7, pin: 'theirs' }))
  const { plan } = await drive.check()
  expect(plan.commands).toMatchObject([{ grade: 'lossy', loses: ['/pin'] }])
})
