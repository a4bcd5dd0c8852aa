import { expect, it } from 'vitest'
import type { Json } from '../../../../core/engine/schema/json.ts'
import { anApi, planOne, providerOf, typeOf } from '../../../builders/workspaces/rest.ts'

/* An attribute that is never sent beside another one (`unlessSent`), in a PUT that resets what it does not have. */

const documentOf = (send: string): string => `
provider: { id: api, baseUrl: "http://api.test" }
resources:
  api_thing:
    operations:
      retrieve: { method: GET, path: "/things/{name}" }
      create: { method: PUT, path: "/things/{name}" }
      update: { method: PUT, path: "/things/{name}" }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    lifecycle: { preventDelete: true }
    parts:
      - name: main
        read: retrieve
        write: { op: update, send: ${send} }
        attributes: { name: { in: path }, image: {}, disk: { unlessSent: [image], leftOut: true } }`

const planned = (send: string, there: Record<string, Json>, spec: Record<string, Json>) =>
  planOne(
    typeOf(providerOf(documentOf(send), {}), 'api_thing'),
    { spec: { name: 'x', ...spec } },
    anApi({ 'GET /things/x': { body: { name: 'x', ...there } } }),
  )

it.each([['full'], ['changed']])('what is not sent is told to be lost: send: %s', async (send) => {
  const { commands } = await planned(send, { image: 'old', disk: 'd' }, { image: 'new' })
  expect(commands).toMatchObject([{ request: { body: { image: 'new' } }, grade: 'lossy', loses: ['/disk'] }])
})

it('keeps it where the whole object is sent', async () => {
  const { commands } = await planned('object', { image: 'old', disk: 'd' }, { image: 'new' })
  expect(commands).toMatchObject([{ grade: 'reversible' }])
})

it('has no request for a change of it where each request has the other one, so that the change is blocked', async () => {
  const { commands, planned: plan } = await planned('full', { image: 'a' }, { disk: 'd' })
  expect([plan.change?.action, commands]).toEqual(['update', []])
})
