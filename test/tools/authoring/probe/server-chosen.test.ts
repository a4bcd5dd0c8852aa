import { expect, it } from 'vitest'
import type { Request, Response } from '../../../../core/engine/schema/command.ts'
import { isObject, type JsonObject } from '../../../../core/engine/schema/json.ts'
import { long } from '../../../builders/long.ts'
import { operationsAt, probing } from '../../../builders/workspaces/probing.ts'

/* What the server chooses for each object is computed only if nobody else can set it. */

const document = (priority: string) =>
  `provider: { id: api, baseUrl: "http://api.test", reads: { absent: [404] } }
resources:
  api_queue:
    operations: ${operationsAt('/queues/{name}')}
    identity: { keys: [name] }
    lookup: { retrieve: true }
    parts: [{ name: main, read: retrieve, write: { op: update }, attributes: { name: { required: true, in: path }, priority: ${priority} } }]
`

/** Each queue is created behind the last one. `change`: what becomes of the priority that somebody sends. */
const queues = (change: (sent: number, was: number) => number | undefined) => {
  const objects = new Map<string, JsonObject>()
  let last = 10
  const answer = (status: number, body: JsonObject | null = null): Response => ({ status, headers: {}, body })
  return async ({ method, url, body }: Request): Promise<Response> => {
    const { pathname } = new URL(url)
    const there = objects.get(pathname)
    const sent = isObject(body) ? body : {}
    if (method === 'PUT') {
      last += 1
      objects.set(pathname, { priority: last, ...sent })
      return answer(201)
    }
    if (there === undefined) return answer(404, {})
    if (method === 'GET') return answer(200, there)
    if (method === 'DELETE') objects.delete(pathname)
    if (method !== 'PATCH' || typeof sent['priority'] !== 'number') return answer(204)
    const priority = change(sent['priority'], Number(there['priority']))
    if (priority === undefined) return answer(405, { message: 'priority cannot be set' })
    objects.set(pathname, { ...there, priority })
    return answer(200)
  }
}

const found = async (text: string, change: Parameters<typeof queues>[0]) => {
  const { findings } = await probing(text, queues(change))
  return findings.filter(({ attribute }) => attribute === 'priority').map(({ code, add }) => [code, add])
}

it('a value that the server chooses and everybody can set needs nothing', long, async () => {
  expect(await found(document('{ type: number }'), (sent) => sent)).toEqual([])
})

it('a value that the server chooses is computed if a write of it has no effect', long, async () => {
  expect(await found(document('{ type: number }'), (_, was) => was)).toEqual([['keptOwn', { computed: true }]])
})

it('a value that the server chooses is computed if a write of it is refused', async () => {
  const [created] = await found(document('{ type: number }'), () => undefined)
  expect(created).toEqual(['perObject', { computed: true }])
})

it(
  'a value that the server chooses and that a create may send is told without advice, where no write was tried',
  long,
  async () => {
    expect(await found(document('{ type: number, immutable: true }'), (sent) => sent)).toEqual([
      ['perObject', undefined],
    ])
  },
)
