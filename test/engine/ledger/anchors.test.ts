import { generateKeyPairSync, sign } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { digest } from '../../../core/engine/json/digest.ts'
import {
  anchorName,
  anchorText,
  type FoundAnchor,
  statementText,
  verifyAnchors,
} from '../../../core/engine/ledger/anchors.ts'
import { emptyHead, endOf, headOf, ledgerLine } from '../../../core/engine/ledger/chain.ts'
import { link } from '../../../core/engine/ledger/link.ts'
import type { AnchorStatement } from '../../../core/engine/schema/stored/anchor.ts'
import type { LedgerEntry } from '../../../core/engine/schema/stored/records.ts'
import { signedBy } from '../../../functions/adapters/anchor-key.ts'
import { lawRuns } from '../../builders/laws.ts'
import { aDraft } from '../../builders/values/records.ts'

const newKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })
const [own, other] = [newKey(), newKey()]
const pemOf = ({ publicKey }: typeof own) => String(publicKey.export({ type: 'spki', format: 'pem' }))
const isSigned = signedBy(pemOf(own))!

const linked = (drafts: readonly ReturnType<typeof aDraft>[]): readonly LedgerEntry[] => {
  let head = emptyHead
  return drafts.map((draft) => {
    const entry = link(head, draft)
    head = headOf(entry)
    return entry
  })
}
const chain = (length: number, more: Parameters<typeof aDraft>[1] = {}) =>
  linked(Array.from({ length }, (_, n) => aDraft(n, more)))
/** The chain with all hashes made again, as somebody with all rights would do it. */
const rewritten = (entries: readonly LedgerEntry[]) =>
  linked(entries.map(({ seq: _, previous: __, hash: ___, ...draft }) => draft))
const linesOf = (entries: readonly LedgerEntry[], workspace = 'acme') =>
  [...entries, endOf(workspace, entries.length === 0 ? emptyHead : headOf(entries.at(-1)!))].map(ledgerLine)

const anchorAt = (
  entries: readonly LedgerEntry[],
  seq: number,
  more: Partial<AnchorStatement> = {},
  { privateKey } = own,
): FoundAnchor => {
  const at = `2026-11-${String(seq).padStart(2, '0')}T06:00:00.000Z`
  const { hash } = entries[seq - 1]!
  const anchor: AnchorStatement = { version: '1', deployment: 'd', workspace: 'acme', seq, hash, at, ...more }
  const signature = sign('sha256', Buffer.from(statementText(anchor)), privateKey).toString('base64')
  return { name: anchorName(anchor), text: anchorText({ anchor, signature }) }
}

const entries = chain(6)
const anchors = [2, 4, 5].map((seq) => anchorAt(entries, seq))
const verified = (all: readonly LedgerEntry[], found: readonly FoundAnchor[] = anchors) =>
  verifyAnchors(linesOf(all), found, isSigned)
const statuses = async (all: readonly LedgerEntry[], found?: readonly FoundAnchor[]) =>
  (await verified(all, found)).anchors.map(({ status, entry }) => (entry === undefined ? status : `${status} ${entry}`))

describe('a ledger with anchors', () => {
  it('holds, is proven up to the newest anchor, and may grow', async () => {
    for (const all of [entries, entries.slice(0, 5), chain(9)]) {
      const verdict = await verified(all)
      expect(verdict.ok).toBe(true)
      expect(verdict.proven).toEqual({ seq: 5, hash: entries[4]!.hash, at: '2026-11-05T06:00:00.000Z' })
    }
  })

  it.each<[string, readonly LedgerEntry[], readonly string[]]>([
    [
      'a whole chain that was rewritten from entry 4 on',
      rewritten(entries.with(3, { ...entries[3]!, reason: 'x' })),
      ['holds', 'broken 3', 'broken 3'],
    ],
    [
      'a whole chain that was rewritten from the start',
      chain(6, { reason: 'x' }),
      ['broken 1', 'broken 1', 'broken 1'],
    ],
    ['a cut end', entries.slice(0, 3), ['holds', 'broken 4', 'broken 4']],
    ['an emptied ledger', [], ['broken 1', 'broken 1', 'broken 1']],
    ['a changed entry', entries.with(4, { ...entries[4]!, reason: 'x' }), ['holds', 'holds', 'broken 5']],
  ])('shows %s', async (_, all, expected) => {
    expect(await statuses(all)).toEqual(expected)
    expect((await verified(all)).ok).toBe(false)
  })

  it.each<[string, FoundAnchor, string]>([
    ['signed by another key', anchorAt(entries, 5, {}, other), 'forged'],
    [
      'changed after it was signed',
      { name: 'x', text: anchors[0]!.text.replace('2026-11-02', '2026-11-03') },
      'forged',
    ],
    ['no JSON', { name: 'x', text: 'x' }, 'forged'],
    ['with a member twice', { name: 'x', text: anchors[0]!.text.replace('{', '{"anchor":{},') }, 'forged'],
    ['with a member more', { name: 'x', text: anchors[0]!.text.replace('{', '{"more":1,') }, 'forged'],
    ['of another workspace', anchorAt(entries, 5, { workspace: 'beta' }), 'foreign'],
    ['of another deployment', anchorAt(entries, 1, { deployment: 'e' }), 'foreign'],
  ])('does not count an anchor that is %s', async (_, found, status) => {
    const verdict = await verified(entries, [...anchors, found])
    expect(verdict.anchors.filter((one) => one.status !== 'holds').map((one) => one.status)).toEqual([status])
    expect([verdict.ok, verdict.proven?.seq]).toEqual([false, 5])
    expect(await verified(entries, [found])).toMatchObject({ ok: status === 'foreign' && found.text.includes('"e"') })
  })

  it('proves nothing without an anchor', async () => {
    expect(await verified(entries, [])).toEqual({
      ok: false,
      ledger: expect.objectContaining({ ok: true }),
      anchors: [],
    })
  })

  it('is never accepted after any change up to the anchored entry, even if all hashes are made again', async () => {
    const change = fc.record({
      kind: fc.constantFrom('edit', 'drop', 'swap', 'repeat', 'cut', 'insert'),
      at: fc.nat(3),
      again: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(change, async ({ kind, at, again }) => {
        const one = entries[at]!
        const changed = {
          edit: entries.with(at, { ...one, reason: 'x' }),
          drop: entries.toSpliced(at, 1),
          swap: entries.with(at, entries[at + 1]!).with(at + 1, one),
          repeat: entries.toSpliced(at, 0, one),
          cut: entries.slice(0, at),
          insert: entries.toSpliced(at, 0, aDraft(9, { reason: 'new' }) as LedgerEntry),
        }[kind]!
        const all = again ? rewritten(changed) : changed
        const lines = [...all, endOf('acme', all.length === 0 ? emptyHead : headOf(all.at(-1)!))].map(ledgerLine)
        const verdict = await verifyAnchors(lines, anchors, isSigned)
        expect(verdict.ok).toBe(false)
        const broken = verdict.anchors.filter(({ status }) => status === 'broken')
        expect(broken.length).toBeGreaterThan(0)
        expect(broken[0]!.entry).toBeLessThanOrEqual(at + 2)
      }),
      lawRuns(200),
    )
  })
})

it('a key is a public one of P-256 in PEM, and nothing else', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = pemOf(own)
  expect(signedBy(pem)?.('text', sign('sha256', Buffer.from('text'), own.privateKey).toString('base64'))).toBe(true)
  const wrong = [
    pemOf(rsa),
    String(own.privateKey.export({ type: 'pkcs8', format: 'pem' })),
    pem.slice(0, 60),
    digest('x'),
  ]
  for (const text of wrong) expect(signedBy(text)).toBeUndefined()
})
