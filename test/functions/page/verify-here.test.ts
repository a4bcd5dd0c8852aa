import { describe, expect, it, test } from 'vitest'
import { emptyHead, endOf, headOf, ledgerLine } from '../../../core/engine/ledger/chain.ts'
import { link } from '../../../core/engine/ledger/link.ts'
import type { LedgerEntry } from '../../../core/index.ts'
import { headIn, verifyHere, whyNoExport } from '../../../functions/page/ledger/verify-here.ts'

const actor = { subject: 'mona', via: 'api' } as const
const chainOf = (n: number): readonly LedgerEntry[] =>
  Array.from({ length: n }).reduce<readonly LedgerEntry[]>((entries) => {
    const last = entries.at(-1)
    const draft = { workspace: 'acme', at: '2026-11-28T06:00:00.000Z', kind: 'paused', actor, reason: 'why ☂' } as const
    return [...entries, link(last === undefined ? emptyHead : headOf(last), draft)]
  }, [])

const entries = chainOf(7)
const last = headOf(entries.at(-1) as LedgerEntry)
const text = `${[...entries, endOf('acme', last)].map(ledgerLine).join('\n')}\n`
const verify = (given: string, head?: { seq: number; hash: string }) =>
  verifyHere(given, { workspace: 'acme', head, told: () => {} })

describe('an export in the browser', () => {
  it('is verified with the hash function of the browser', async () => {
    expect(await verify(text)).toEqual({ ok: true, workspace: 'acme', entries: 7, head: last.hash })
  })
  it('holds with a head that was noted, and not with another one', async () => {
    const noted = entries[3] as LedgerEntry
    expect(await verify(text, noted)).toMatchObject({ ok: true })
    expect(await verify(text, { seq: 4, hash: last.hash })).toMatchObject({ ok: false, seq: 4 })
    expect(await verify(text, { seq: 9, hash: last.hash })).toMatchObject({ ok: false })
  })
  test.each([
    ['one letter', (whole: string) => whole.replace('mona', 'lisa')],
    ['a lost line', (whole: string) => whole.split('\n').toSpliced(2, 1).join('\n')],
    ['a cut end', (whole: string) => whole.split('\n').slice(0, -2).join('\n')],
    ['swapped lines', (whole: string) => whole.split('\n').toSorted().join('\n')],
    ['a blank', (whole: string) => whole.replace(':', ': ')],
    ['nothing', () => ''],
  ])('is not intact with %j', async (_, change) => {
    expect(await verify(change(text))).toMatchObject({ ok: false })
  })
  it('has the hash that was noted without its number, or not', async () => {
    const head = { hash: (entries[3] as LedgerEntry).hash }
    expect(await verifyHere(text, { workspace: 'acme', head, told: () => {} })).toMatchObject({ ok: true })
    expect(await verifyHere(text, { workspace: 'acme', head: { hash }, told: () => {} })).toEqual({
      ok: false,
      entries: 7,
    })
  })
  test.each([
    [text, false],
    ['', true],
    ['<!doctype html>', true],
    ['{"a":1}', true],
    [text.replaceAll('\n', '\r\n'), true],
    [`\uFEFF${text}`, true],
  ])('is told from what is no export: %#', (given, isOther) => {
    expect(whyNoExport(given) !== undefined).toBe(isOther)
  })
  it('of another workspace is not that of this one', async () => {
    const verdict = await verifyHere(text, { workspace: 'other', head: undefined, told: () => {} })
    expect(verdict).toEqual({ ok: false, elsewhere: 'acme' })
    const head = { seq: 2, hash }
    expect(await verifyHere(text, { workspace: 'other', head, told: () => {} })).toEqual(verdict)
  })
  it('that was changed to name another workspace is not intact', async () => {
    expect(await verify(text.replace('"acme"', '"other"'))).toMatchObject({ ok: false, seq: 1 })
    expect(await verify(text.replaceAll('"acme"', '"other"'))).toMatchObject({ ok: false, seq: 1 })
  })
})

const hash = `sha256:${'ab'.repeat(32)}`

test.each([
  [`12:${hash}`, { seq: 12, hash }],
  [`  ledger head  12:${hash}\n`, { seq: 12, hash }],
  [`entry 12, ${hash}`, { seq: 12, hash }],
  [`{"anchor":{"seq":12,"hash":"${hash}","at":"2026-11-28T06:00:00Z"}}`, { seq: 12, hash }],
  [`{"ok":true,"entries":12,"head":"${hash}"}`, { seq: 12, hash }],
  [hash, { hash }],
  [hash.toUpperCase(), { hash }],
  [`0:${hash}`, undefined],
  [`1:${hash} 2:sha256:${'cd'.repeat(32)}`, undefined],
  ['12', undefined],
  ['', undefined],
])('a head is found in %j', (pasted, head) => {
  expect(headIn(pasted)).toEqual(head)
})
