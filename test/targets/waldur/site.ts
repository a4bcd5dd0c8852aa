import { setTimeout as pause } from 'node:timers/promises'
import { inject } from 'vitest'
import type { Json, JsonObject } from '../../../core/schema/json.ts'
import { systemClock } from '../../../functions/adapters/clock.ts'
import { driveExample, type Wanted } from '../../builders/workspaces/example-workspace.ts'
import { startCountingProxy } from '../counting-proxy.ts'
import { administer, dump, end, reset, staffToken, start } from './installed.ts'

/** Waits as they are, but a part as long: nobody is asked less often than the document says, only sooner. */
const briskClock = { ...systemClock, sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(ms / 40, signal) }

export type Site = Awaited<ReturnType<typeof openSite>>

/** The real Waldur with the data base of its seed, behind a proxy that counts. */
export const openSite = async () => {
  const installed = inject('waldur')
  await reset(installed)
  const proxy = await startCountingProxy(installed.baseUrl, 'asked')
  const base = `${proxy.baseUrl}/api`

  /** What somebody else asks of it, past the proxy, by a path below `/api/`; an answer that refuses is an error. */
  const ask = async (method: string, path: string, body?: Json, token = staffToken): Promise<Json> => {
    const response = await fetch(`${installed.baseUrl}/api/${path}`, {
      method,
      // The server closes idle connections after two seconds, perhaps while the next request is on its way.
      headers: { authorization: `Token ${token}`, 'content-type': 'application/json', connection: 'close' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
    return text === '' ? null : (JSON.parse(text) as Json)
  }
  const list = async (collection: string, query: Readonly<Record<string, string>> = {}) =>
    (await ask('GET', `${collection}/?${new URLSearchParams({ page_size: '100', ...query })}`)) as JsonObject[]
  /** Waits until nothing is under way with an object; what erred is an error. */
  const settled = async (path: string): Promise<JsonObject> => {
    for (;;) {
      const seen = (await ask('GET', path)) as JsonObject
      const state = String(seen['state'] ?? 'OK').toUpperCase()
      if (state === 'OK' || state === 'DONE') return seen
      if (state === 'ERRED') throw new Error(`${path} erred: ${seen['error_message']}`)
      await pause(200)
    }
  }
  const gone = async (path: string): Promise<void> => {
    while (
      await ask('GET', path).then(
        () => true,
        () => false,
      )
    )
      await pause(200)
  }
  const drive = (resources: readonly Wanted[], token = staffToken, more: JsonObject = {}) =>
    driveExample(
      {
        example: 'waldur',
        with: { site: proxy.baseUrl, token: { secret: 'env:TOKEN' }, references: 'object', ...more },
        secrets: { 'env:TOKEN': token },
        base,
        changes: { clock: briskClock },
      },
      resources,
    )
  return {
    proxy,
    base,
    ask,
    list,
    settled,
    gone,
    drive,
    sql: (statement: string) => administer(installed, statement),
    dump: () => dump(installed),
    restart: async (more?: Readonly<Record<string, string>>) => {
      await end(installed, ['server', 'worker'], 'SIGTERM')
      await start(installed, more)
    },
    killWorker: () => end(installed, ['worker'], 'SIGKILL'),
    startWorker: (more?: Readonly<Record<string, string>>) => start(installed, more),
    close: () => proxy.stop(),
  }
}
