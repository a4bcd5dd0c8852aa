import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { KeptAnswer } from '../../core/engine/schema/ports.ts'
import { openAnswers } from '../../core/engine/state/answers/answers.ts'
import { forgetAnswers } from '../../core/engine/state/answers/pack-store.ts'
import { eachItem } from '../../core/engine/state/store/commit.ts'
import { keys } from '../../core/engine/state/store/keys.ts'
import type { Item, Store } from '../../core/engine/state/store/store.ts'
import { createCipher } from '../../functions/adapters/cipher.ts'
import { createSeal } from '../../functions/adapters/seal.ts'
import { long } from '../builders/long.ts'
import { type CreateStore, type TestStore, testClock } from '../builders/time/stores.ts'

const day = 86_400_000
const keyOf = (n: number): string => createHash('sha256').update(String(n)).digest('hex')
const anAnswer = (n: number, body: string = `the answer ${n}`): KeptAnswer => ({
  etag: `"${n}"`,
  response: { status: 200, headers: { etag: `"${n}"` }, body: { n, body } },
})
/** Text that hardly compresses. */
const noise = (n: number, length: number): string => {
  let text = ''
  for (let part = 0; text.length < length; part += 1) text += keyOf(n * 1_000_003 + part)
  return text.slice(0, length)
}

/** What keeps answers must do, on every store. */
export const describeAnswers = (name: string, create: CreateStore): void => {
  describe(`kept answers ${name}`, () => {
    const clock = testClock()
    let opened: TestStore
    let number = 0
    beforeAll(async () => {
      opened = await create(clock)
    })
    afterAll(() => opened.stop())

    const open = (key = 'a key', workspace = `answers-${number}`) => {
      const calls = { query: 0, write: 0 }
      const warnings: unknown[] = []
      const { store } = opened
      const counted: Store = {
        ...store,
        query: (query) => {
          calls.query += 1
          return store.query(query)
        },
        write: (writes) => {
          calls.write += 1
          return store.write(writes)
        },
      }
      const cipher = createCipher(createSeal(key))
      const answers = openAnswers({ store: counted, workspace, cipher, clock, warn: (error) => warnings.push(error) })
      return { answers, calls, warnings, workspace }
    }
    const fresh = () => {
      number += 1
      return open()
    }
    const items = async (workspace: string): Promise<readonly Item[]> =>
      Array.fromAsync(eachItem(opened.store, { pk: keys.answers(workspace, '').pk }))
    const fill = async (all: readonly number[], answer = anAnswer) => {
      const { answers, ...rest } = open()
      for (const n of all) await answers.keep(keyOf(n), answer(n))
      await answers.save()
      return rest
    }
    const upTo = (most: number): readonly number[] => Array.from({ length: most }, (_, n) => n)

    it('come back in another run as they were, and nothing is written that has not changed', async () => {
      fresh()
      await fill(upTo(50))
      const { answers, calls } = open()
      for (const n of upTo(50)) expect(await answers.find(keyOf(n))).toEqual(anAnswer(n))
      expect(await answers.find(keyOf(99))).toBeUndefined()
      await answers.save()
      expect(calls).toEqual({ query: 1, write: 0 })
    })

    it('are found by the run that keeps them before they are stored, the newest first', async () => {
      fresh()
      await fill([1])
      const { answers, calls } = open()
      await answers.keep(keyOf(1), anAnswer(1, 'newer'))
      await answers.keep(keyOf(2), anAnswer(2))
      expect([await answers.find(keyOf(1)), await answers.find(keyOf(2))]).toEqual([anAnswer(1, 'newer'), anAnswer(2)])
      expect(calls.write).toBe(0)
    })

    it('are replaced by newer ones, and packs of which most is outdated are written again', async () => {
      fresh()
      await fill(upTo(20))
      clock.advance(1000)
      const { workspace } = await fill(upTo(15), (n) => anAnswer(n, 'newer'))
      const { answers } = open()
      for (const n of upTo(20)) expect(await answers.find(keyOf(n))).toEqual(anAnswer(n, n < 15 ? 'newer' : undefined))
      await answers.save()
      const after = open()
      for (const n of upTo(20)) {
        expect(await after.answers.find(keyOf(n))).toEqual(anAnswer(n, n < 15 ? 'newer' : undefined))
      }
      expect((await items(workspace)).length).toBe(2)
    })

    it('stay in few items, however many runs add to them', long, async () => {
      const { workspace } = fresh()
      for (const run of upTo(30)) {
        clock.advance(1000)
        await fill(upTo(10).map((n) => run * 10 + n))
      }
      expect((await items(workspace)).length).toBeLessThanOrEqual(9)
      const { answers } = open()
      for (const n of upTo(300)) expect(await answers.find(keyOf(n))).toEqual(anAnswer(n))
    })

    it('are in several items where they are large, and one that is too large is not kept', long, async () => {
      fresh()
      const sizes = [300_000, 1_000, 1_500_000, 300_000, 300_000, 2_100_000]
      const answerOf = (n: number) => anAnswer(n, noise(n, sizes[n] ?? 0))
      const { workspace } = await fill(upTo(sizes.length), answerOf)
      expect((await items(workspace)).length).toBeGreaterThan(1)
      const { answers, warnings } = open()
      for (const [n, size] of sizes.entries()) {
        expect(await answers.find(keyOf(n))).toEqual(size > 700_000 ? undefined : answerOf(n))
      }
      expect(warnings).toEqual([])
    })

    it('end at different times between five and seven days', async () => {
      fresh()
      await fill(upTo(200))
      const left = async (): Promise<number> => {
        const { answers } = open()
        const found = await Promise.all(upTo(200).map((n) => answers.find(keyOf(n))))
        return found.filter((each) => each !== undefined).length
      }
      const counts: number[] = []
      for (const days of [4.9, 1, 0.9, 0.3]) {
        clock.advance(days * day)
        counts.push(await left())
      }
      expect(counts[0]).toBe(200)
      expect(counts[1]).toBeGreaterThan(60)
      expect(counts[1]).toBeLessThan(160)
      expect(counts[3]).toBe(0)
    })

    it('cannot be read in the store, with another key, or in another place', async () => {
      fresh()
      const { workspace } = await fill(upTo(3))
      const stored = await items(workspace)
      expect(Buffer.from(JSON.stringify(stored.map(({ bytes }) => [...(bytes as Uint8Array)])))).not.toContain('answer')
      expect(await open('another key').answers.find(keyOf(1))).toBeUndefined()
      const thief = `${workspace}-thief`
      for (const item of stored) await opened.store.write([{ kind: 'put', item: { ...item, pk: `H#${thief}` } }])
      expect(await open('a key', thief).answers.find(keyOf(1))).toBeUndefined()
    })

    it('of another key, and damaged ones, are deleted', async () => {
      fresh()
      const { workspace } = await fill(upTo(3))
      const [item] = await items(workspace)
      const bytes = new Uint8Array(item?.['bytes'] as Uint8Array)
      bytes[40] = (bytes[40] ?? 0) ^ 1
      await opened.store.write([{ kind: 'put', item: { ...item, pk: `H#${workspace}`, sk: item?.sk ?? '', bytes } }])
      const { answers, warnings } = open()
      expect(await answers.find(keyOf(1))).toBeUndefined()
      await answers.save()
      expect([await items(workspace), warnings]).toEqual([[], []])
    })

    it('of two runs at once are all kept', async () => {
      const { workspace } = fresh()
      await fill(upTo(9))
      const [one, other] = [open(), open()]
      clock.advance(1000)
      for (const n of upTo(9)) await one.answers.keep(keyOf(n), anAnswer(n, 'one'))
      for (const n of upTo(9)) await other.answers.keep(keyOf(n + 9), anAnswer(n + 9, 'other'))
      await Promise.all([one.answers.save(), other.answers.save()])
      const { answers } = open()
      for (const n of upTo(9)) expect(await answers.find(keyOf(n))).toEqual(anAnswer(n, 'one'))
      for (const n of upTo(9)) expect(await answers.find(keyOf(n + 9))).toEqual(anAnswer(n + 9, 'other'))
      await forgetAnswers(opened.store, workspace)
      expect(await items(workspace)).toEqual([])
    })

    it('are lost where the store fails, which is said once and is no error', async () => {
      fresh()
      const warnings: unknown[] = []
      const refuse = () => Promise.reject(new Error('down'))
      const answers = openAnswers({
        store: { get: refuse, query: refuse, write: refuse },
        workspace: 'w',
        cipher: createCipher(createSeal('k')),
        clock,
        warn: (error) => warnings.push(error),
      })
      expect(await Promise.all([answers.find(keyOf(1)), answers.find(keyOf(2))])).toEqual([undefined, undefined])
      await answers.keep(keyOf(1), anAnswer(1))
      await answers.save()
      expect(warnings).toHaveLength(1)
    })
  })
}
