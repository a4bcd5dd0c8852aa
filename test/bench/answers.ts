import { createHash } from 'node:crypto'
import type { KeptAnswer } from '../../core/engine/schema/ports.ts'
import { openAnswers } from '../../core/engine/state/answers/answers.ts'
import { itemBytes } from '../../core/engine/state/store/limits.ts'
import { memoryStore } from '../../core/engine/state/store/memory.ts'
import type { Store } from '../../core/engine/state/store/store.ts'
import { createCipher } from '../../functions/adapters/cipher.ts'
import { systemClock } from '../../functions/adapters/clock.ts'
import { createSeal } from '../../functions/adapters/seal.ts'

const repositories = 1_000
const each = 8
const keyOf = (n: number): string => createHash('sha256').update(String(n)).digest('hex')

/** About 5 KB, as GitHub answers: most of it are URLs that contain the name, and the rest is of this one alone. */
const anAnswer = (n: number): KeptAnswer => {
  const url = `https://api.github.test/repos/acme/repository-${n % repositories}`
  const links = Array.from({ length: 45 }, (_, k) => [`part_${k}_url`, `${url}/part-${k}{/other}?ref=${n % 7}`])
  const own = { id: n, node_id: keyOf(n), description: keyOf(n + 1), pushed_at: new Date(n * 1e7).toISOString() }
  const body = { ...own, ...Object.fromEntries(links), permissions: { admin: true, push: true, pull: true } }
  return { etag: `W/"${keyOf(n + 2)}"`, response: { status: 200, headers: { etag: 'x', link: `<${url}>` }, body } }
}

/** What kept answers cost the store: an organisation that is read for the first time, again, and with 1 % changed. */
export const benchAnswers = async (write: (line: string) => void): Promise<void> => {
  const inner = memoryStore(systemClock)
  const ops = { queries: 0, writes: 0, items: 0, kib: 0 }
  const store: Store = {
    ...inner,
    query: (query) => {
      ops.queries += 1
      return inner.query(query)
    },
    write: (writes) => {
      ops.writes += 1
      for (const one of writes) if (one.kind === 'put') ops.kib += itemBytes(one.item) / 1024
      ops.items += writes.length
      return inner.write(writes)
    },
  }
  const cipher = createCipher(createSeal('bench'))
  const count = repositories * each
  const warn = (error: unknown): void => {
    throw error
  }
  const run = async (title: string, isChanged: (n: number) => boolean): Promise<void> => {
    Object.assign(ops, { queries: 0, writes: 0, items: 0, kib: 0 })
    const start = performance.now()
    const answers = openAnswers({ store, workspace: 'acme', cipher, clock: systemClock, warn })
    let found = 0
    for (let n = 0; n < count; n += 1) {
      if ((await answers.find(keyOf(n))) !== undefined) found += 1
      if (isChanged(n)) await answers.keep(keyOf(n), anAnswer(n))
    }
    await answers.save()
    const seconds = ((performance.now() - start) / 1000).toFixed(1)
    write(
      `${title}: ${found} of ${count} found, ${ops.queries} queries, ${ops.writes} writes of ${ops.items} items with ${ops.kib.toFixed(0)} KiB, ${seconds} s`,
    )
  }
  const bytes = JSON.stringify(anAnswer(1).response).length
  write(`${count} answers of ${bytes} bytes`)
  await run('cold', () => true)
  await run('warm', () => false)
  await run('1 % changed', (n) => n % 100 === 0)
  await run('warm', () => false)
  write(`memory: ${(process.memoryUsage().rss / 1e6).toFixed(0)} MB`)
}
