import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { keyOf } from '../../../core/engine/state/store/limits.ts'
import { memoryStore } from '../../../core/engine/state/store/memory.ts'
import type { Condition, Query, Write } from '../../../core/engine/state/store/store.ts'
import { defined } from '../../../core/engine/values/defined.ts'
import { openSqliteStore } from '../../../functions/adapters/sqlite/store.ts'
import { lawRuns } from '../../builders/laws.ts'
import { long } from '../../builders/long.ts'
import { testClock } from '../../builders/time/stores.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-sqlite-'))
})
afterAll(() => rm(folder, { recursive: true }))

const clock = testClock()
const now = Math.floor(clock.now().getTime() / 1000)
const open = (name: string) => openSqliteStore({ file: join(folder, name), clock })

const text = fc.constantFrom('a', 'ab', 'b', '\uffff', '😀', '\u0000', 'ä')
const key = fc.record({ pk: fc.constantFrom('p', 'q'), sk: text })
const value = fc.oneof(fc.jsonValue(), fc.uint8Array({ maxLength: 4 }), fc.constantFrom('\ud800', 2 ** 53, 1e300))
const ttl = fc.constantFrom(now - 1, now, now + 1)
const item = fc
  .tuple(key, fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), value), fc.option(ttl, { nil: undefined }))
  .map(([keys, attributes, expires]) => ({
    ...attributes,
    ...keys,
    ...(expires === undefined ? {} : { ttl: expires }),
  }))
const compared = fc.oneof(text, fc.integer({ min: -1, max: 1 }))
const condition: fc.Arbitrary<Condition> = fc.oneof(
  fc.constant({ kind: 'absent' } as const),
  fc.constant({ kind: 'exists' } as const),
  fc.record({ kind: fc.constant('equals' as const), attribute: fc.constantFrom('a', 'b'), value: compared }),
  fc.record({ kind: fc.constant('absentOrAtMost' as const), attribute: fc.constantFrom('a', 'b'), value: compared }),
)
const conditions = fc.oneof({ arbitrary: fc.constant([]), weight: 4 }, fc.array(condition, { maxLength: 2 }))
const write: fc.Arbitrary<Write> = fc.oneof(
  { arbitrary: fc.record({ kind: fc.constant('put' as const), item, if: conditions }), weight: 3 },
  fc.record({ kind: fc.constant('delete' as const), key, if: conditions }),
  fc.record({ kind: fc.constant('check' as const), key, if: conditions }),
)
const rare = <T>(arbitrary: fc.Arbitrary<T>) => fc.oneof({ arbitrary: fc.constant(undefined), weight: 3 }, arbitrary)
const part = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 1 })
/** Most parts are absent in most queries: all of them together find nothing. */
const query = fc
  .record({
    pk: fc.constantFrom('p', 'q'),
    prefix: rare(text),
    from: rare(text),
    to: rare(text),
    reverse: fc.boolean(),
    limit: part(fc.integer({ min: 1, max: 3 })),
    after: rare(text),
  })
  .map((parts): Query => defined(parts) as Query)

const outcome = <T>(work: Promise<T>): Promise<unknown> =>
  work.catch((error: { code?: string; payload?: unknown }) => ({ code: error.code, payload: error.payload }))

it('law: gives the results of the store in memory for any transactions and queries, also after closing and opening', async () => {
  let run = 0
  const step = fc.tuple(
    fc.uniqueArray(write, { minLength: 1, maxLength: 6, selector: (one) => JSON.stringify(keyOf(one)) }),
    fc.array(query, { minLength: 4, maxLength: 8 }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
      run += 1
      const memory = memoryStore(clock)
      let store = await open(`law-${run}.sqlite`)
      for (const [writes, queries] of steps) {
        expect(await outcome(store.write(writes))).toEqual(await outcome(memory.write(writes)))
        store.close()
        store = await open(`law-${run}.sqlite`)
        for (const asked of queries) expect(await store.query(asked)).toEqual(await memory.query(asked))
      }
      store.close()
    }),
    lawRuns(60),
  )
})

it('takes keys up to the length of DynamoDB, in bytes', async () => {
  const store = await open('keys.sqlite')
  const put = (pk: string, sk: string) => store.write([{ kind: 'put', item: { pk, sk } }])
  expect(await put('ä'.repeat(1024), 'ä'.repeat(512))).toEqual({ ok: true })
  for (const [pk, sk] of [
    [`${'ä'.repeat(1024)}a`, 'a'],
    ['a', `${'ä'.repeat(512)}a`],
    ['a\ud800', 'a'],
    ['a', '\udc00'],
  ] as const) {
    await expect(put(pk, sk)).rejects.toMatchObject({ code: 'INTERNAL' })
    await expect(memoryStore(clock).write([{ kind: 'put', item: { pk, sk } }])).rejects.toMatchObject({
      code: 'INTERNAL',
    })
  }
  store.close()
})

it('refuses a file that is not its own, and changes nothing in it', async () => {
  const other = new DatabaseSync(join(folder, 'other.sqlite'))
  other.exec('CREATE TABLE items (a)')
  other.close()
  await writeFile(join(folder, 'text.sqlite'), 'a text of many words '.repeat(100))
  for (const name of ['other.sqlite', 'text.sqlite']) {
    const before = await readFile(join(folder, name))
    await expect(open(name)).rejects.toMatchObject({ code: 'FILE_REFUSED' })
    expect(await readFile(join(folder, name))).toEqual(before)
  }
})

it('refuses a file that a newer version has written', async () => {
  const store = await open('newer.sqlite')
  store.close()
  const newer = new DatabaseSync(join(folder, 'newer.sqlite'))
  newer.exec('PRAGMA user_version = 2')
  newer.close()
  await expect(open('newer.sqlite')).rejects.toMatchObject({ code: 'STATE_NEWER', payload: { found: '2', known: '1' } })
})

it('refuses requests after it was closed, and those that a signal has cancelled', async () => {
  const store = await open('closed.sqlite')
  await expect(store.get({ pk: 'a', sk: 'b' }, AbortSignal.abort())).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
  })
  store.close()
  store.close()
  await expect(store.get({ pk: 'a', sk: 'b' })).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
})

it('deletes only items that expired days ago when it is opened', async () => {
  const store = await open('expiry.sqlite')
  const at = (sk: string, expires?: number) =>
    ({ kind: 'put', item: { pk: 'e', sk, ...(expires === undefined ? {} : { ttl: expires }) } }) as const
  await store.write([at('never'), at('old', now - 3 * 86_400), at('fresh', now - 60)])
  store.close()
  ;(await open('expiry.sqlite')).close()
  const file = new DatabaseSync(join(folder, 'expiry.sqlite'))
  const kept = file.prepare('SELECT CAST(sk AS TEXT) AS sk FROM items ORDER BY sk').all()
  file.close()
  expect(kept.map(({ sk }) => sk)).toEqual(['fresh', 'never'])
})

const module = new URL('../../../functions/adapters/sqlite/store.ts', import.meta.url).href
const child = (script: string) =>
  spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'pipe'] })

const textOf = async (stream: AsyncIterable<Buffer>): Promise<string> => {
  let all = ''
  for await (const part of stream) all += String(part)
  return all
}

it('lets processes share one file without losing or doubling any of their writes', long, async () => {
  const file = join(folder, 'shared.sqlite')
  const [processes, rounds] = [4, 60]
  const script = (me: number) => `
    const { openSqliteStore } = await import(${JSON.stringify(module)})
    const store = await openSqliteStore({ file: ${JSON.stringify(file)}, clock: { now: () => new Date() } })
    const key = { pk: 'count', sk: 'all' }
    // A process that is left behind by an aborted test ends too.
    for (let [round, tries] = [0, 0]; round < ${rounds}; tries += 1) {
      if (tries > 100_000) throw new Error('there is no progress')
      const found = await store.get(key)
      const n = (found?.n ?? 0) + 1
      const guard = found === undefined ? [{ kind: 'absent' }] : [{ kind: 'equals', attribute: 'n', value: n - 1 }]
      const { ok } = await store.write([
        { kind: 'put', item: { ...key, n }, if: guard },
        { kind: 'put', item: { pk: 'log', sk: String(n).padStart(6, '0'), by: ${me} }, if: [{ kind: 'absent' }] },
      ])
      if (ok) round += 1
    }
    store.close()`
  const children = Array.from({ length: processes }, (_, me) => child(script(me)))
  const said = await Promise.all(
    children.map(async (one) => {
      const [errors, [code]] = await Promise.all([textOf(one.stderr), once(one, 'exit')])
      return [errors, code]
    }),
  )
  // Nothing on the terminal, either.
  expect(said).toEqual(Array.from({ length: processes }, () => ['', 0]))
  const store = await open('shared.sqlite')
  expect(await store.get({ pk: 'count', sk: 'all' })).toMatchObject({ n: processes * rounds })
  const { items } = await store.query({ pk: 'log' })
  const perProcess = Array.from({ length: processes }, (_, me) => items.filter(({ by }) => by === me).length)
  expect(perProcess).toEqual(Array.from({ length: processes }, () => rounds))
  store.close()
})

it('has every transaction that was confirmed in full after the process is killed', long, async () => {
  const file = join(folder, 'killed.sqlite')
  const writer = child(`
    const { openSqliteStore } = await import(${JSON.stringify(module)})
    const store = await openSqliteStore({ file: ${JSON.stringify(file)}, clock: { now: () => new Date() } })
    for (let n = 0; ; n += 1) {
      const sk = String(n).padStart(9, '0')
      await store.write(['a', 'b'].map((pk) => ({ kind: 'put', item: { pk, sk } })))
      process.stdout.write(sk + '\\n')
    }`)
  let said = ''
  for await (const part of writer.stdout) {
    said += String(part)
    if (said.split('\n').length > 50) writer.kill('SIGKILL')
  }
  const answered = said.split('\n').filter((line) => line.length === 9).length
  const store = await open('killed.sqlite')
  const [a, b] = await Promise.all(['a', 'b'].map((pk) => store.query({ pk })))
  expect(a?.items.length).toBeGreaterThanOrEqual(answered)
  expect(a?.items.map(({ sk }) => sk)).toEqual(b?.items.map(({ sk }) => sk))
  store.close()
})
