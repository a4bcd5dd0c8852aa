import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { lawCount, lawSeed } from '../builders/laws.ts'
import { anyModel } from './model.ts'
import { playSequence } from './play.ts'
import type { Scene } from './scene.ts'
import { anySteps } from './steps.ts'

/* The same over real sockets: what the model at the port leaves out is encoding, headers and connections. */

const serveScene = async (scene: Scene) => {
  const server = createServer(async (incoming, response) => {
    const { method = '', url = '' } = incoming
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    const body = text === '' ? {} : { body: JSON.parse(text) }
    try {
      const effect = method === 'GET' ? 'read' : 'write'
      const answer = scene.answer({ method, url: `http://model.test${url}`, effect, ...body })
      response.writeHead(answer.status, { ...answer.headers })
      response.end(answer.body === null ? undefined : JSON.stringify(answer.body))
    } catch {
      // Lost, or against the law, which the scene remembers.
      response.destroy()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop }
}

const sequences = fc.sample(fc.tuple(anyModel, anySteps()), { seed: lawSeed, numRuns: lawCount(40) })

it.each(sequences.map((sequence, index) => [index, ...sequence] as const))(
  'sequence %i ends over sockets as it does in memory',
  async (_, model, steps) => {
    const stops: (() => Promise<void>)[] = []
    const real = await playSequence(model, steps, async (scene) => {
      const { url, stop } = await serveScene(scene)
      stops.push(stop)
      return { url }
    })
    for (const stop of stops) await stop()
    const { violation, end, uids } = await playSequence(model, steps)
    expect({ violation: real.violation, end: real.end, uids: real.uids }, real.story.join('\n')).toEqual({
      violation,
      end,
      uids,
    })
  },
)
