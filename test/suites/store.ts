import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../../core/engine/schema/json.ts'
import type { Condition, Item, Query, Store, Write } from '../../core/engine/state/store/store.ts'
import { lawRuns } from '../builders/laws.ts'
import { type CreateStore, type TestStore, testClock } from '../builders/time/stores.ts'

const key = (pk: string, sk = 'a') => ({ pk, sk })
const put = (item: Item, ...conditions: Condition[]): Write => ({ kind: 'put', item, if: conditions })

const readAll = async (store: Store, query: Query): Promise<Item[]> => {
  const found: Item[] = []
  let after: string | undefined = query.after
  do {
    const page = await store.query({ ...query, ...(after === undefined ? {} : { after }) })
    found.push(...page.items)
    after = page.next
  } while (after !== undefined)
  return found
}

/** What every store must do. Each case works in partitions of its own. */
export const describeStore = (name: string, create: CreateStore): void => {
  describe(`a store ${name}`, () => {
    const clock = testClock()
    const now = Math.floor(clock.now().getTime() / 1000)
    let opened: TestStore
    let store: Store
    beforeAll(async () => {
      opened = await create(clock)
      store = opened.store
    })
    afterAll(() => opened.stop())

    it('gives back nothing where nothing was written', async () => {
      expect(await store.get(key('none'))).toBeUndefined()
      expect(await store.query({ pk: 'none' })).toEqual({ items: [] })
    })

    it('neither replaces nor deletes what a later version wrote, also without a condition, and writes nothing beside it', async () => {
      const source = { ...key('W#later', 'SOURCE'), seen: { source: 'a' } }
      const other = key('later')
      await store.write([put({ ...source, v: 2 })])
      for (const write of [put(source), put(source, { kind: 'exists' }), { kind: 'delete', key: source } as const])
        for (const writes of [[write], [put(other), write]])
          await expect(store.write(writes)).rejects.toMatchObject({ code: 'STATE_NEWER' })
      await expect(store.get(source)).rejects.toMatchObject({ code: 'STATE_NEWER' })
      expect(await store.get(other)).toBeUndefined()
    })

    it('replaces what has a former format, or none', async () => {
      const source = { ...key('W#former', 'SOURCE'), seen: { source: 'a' } }
      for (const v of [0, 1]) {
        await store.write([put({ ...source, v })])
        expect(await store.write([put(source)])).toEqual({ ok: true })
        expect(await store.get(source)).toEqual(source)
      }
    })

    const values: Record<string, Json> = {
      'null, booleans and empty parts': { n: null, t: true, f: false, s: '', l: [], o: {}, ll: [[], [{}]] },
      'numbers of every size': [
        0,
        0.1,
        -1.5,
        1e21,
        1e-7,
        1e300,
        5e-324,
        2 ** 53,
        Number.MAX_VALUE,
        123456789012345680000,
      ],
      'text of every kind': ['', ' ', 'ä', '日本', '😀', '\u0000', '\ud800', 'line\nline', '"quoted"'],
      'reserved words': { name: 1, status: 2, size: 3, ttl: 4, pk: 5, $secret: 'x', '#a': 1, ':b': 2, 'a.b': 3, '': 4 },
      'forty levels': Array.from({ length: 40 }).reduce<Json>((inner) => ({ inner }), 'deep'),
      'a large part': 'x'.repeat(370_000),
    }
    it.each(Object.entries(values))('gives back %s as they were', async (title, value) => {
      const item = { ...key(`round ${title}`), value }
      expect(await store.write([put(item)])).toEqual({ ok: true })
      expect(await store.get(item)).toEqual(item)
    })

    it.each<Json>([null, true, false, 0, -7, 1e21, 0.5, '', '\ud800', 'a'])(
      'gives back %j at the top',
      async (value) => {
        const item = { ...key('top', JSON.stringify(value)), value }
        await store.write([put(item)])
        expect(await store.get(item)).toEqual(item)
      },
    )

    it('law: any JSON comes back as JSON keeps it', async () => {
      await fc.assert(
        fc.asyncProperty(fc.jsonValue(), fc.uuid(), async (value, sk) => {
          const item = { ...key('law', sk), value: value as Json }
          await store.write([put(item)])
          expect(await store.get(item)).toEqual({ ...item, value: JSON.parse(JSON.stringify(value)) })
        }),
        lawRuns(60),
      )
    })

    it('keeps bytes, drops undefined members, and shares nothing with its caller', async () => {
      const inner = { list: [1] }
      await store.write([put({ ...key('copy'), bytes: new Uint8Array([0, 255]), left: undefined, inner })])
      inner.list.push(2)
      const found = (await store.get(key('copy'))) as Item
      expect([...(found['bytes'] as Uint8Array)]).toEqual([0, 255])
      expect(Object.keys(found).sort()).toEqual(['bytes', 'inner', 'pk', 'sk'])
      ;(found['inner'] as { list: number[] }).list.push(3)
      expect((await store.get(key('copy')))?.['inner']).toEqual({ list: [1] })
    })

    const conditions: readonly (readonly [string, Condition, Item | undefined, boolean])[] = [
      ['absent, nothing there', { kind: 'absent' }, undefined, true],
      ['absent, something there', { kind: 'absent' }, { ...key(''), n: 1 }, false],
      ['absent, expired', { kind: 'absent' }, { ...key(''), ttl: now }, true],
      ['exists, nothing there', { kind: 'exists' }, undefined, false],
      ['exists, something there', { kind: 'exists' }, { ...key('') }, true],
      ['exists, expired', { kind: 'exists' }, { ...key(''), ttl: now - 1 }, false],
      ['exists, not yet expired', { kind: 'exists' }, { ...key(''), ttl: now + 1 }, true],
      ['equals a number', { kind: 'equals', attribute: 'size', value: 5 }, { ...key(''), size: 5 }, true],
      ['equals another number', { kind: 'equals', attribute: 'size', value: 5 }, { ...key(''), size: 6 }, false],
      ['equals text, not number', { kind: 'equals', attribute: 'size', value: '5' }, { ...key(''), size: 5 }, false],
      ['equals a boolean', { kind: 'equals', attribute: 'held', value: true }, { ...key(''), held: true }, true],
      ['equals a missing attribute', { kind: 'equals', attribute: 'size', value: 5 }, { ...key('') }, false],
      ['equals, nothing there', { kind: 'equals', attribute: 'size', value: 5 }, undefined, false],
      ['equals, expired', { kind: 'equals', attribute: 'n', value: 1 }, { ...key(''), n: 1, ttl: now }, false],
      ['at most, below', { kind: 'absentOrAtMost', attribute: 'status', value: 5 }, { ...key(''), status: 4 }, true],
      [
        'at most, equal',
        { kind: 'absentOrAtMost', attribute: 'status', value: 'b' },
        { ...key(''), status: 'b' },
        true,
      ],
      [
        'at most, above',
        { kind: 'absentOrAtMost', attribute: 'status', value: 'b' },
        { ...key(''), status: 'c' },
        false,
      ],
      [
        'at most, other type',
        { kind: 'absentOrAtMost', attribute: 'status', value: 'b' },
        { ...key(''), status: 1 },
        false,
      ],
      ['at most, attribute missing', { kind: 'absentOrAtMost', attribute: 'status', value: 5 }, { ...key('') }, true],
      ['at most, nothing there', { kind: 'absentOrAtMost', attribute: 'status', value: 5 }, undefined, true],
      ['at most, expired', { kind: 'absentOrAtMost', attribute: 'n', value: 5 }, { ...key(''), n: 9, ttl: now }, true],
    ]
    for (const kind of ['put', 'delete', 'check'] as const) {
      it.each(conditions)(`${kind} if %s`, async (title, condition, before, ok) => {
        const at = key(`${kind} if ${title}`)
        if (before !== undefined) await store.write([put({ ...before, ...at })])
        const write: Write = kind === 'put' ? put({ ...at, mine: 1 }, condition) : { kind, key: at, if: [condition] }
        const seen = await store.get(at)
        const result = await store.write([write])
        expect(result).toEqual(ok ? { ok } : { ok, index: 0, ...(seen === undefined ? {} : { found: seen }) })
        if (!ok || kind === 'check') expect(await store.get(at)).toEqual(seen)
        else expect(await store.get(at)).toEqual(kind === 'put' ? { ...at, mine: 1 } : undefined)
      })
    }

    it('holds all conditions of a write together', async () => {
      await store.write([put({ ...key('both'), a: 1, b: 2 })])
      const both = (b: number): Condition[] => [
        { kind: 'equals', attribute: 'a', value: 1 },
        { kind: 'equals', attribute: 'b', value: b },
      ]
      expect((await store.write([put({ ...key('both'), a: 1, b: 2 }, ...both(3))])).ok).toBe(false)
      expect((await store.write([put({ ...key('both'), a: 1, b: 2 }, ...both(2))])).ok).toBe(true)
    })

    it('writes all or nothing, and names the first write that failed', async () => {
      await store.write([put({ ...key('atomic', 'c'), was: 1 }), put({ ...key('atomic', 'd'), was: 1 })])
      const result = await store.write([
        put(key('atomic', 'a')),
        { kind: 'delete', key: key('atomic', 'c') },
        put({ ...key('atomic', 'd'), was: 2 }, { kind: 'absent' }),
        { kind: 'check', key: key('atomic', 'e'), if: [{ kind: 'exists' }] },
      ])
      expect(result).toEqual({ ok: false, index: 2, found: { ...key('atomic', 'd'), was: 1 } })
      expect(await readAll(store, { pk: 'atomic' })).toEqual([
        { ...key('atomic', 'c'), was: 1 },
        { ...key('atomic', 'd'), was: 1 },
      ])
    })

    it('takes a hundred writes at once, and refuses more, none, one key twice and an item over 400 KB', async () => {
      const many = (n: number) => Array.from({ length: n }, (_, index) => put(key('many', `${index}`)))
      expect(await store.write(many(100))).toEqual({ ok: true })
      const refused = [many(101), [], [...many(1), ...many(1)], [put({ ...key('big'), text: 'x'.repeat(420_000) })]]
      for (const writes of refused) await expect(store.write(writes)).rejects.toMatchObject({ code: 'INTERNAL' })
      expect(await readAll(store, { pk: 'many' })).toHaveLength(100)
    })

    it('lets exactly one of two hundred absent-puts win', async () => {
      const results = await Promise.all(
        Array.from({ length: 200 }, (_, n) => store.write([put({ ...key('race'), n }, { kind: 'absent' })])),
      )
      const winners = results.flatMap((result, n) => (result.ok ? [n] : []))
      expect(winners).toHaveLength(1)
      expect((await store.get(key('race')))?.['n']).toBe(winners[0])
    })

    it('ends exact after compare-and-set loops of many', async () => {
      await store.write([put({ ...key('count'), n: 0 }), put({ ...key('count', 'b'), n: 0 })])
      const increment = async (): Promise<void> => {
        const n = Number((await store.get(key('count')))?.['n'])
        const result = await store.write([
          put({ ...key('count'), n: n + 1 }, { kind: 'equals', attribute: 'n', value: n }),
          put({ ...key('count', 'b'), n: n + 1 }),
        ])
        if (!result.ok) await increment()
      }
      const worker = async () => {
        for (let done = 0; done < 5; done += 1) await increment()
      }
      await Promise.all(Array.from({ length: 8 }, worker))
      expect((await store.get(key('count')))?.['n']).toBe(40)
      expect((await store.get(key('count', 'b')))?.['n']).toBe(40)
    })

    const names = ['LOCK', 'META', 'R#a', 'R#b', 'R#b.c', 'R#é', 'R#\uffee', 'R#😀', 'RUN#1', 'RUN#2', 'S']
    const queries: readonly (readonly [string, Omit<Query, 'pk'>, readonly string[]])[] = [
      ['everything, in the order of UTF-8', {}, names],
      ['backwards', { reverse: true }, [...names].reverse()],
      ['a prefix', { prefix: 'R#' }, ['R#a', 'R#b', 'R#b.c', 'R#é', 'R#\uffee', 'R#😀']],
      ['a prefix backwards', { prefix: 'RUN#', reverse: true }, ['RUN#2', 'RUN#1']],
      ['a prefix that nothing has', { prefix: 'X' }, []],
      ['from, included', { from: 'RUN#1' }, ['RUN#1', 'RUN#2', 'S']],
      ['to, included', { to: 'META' }, ['LOCK', 'META']],
      ['from and to', { from: 'M', to: 'R#a' }, ['META', 'R#a']],
      ['to before from', { from: 'b', to: 'a' }, []],
      ['prefix and from', { prefix: 'R#', from: 'R#b.c' }, ['R#b.c', 'R#é', 'R#\uffee', 'R#😀']],
      ['prefix and to', { prefix: 'R#', to: 'R#b' }, ['R#a', 'R#b']],
      ['prefix beyond to', { prefix: 'RUN#', to: 'M' }, []],
      ['after, excluded', { after: 'RUN#1' }, ['RUN#2', 'S']],
      ['after backwards', { after: 'META', reverse: true }, ['LOCK']],
      ['after a key that is not there', { after: 'R#aa', prefix: 'R#', limit: 2 }, ['R#b', 'R#b.c']],
      ['after a key outside the prefix', { after: 'A', prefix: 'RUN#' }, ['RUN#1', 'RUN#2']],
      ['after the end', { after: 'Z' }, []],
    ]
    it.each(queries)('finds %s', async (_, query, expected) => {
      await store.write(names.map((sk) => put(key('query', sk))))
      const page = await store.query({ pk: 'query', ...query })
      expect(page.items.map((item) => item.sk)).toEqual(expected)
      if (query.limit === undefined) expect(page.next).toBeUndefined()
    })

    it.each([
      [1, false],
      [3, false],
      [3, true],
      [11, true],
      [12, false],
    ])('turns pages of %i, reverse %s, and says next only where there is more', async (limit, reverse) => {
      await store.write(names.map((sk) => put(key('pages', sk))))
      const seen: string[] = []
      let after: string | undefined
      let pages = 0
      do {
        const page = await store.query({ pk: 'pages', limit, reverse, ...(after === undefined ? {} : { after }) })
        seen.push(...page.items.map((item) => item.sk))
        after = page.next
        pages += 1
      } while (after !== undefined)
      expect(seen).toEqual(reverse ? [...names].reverse() : names)
      expect(pages).toBe(Math.ceil(names.length / limit))
    })

    it('ends a page at a megabyte, and loses nothing', async () => {
      for (let n = 0; n < 8; n += 1) await store.write([put({ ...key('heavy', `${n}`), text: 'x'.repeat(300_000) })])
      const first = await store.query({ pk: 'heavy' })
      expect(first.items.length).toBeLessThan(8)
      expect(first.next).toBe(first.items.at(-1)?.sk)
      expect((await readAll(store, { pk: 'heavy' })).map((item) => item.sk)).toEqual([...'01234567'])
      expect((await store.query({ pk: 'heavy', limit: 8 })).items).toHaveLength(8)
    })

    it('never shows an item past its time, and still fills the page', async () => {
      const items = [...'abcdefgh'].map((sk, n) => ({ ...key('ttl', sk), ttl: n % 2 === 0 ? now : now + 60 }))
      await store.write(items.map((item) => put(item)))
      expect(await store.get(key('ttl', 'a'))).toBeUndefined()
      expect((await readAll(store, { pk: 'ttl' })).map((item) => item.sk)).toEqual(['b', 'd', 'f', 'h'])
      const page = await store.query({ pk: 'ttl', limit: 3 })
      expect(page).toMatchObject({ items: [{ sk: 'b' }, { sk: 'd' }, { sk: 'f' }], next: 'f' })
      expect(await store.query({ pk: 'ttl', after: 'g', limit: 1 })).toMatchObject({ items: [{ sk: 'h' }] })
    })
  })
}
