import { expect, it } from 'vitest'
import type { Response } from '../../../../core/engine/schema/command.ts'
import type { Json } from '../../../../core/engine/schema/json.ts'
import { providerOf, typeOf } from '../../../builders/workspaces/rest.ts'

/* A resource that left the configuration is deleted through its customer, whose id its request names. */
const provider = providerOf(
  `
provider: { id: api, baseUrl: "http://api.test" }
resources:
  api_customer:
    operations:
      list: { method: GET, path: /customers }
      retrieve: { method: GET, path: "/customers/{number}" }
      create: { method: POST, path: /customers }
      delete: { method: DELETE, path: "/customers/{number}" }
    identity: { keys: [name] }
    lookup: { list: { op: list }, match: [name] }
    serverId: { number: number }
    parts: [{ name: main, read: retrieve, attributes: { name: { immutable: true } } }]
  api_seat:
    operations:
      list: { method: GET, path: /seats }
      retrieve: { method: GET, path: "/seats/{name}" }
      create: { method: PUT, path: "/customers/{refs.customer.office}/seats/{name}" }
      delete: { method: DELETE, path: "/customers/{refs.customer.office}/seats/{name}" }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    parts:
      - name: main
        read: retrieve
        attributes:
          name: { in: path }
          customer: { immutable: true, ref: { type: api_customer, emit: number } }
`,
  {},
)

const ok = (body: Json): Response => ({ status: 200, headers: {}, body })

const resolved = async (recorded: Json, number: Json) => {
  const asked: string[] = []
  const found = await typeOf(provider, 'api_seat').resolve?.(
    { address: 'api_seat.a', attributes: { name: 'a', customer: recorded }, leaving: true, isRecorded: true },
    {
      transport: {
        send: async ({ url }) => {
          asked.push(new URL(url).pathname)
          if (url.endsWith('/7')) return ok({ number, name: 'acme', office: 'east' })
          return url.endsWith('/customers') ? ok([]) : { status: 404, headers: {}, body: {} }
        },
      },
    },
  )
  return { found, asked }
}

it.each<[string, Json, Json]>([
  ['a text', '7', '7'],
  ['a number', 7, 7],
  ['a text that the API shows as a number', '7', 7],
])('the object behind a recorded reference is read by its id, which is %s', async (_, recorded, number) => {
  const { found, asked } = await resolved(recorded, number)
  expect(asked).toEqual(['/customers/7'])
  expect(found).toMatchObject({
    kind: 'resolved',
    attributes: { customer: recorded },
    refs: { customer: { office: 'east' } },
  })
})

it.each<[string, Json, string | undefined]>([
  ['is found by nothing', '8', '"8" is recorded, and nothing is found by that id'],
  ['has no id', null, undefined],
])('a recorded reference that %s leads to no other object', async (_, recorded, detail) => {
  const { found } = await resolved(recorded, '7')
  expect(found).toMatchObject(
    detail === undefined
      ? { kind: 'resolved', refs: {} }
      : {
          kind: 'unresolved',
          result: { kind: 'unknown', reason: 'unresolved', detail: expect.stringContaining(detail) },
        },
  )
})
