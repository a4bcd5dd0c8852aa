import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock } from '../../functions/adapters/clock.ts'
import { openSqliteStore } from '../../functions/adapters/sqlite/store.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-shared-'))
})
afterAll(() => rm(folder, { recursive: true }))

const [processes, times] = [4, 150]

/** Counts up one number with the others, and leaves a mark for each of its own steps in the same write. */
const script = (file: string, name: string): string => `
  const { openSqliteStore } = await import(${JSON.stringify(new URL('../../functions/adapters/sqlite/store.ts', import.meta.url).href)})
  const store = await openSqliteStore({ file: ${JSON.stringify(file)}, clock: { now: () => new Date() } })
  const key = { pk: 'shared', sk: 'count' }
  for (let done = 0; done < ${times}; ) {
    const n = Number((await store.get(key))?.n ?? 0)
    const unmoved = n === 0 ? { kind: 'absent' } : { kind: 'equals', attribute: 'n', value: n }
    const { ok } = await store.write([
      { kind: 'put', item: { ...key, n: n + 1 }, if: [unmoved] },
      { kind: 'put', item: { pk: 'marks', sk: '${name} ' + done }, if: [{ kind: 'absent' }] },
    ])
    if (ok) done += 1
  }
  store.close()`

it('processes that write one file at once lose nothing and double nothing, and all of them end', async () => {
  const file = join(folder, 'store.sqlite')
  const names = Array.from({ length: processes }, (_, n) => `p${n}`)
  await Promise.all(
    names.map((name) => promisify(execFile)(process.execPath, ['--input-type=module', '-e', script(file, name)])),
  )
  const store = await openSqliteStore({ file, clock: systemClock })
  expect(await store.get({ pk: 'shared', sk: 'count' })).toMatchObject({ n: processes * times })
  expect((await store.query({ pk: 'marks', limit: 10_000 })).items).toHaveLength(processes * times)
  store.close()
})
