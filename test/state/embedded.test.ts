import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { localClient, startDynamodb } from '../../functions/adapters/dynamodb/embedded.ts'
import { dynamoStore } from '../../functions/adapters/dynamodb/store.ts'
import { ensureTable } from '../../functions/adapters/dynamodb/table.ts'
import { untilEngineEnded } from '../builders/time/former-lock.ts'
import { testClock } from '../builders/time/stores.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-engine-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** A guard against hanging for ever; nothing is measured by it. */
const patienceSeconds = 300

const storeAt = async (endpoint: string) => {
  await ensureTable(localClient(endpoint), 'table')
  return dynamoStore({ client: localClient(endpoint), tableName: 'table', clock: testClock() })
}

const answers = (endpoint: string) =>
  fetch(endpoint).then(
    () => true,
    () => false,
  )

it('keeps what was written when it stops, and lets one process at a time have the file', async () => {
  const file = join(folder, 'kept.db')
  const first = await startDynamodb({ file })
  const key = { pk: 'a', sk: 'b' }
  await (await storeAt(first.endpoint)).write([{ kind: 'put', item: key }])
  await expect(startDynamodb({ file })).rejects.toMatchObject({
    code: 'STORE_IN_USE',
    payload: { file, holder: String(process.pid) },
  })
  await first.stop()
  await first.stop()
  expect(await answers(first.endpoint)).toBe(false)
  const second = await startDynamodb({ file })
  expect(await (await storeAt(second.endpoint)).get(key)).toEqual(key)
  await second.stop()
})

it('ends with its parent, however that ends, and then the file is free', async () => {
  const file = join(folder, 'killed.db')
  const module = new URL('../../functions/adapters/dynamodb/embedded.ts', import.meta.url).href
  const script = `
    const { startDynamodb } = await import(${JSON.stringify(module)})
    console.log((await startDynamodb({ file: ${JSON.stringify(file)} })).endpoint)
    setInterval(() => {}, 1000)`
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(parent.stdout, 'data')
  const endpoint = String(line).trim()
  expect(await answers(endpoint)).toBe(true)
  parent.kill('SIGKILL')
  await once(parent, 'exit')
  // The engine has the lock of the kernel for as long as it lives: getting it is the event of its end.
  await untilEngineEnded(file, patienceSeconds)
  expect(await answers(endpoint)).toBe(false)
  await (await startDynamodb({ file })).stop()
})

it('uses and never stops an engine that is named', async () => {
  const named = await startDynamodb({ endpoint: 'http://127.0.0.1:1' })
  expect(named.endpoint).toBe('http://127.0.0.1:1')
  await named.stop()
})

it('says so when nothing answers', async () => {
  const client = { ...localClient('http://127.0.0.1:1'), maxAttempts: 1 }
  const store = dynamoStore({ client, tableName: 'table', clock: testClock() })
  const unavailable = { code: 'STORE_UNAVAILABLE' }
  await expect(store.get({ pk: 'a', sk: 'b' })).rejects.toMatchObject(unavailable)
  await expect(store.query({ pk: 'a' })).rejects.toMatchObject(unavailable)
  await expect(store.write([{ kind: 'put', item: { pk: 'a', sk: 'b' } }])).rejects.toMatchObject(unavailable)
})
