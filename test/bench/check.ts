import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { runCommand } from '../builders/workspaces/command.ts'

const objects = 10_000
const latencyMs = 20
const perPage = 100
const concurrency = 10

const host = (n: number) => ({ id: n, name: `host-${n}`, size: n, note: 'a text of some length, as they have' })

/** An API whose every answer takes its time. */
const startSlowApi = async () => {
  const counts = { calls: 0 }
  const server = createServer(async (request, response) => {
    counts.calls += 1
    const url = new URL(request.url ?? '/', 'http://api')
    await pause(latencyMs)
    const page = Number(url.searchParams.get('page'))
    const name = url.pathname.split('/')[2]
    const body =
      name === undefined
        ? { pages: objects / perPage, items: Array.from({ length: perPage }, (_, n) => host((page - 1) * perPage + n)) }
        : host(Number(name.slice('host-'.length)))
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { counts, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop: () => server.close() }
}

const documentFor = (lookup: object, read: string) => ({
  provider: {
    id: 'slow',
    with: { baseUrl: {} },
    baseUrl: '{with.baseUrl}',
    pagination: { style: 'page', param: 'page', pages: 'pages' },
    concurrency,
  },
  resources: {
    slow_host: {
      operations: {
        list: { method: 'GET', path: '/hosts' },
        retrieve: { method: 'GET', path: '/hosts/{name}' },
        create: { method: 'POST', path: '/hosts' },
        update: { method: 'PATCH', path: '/hosts/{name}' },
        delete: { method: 'DELETE', path: '/hosts/{name}' },
      },
      identity: { keys: ['name'] },
      lookup,
      parts: [{ name: 'main', read, write: { op: 'update' }, attributes: { name: {}, size: { type: 'number' } } }],
    },
  },
})

/** The fewest calls, and how many of them can be under way at once. */
const cases = [
  {
    name: 'each object on its own',
    document: documentFor({ retrieve: true }, 'retrieve'),
    fewest: objects,
    atOnce: concurrency,
  },
  {
    name: `one list of ${objects / perPage} pages`,
    document: documentFor({ list: { items: 'items' }, match: ['name'] }, 'list'),
    fewest: objects / perPage,
    // The number of the next page is known only from the one before it.
    atOnce: 1,
  },
] as const

const configurationFor = (url: string) => ({
  workspace: 'many',
  providers: { slow: { source: 'rest', definition: './slow.provider.json', with: { baseUrl: url } } },
  // One in a hundred differs.
  resources: Array.from({ length: objects }, (_, n) => ({
    type: 'slow_host',
    name: `h${n}`,
    spec: { name: `host-${n}`, size: n % 100 === 0 ? n + 1 : n },
  })),
})

/** A whole `plumbline check`, its start and its storing included, against what the network alone must take. */
export const benchCheck = async (write: (line: string) => void): Promise<void> => {
  for (const { name, document, fewest, atOnce } of cases) {
    const api = await startSlowApi()
    const folder = await mkdtemp(join(tmpdir(), 'plumbline-bench-'))
    try {
      await writeFile(join(folder, 'slow.provider.json'), JSON.stringify(document))
      await writeFile(join(folder, 'plumbline.json'), JSON.stringify(configurationFor(api.url)))
      const start = performance.now()
      const { code, stdout, stderr } = await runCommand(['check', '--format', 'json'], { folder })
      const seconds = (performance.now() - start) / 1000
      const changes = code === 2 ? JSON.parse(stdout).plumbline.counts.update : stderr
      const ideal = (fewest * latencyMs) / atOnce / 1000
      write(
        `${name.padEnd(26)} ${api.counts.calls} calls (fewest ${fewest}), ${seconds.toFixed(1)} s (${(seconds / ideal).toFixed(2)} times the ${ideal.toFixed(1)} s that the calls alone take), ${changes} changes`,
      )
    } finally {
      api.stop()
      await rm(folder, { recursive: true })
    }
  }
}
