import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { digest } from '../../../core/engine/json/digest.ts'
import {
  emptyHead,
  endOf,
  headOf,
  type LedgerHead,
  type LedgerPart,
  ledgerLine,
} from '../../../core/engine/ledger/chain.ts'
import { link } from '../../../core/engine/ledger/link.ts'
import { verify, verifyLines } from '../../../core/engine/ledger/verify.ts'
import type { LedgerEntry } from '../../../core/engine/schema/stored/records.ts'
import { ledgerEntryShape } from '../../../core/engine/schema/stored/records.ts'
import { lawRuns } from '../../builders/laws.ts'
import { aDraft } from '../../builders/values/records.ts'

const chain = (length: number, more: Parameters<typeof aDraft>[1] = {}): LedgerEntry[] => {
  let head = emptyHead
  return Array.from({ length }, (_, n) => {
    const entry = link(head, aDraft(n, more))
    head = headOf(entry)
    return entry
  })
}

const entries = chain(6)
const head = headOf(entries[5] as LedgerEntry)
const whole = (all: readonly LedgerEntry[], last: LedgerHead = head): LedgerPart[] => [...all, endOf('acme', last)]
const linesOf = (all: readonly LedgerEntry[]) => whole(all).map(ledgerLine)

describe('a link of the chain', () => {
  it('has the published shape, counts from one and begins with zeros', () => {
    for (const entry of entries) expect(ledgerEntryShape.parse(entry)).toEqual(entry)
    expect(entries.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6])
    expect(entries[0]?.previous).toBe(`sha256:${'0'.repeat(64)}`)
    expect(entries[1]?.previous).toBe(entries[0]?.hash)
  })

  it('covers every other member of the entry with its hash', () => {
    const { hash, ...covered } = entries[2] as LedgerEntry
    expect(hash).toBe(digest(covered))
  })

  it('never goes back in time', () => {
    const first = link(emptyHead, aDraft(9))
    expect(link(headOf(first), aDraft(1)).at).toBe(first.at)
    expect(link(headOf(first), aDraft(10)).at).toBe(aDraft(10).at)
  })

  it('spells every time in the same way', () => {
    expect(link(emptyHead, aDraft(0, { at: '2026-03-01T06:00:00Z' })).at).toBe('2026-03-01T06:00:00.000Z')
  })
})

describe('the verification of a ledger', () => {
  const relink = (all: readonly LedgerEntry[]) => {
    let last = emptyHead
    return all.map(({ seq: _, previous: __, hash: ___, ...draft }) => {
      const entry = link(last, draft)
      last = headOf(entry)
      return entry
    })
  }
  const without = (index: number) => entries.filter((_, at) => at !== index)
  const swapped = () => [entries[1], entries[0], ...entries.slice(2)] as LedgerEntry[]
  const edited = (index: number, more: Partial<LedgerEntry>) =>
    entries.map((one, at) => (at === index ? { ...one, ...more } : one))

  it('accepts a whole chain, an empty one, and one that has grown since its head was stored', async () => {
    const intact = { ok: true, workspace: 'acme', entries: 6, head: head.hash }
    expect(await verify(whole(entries))).toEqual(intact)
    expect(await verify(whole(entries), { workspace: 'acme', head })).toEqual(intact)
    expect(await verify(whole(entries), { head: headOf(entries[3] as LedgerEntry) })).toEqual(intact)
    expect(await verify(whole([], emptyHead))).toEqual({ ...intact, entries: 0, head: emptyHead.hash })
    expect(await verify(whole([], emptyHead), { head: emptyHead })).toMatchObject({ ok: true })
  })

  it.each<[string, readonly LedgerEntry[], number, RegExp]>([
    ['an edited reason', edited(2, { reason: 'other' }), 3, /changed after/],
    ['an edited actor', edited(0, { actor: { subject: 'eve', via: 'api' } }), 1, /changed after/],
    ['an added member', edited(1, { detail: 'x' }), 2, /changed after/],
    ['an edited hash', edited(4, { hash: digest('x') }), 5, /changed after/],
    ['a deleted first entry', without(0), 1, /entry 1 is missing/],
    ['a deleted entry', without(3), 4, /entry 4 is missing; entry 5/],
    ['a swap', swapped(), 1, /missing/],
    ['a repeated entry', [...entries.slice(0, 2), ...entries.slice(1)], 3, /missing/],
    ['a cut end', without(5), 6, /6 to 6 are missing at the end/],
    ['nothing left', [], 1, /1 to 6 are missing/],
    ['a rewritten chain', relink(edited(2, { reason: 'other' })), 6, /another than was expected/],
    [
      'an entry of another workspace',
      [...entries.slice(0, 3), ...relink(edited(3, { workspace: 'b' })).slice(3)],
      4,
      /workspace b/,
    ],
    [
      'an entry from before',
      [...entries.slice(0, 5), { ...(entries[5] as LedgerEntry), at: '2020-01-01T00:00:00.000Z' }],
      6,
      /older/,
    ],
    ['an entry that follows another', edited(3, { previous: digest('x') }), 4, /does not follow/],
  ])('detects %s', async (_, chained, seq, detail) => {
    const broken = { ok: false, seq, detail: expect.stringMatching(detail) }
    expect(await verify(whole(chained), { head })).toEqual(broken)
    // The end that stands there is enough, without one that was kept elsewhere.
    if (seq < 6 || chained.length < 6) expect(await verify(whole(chained))).toMatchObject({ ok: false })
  })

  const end = endOf('acme', head)
  it.each<[string, readonly LedgerPart[], RegExp]>([
    ['nothing at all', [], /empty/],
    ['entries without an end', entries, /head is missing/],
    ['an end twice', [...whole(entries), end], /a second time/],
    [
      'an entry after the end',
      [...whole(entries.slice(0, 5), headOf(entries[4] as LedgerEntry)), ...entries.slice(5)],
      /after the end/,
    ],
    ['an end that counts more', [...entries, { ...end, entries: 7 }], /7 to 7 are missing/],
    ['an end that counts fewer', whole(entries, headOf(entries[4] as LedgerEntry)), /counts 5/],
    ['an end of another chain', [...entries, { ...end, head: digest('x') }], /not that of the last entry/],
    ['an end with another time', [...entries, { ...end, at: '2020-01-01T00:00:00.000Z' }], /head was changed/],
    ['an end of another workspace', [...entries, { ...end, workspace: 'beta' }], /belongs to workspace beta/],
    ['an end with a member more', [...entries, { ...end, more: 1 } as LedgerPart], /head was changed/],
  ])('detects %s', async (_, parts, detail) => {
    expect(await verify(parts)).toMatchObject({ ok: false, detail: expect.stringMatching(detail) })
  })

  it('detects the ledger of another workspace', async () => {
    expect(await verify(whole(entries), { workspace: 'beta' })).toMatchObject({
      ok: false,
      detail: 'it belongs to workspace acme',
    })
    expect(await verify([], { workspace: 'beta' })).toMatchObject({ ok: false })
  })

  it('refuses a head that no ledger can have', async () => {
    expect(await verify(whole(entries), { head: { seq: 0, hash: digest('x') } })).toMatchObject({ ok: false })
  })
})

describe('an exported ledger', () => {
  it('verifies line by line', async () => {
    expect(await verifyLines(linesOf(entries))).toEqual({ ok: true, workspace: 'acme', entries: 6, head: head.hash })
  })

  it.each([
    ['no JSON', '{', 3],
    ['an empty line', '', 3],
    ['another thing', '{"a":1}', 3],
    ['null', 'null', 3],
    ['half of a surrogate pair', '{"hash":"\\ud800"}', 3],
    ['nesting without end', `{"hash":${'['.repeat(200_000)}${']'.repeat(200_000)}}`, 3],
    ['the same entry spelled otherwise', JSON.stringify(entries[2], null, 1), 3],
    ['a member hidden behind another', ledgerLine(entries[2] as LedgerEntry).replace('{', '{"reason":"hidden",'), 3],
  ])('shows %s at its line', async (_, line, seq) => {
    const lines = linesOf(entries).with(2, line)
    expect(await verifyLines(lines)).toMatchObject({ ok: false, seq })
  })

  it('law: does not verify after any byte was changed, removed or added', async () => {
    const four = chain(4)
    const text = whole(four, headOf(four[3] as LedgerEntry))
      .map(ledgerLine)
      .join('\n')
    const change = fc.record({
      at: fc.nat(text.length - 1),
      take: fc.nat(3),
      give: fc.string({ maxLength: 3, unit: fc.constantFrom(...'0123456789abcdef{}",:\n ') }),
    })
    await fc.assert(
      fc.asyncProperty(change, async ({ at, take, give }) => {
        const changed = text.slice(0, at) + give + text.slice(at + take)
        fc.pre(changed !== text)
        expect(await verifyLines(changed.split('\n'))).toMatchObject({ ok: false })
      }),
      lawRuns(1000),
    )
  })

  it('law: does not verify after any line was removed, swapped or repeated', async () => {
    const lines = linesOf(entries)
    const shuffled = fc.array(fc.nat(6), { maxLength: 9 }).map((order) => order.map((at) => lines[at] ?? ''))
    await fc.assert(
      fc.asyncProperty(shuffled, async (other) => {
        fc.pre(other.join('\n') !== lines.join('\n'))
        expect(await verifyLines(other)).toMatchObject({ ok: false })
      }),
    )
  })

  it('law: does not verify if anything is left out, up to any line', async () => {
    const lines = linesOf(entries)
    for (const at of lines.keys()) {
      expect(await verifyLines(lines.slice(0, at)), `cut before line ${at + 1}`).toMatchObject({ ok: false })
      expect(await verifyLines(lines.toSpliced(at, 1)), `without line ${at + 1}`).toMatchObject({ ok: false })
      expect(await verifyLines(lines.toSpliced(at, 0, '')), `an empty line ${at + 1}`).toMatchObject({ ok: false })
    }
  })
})
