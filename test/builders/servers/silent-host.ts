import { AppError } from '../../../core/engine/errors/errors.ts'
import type { Transport } from '../../../core/engine/transport/transport.ts'
import type { movableClock } from '../workspaces/workspace.ts'
import { yaml } from '../workspaces/workspace.ts'
import { aLoopback } from './loopback.ts'

const definition = `
provider: { id: things, with: { base: {} }, baseUrl: "{with.base}" }
resources:
  api_thing:
    operations:
      retrieve: { method: GET, path: "/{folder}/{name}" }
      create: { method: POST, path: /things }
      delete: { method: DELETE, path: "/{folder}/{name}" }
    identity: { keys: [folder, name] }
    lookup: { retrieve: true }
    parts:
      - name: main
        read: retrieve
        attributes: { name: { immutable: true }, folder: { immutable: true } }
`

const timeoutMs = 30_000

/** So many reads of this folder of the host, as resources. */
export const things = (folder: string, count: number, alias = 'things') =>
  Array.from({ length: count }, (_, n) => ({
    type: 'api_thing',
    name: `${folder}${n}`,
    provider: alias,
    spec: { folder, name: `t${n}` },
  }))

export const workspaceOf = (bases: Readonly<Record<string, string>>, resources: readonly object[], more: object = {}) =>
  yaml(
    JSON.stringify({
      workspace: 'many',
      providers: Object.fromEntries(
        Object.entries(bases).map(([alias, base]) => [
          alias,
          { source: 'rest', definition: './things.provider.yaml', with: { base } },
        ]),
      ),
      resources,
      ...more,
    }),
    { 'things.provider.yaml': definition },
  )

/**
 * A host that answers what `answers` lets it answer, and nothing else. Its silences are over together once `atOnce` of them
 * have been heard, which takes one time-out of the simulated clock, and no real time.
 */
export const aSilentHost = async (
  clock: ReturnType<typeof movableClock>,
  answers: (url: string) => boolean = () => false,
  atOnce = 4,
) => {
  const waiting: (() => void)[] = []
  const server = await aLoopback((request, response) => {
    const url = request.url ?? ''
    if (answers(url)) {
      const [, folder = '', name = ''] = url.split('/')
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ folder, name }))
      return
    }
    if (server.seen.filter((each) => !answers(each.url ?? '')).length % atOnce !== 0) return
    clock.forward(timeoutMs)
    for (const over of waiting.splice(0)) over()
  })
  const wire = (inner: Transport): Transport => ({
    ...inner,
    send: (request, signal) => {
      const { method, url } = request
      if (!url.startsWith(server.url) || answers(new URL(url).pathname)) return inner.send(request, signal)
      return new Promise((resolve, reject) => {
        const detail = `no whole answer within ${timeoutMs} ms`
        waiting.push(() => reject(new AppError('REQUEST_FAILED', { method, url, detail, reason: 'timeout' })))
        inner.send(request, signal).then(resolve, reject)
      })
    },
  })
  const silent = (): number => server.seen.filter((each) => !answers(each.url ?? '')).length
  return { url: server.url, wire, silent, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}
