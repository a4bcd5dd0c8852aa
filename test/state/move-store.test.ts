import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Item } from '../../core/state/store/store.ts'
import { localClient, startDynamodb } from '../../functions/adapters/dynamodb/embedded.ts'
import { dynamoStore } from '../../functions/adapters/dynamodb/store.ts'
import { ensureTable } from '../../functions/adapters/dynamodb/table.ts'
import { openSqliteStore } from '../../functions/adapters/sqlite/store.ts'
import { moveFormerStore, tableName } from '../../functions/cli/state/move-store.ts'
import { untilEngineEnded } from '../builders/time/former-lock.ts'
import { testClock } from '../builders/time/stores.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-move-'))
})
afterAll(() => rm(folder, { recursive: true }))

const clock = testClock()
const pathsOf = (name: string) => ({
  storeFile: join(folder, `${name}.sqlite`),
  formerStoreFile: join(folder, `${name}.db`),
})

const values = [1e300, 2 ** 53, 0.1, '\ud800', null, [[{}]], new Uint8Array([0, 255]), 'x'.repeat(100_000)]
const items: readonly Item[] = Array.from({ length: 40 }, (_, n) => ({
  pk: `p${n % 3}`,
  sk: String(n).padStart(3, '0'),
  value: values[n % values.length] ?? null,
  text: 'y'.repeat(60_000),
}))

const makeFormer = async (name: string) => {
  const paths = pathsOf(name)
  const engine = await startDynamodb({ file: paths.formerStoreFile })
  const client = localClient(engine.endpoint)
  await ensureTable(client, tableName)
  const store = dynamoStore({ client, tableName, clock })
  for (const item of items) await store.write([{ kind: 'put', item }])
  await engine.stop()
  return paths
}

const allIn = async (file: string): Promise<readonly Item[]> => {
  const store = await openSqliteStore({ file, clock })
  const found = await Promise.all(items.map(({ pk, sk }) => store.get({ pk, sk })))
  store.close()
  return found.flatMap((item) => item ?? [])
}

it('moves everything as it was, once, and leaves the former file', async () => {
  const paths = await makeFormer('once')
  // Two at once: one moves, the other one is told that the former store is in use, or finds it moved.
  const both = await Promise.allSettled([moveFormerStore(paths), moveFormerStore(paths)])
  const refusals = both.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []))
  expect(refusals.length).toBeLessThan(2)
  expect(refusals.every((code) => code === 'STORE_IN_USE')).toBe(true)
  expect(await allIn(paths.storeFile)).toEqual(items)
  expect((await readFile(paths.formerStoreFile)).byteLength).toBeGreaterThan(0)
  const store = await openSqliteStore({ file: paths.storeFile, clock })
  await store.write([{ kind: 'put', item: { pk: 'p0', sk: '000', value: 'newer' } }])
  store.close()
  await moveFormerStore(paths)
  expect((await allIn(paths.storeFile))[0]).toMatchObject({ value: 'newer' })
})

it('does nothing where there is no former store', async () => {
  const paths = pathsOf('none')
  await moveFormerStore(paths)
  await expect(readFile(paths.storeFile)).rejects.toMatchObject({ code: 'ENOENT' })
})

it('loses nothing, wherever it is killed', async () => {
  const paths = await makeFormer('killed')
  const module = new URL('../../functions/cli/state/move-store.ts', import.meta.url).href
  const script = `
    const { moveFormerStore } = await import(${JSON.stringify(module)})
    process.stdout.write('.')
    await moveFormerStore(${JSON.stringify(paths)})`
  for (let delay = 0; delay <= 400; delay += 50) {
    await rm(paths.storeFile, { force: true })
    const mover = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = once(mover, 'exit')
    await once(mover.stdout, 'data')
    await pause(delay)
    mover.kill('SIGKILL')
    await ended
    // The engine of the killed process holds the lock until it has ended.
    await untilEngineEnded(paths.formerStoreFile, 300)
    await moveFormerStore(paths)
    expect(await allIn(paths.storeFile)).toEqual(items)
  }
})
