import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { createClient } from '../../../functions/cli/backend/http-client.ts'
import { eachOf, long } from '../../builders/long.ts'
import { aLoopback } from '../../builders/servers/loopback.ts'

type Fault = (request: IncomingMessage, response: ServerResponse) => void

const faults: Readonly<Record<string, Fault>> = {
  'closes the connection': ({ socket }) => socket.destroy(),
  'is busy': (_, response) => response.writeHead(503).end(),
  'has too much to do': (_, response) => response.writeHead(429).end(),
}

const ask = async (fault: Fault, failing: number, write = false) => {
  await using server = await aLoopback((request, response) => {
    if (server.seen.length <= failing) return fault(request, response)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"01A"}')
  })
  const client = createClient({ url: server.url, token: async () => undefined }, '0')
  const answer = await (write ? client.post('/v1/x', {}, { body: {} }) : client.get('/v1/x')).catch(
    (error: unknown) => error,
  )
  return { answer, asked: server.seen.length }
}

eachOf(test, 1)(Object.entries(faults))('a read is asked again where the endpoint %s', async (_, fault) => {
  expect(await ask(fault, 2)).toEqual({ answer: { id: '01A' }, asked: 3 })
})

test('a read that fails each time ends with its error', long, async () => {
  expect(await ask(faults['is busy'] as Fault, 9)).toMatchObject({ answer: { code: 'ENDPOINT_FAILED' }, asked: 3 })
})

test('an answer with a member twice is not believed', async () => {
  const twice: Fault = (_, response) => response.writeHead(200).end('{"id":"01A","id":"01B"}')
  expect(await ask(twice, 9)).toMatchObject({ answer: { code: 'ENDPOINT_FAILED' } })
})

test('a refusal is believed at once', async () => {
  const problem = JSON.stringify({ code: 'RUN_NOT_FOUND', detail: 'there is no run x' })
  const unknown: Fault = (_, response) => response.writeHead(404).end(problem)
  expect(await ask(unknown, 9)).toMatchObject({ answer: { code: 'RUN_NOT_FOUND' }, asked: 1 })
})

test.each(Object.entries(faults))('a write is never sent again where the endpoint %s', async (_, fault) => {
  expect(await ask(fault, 1, true)).toMatchObject({ answer: { code: 'ENDPOINT_FAILED' }, asked: 1 })
})
