import { describe, expect, test } from 'vitest'
import { emptyHead, headOf } from '../../../core/engine/ledger/chain.ts'
import { type LedgerDraft, link } from '../../../core/engine/ledger/link.ts'
import { createWitness } from '../../../core/engine/ledger/witness.ts'
import type { Apply } from '../../../core/engine/schema/stored/records.ts'
import { aDraft, anApply, anId } from '../../builders/values/records.ts'

/** What the ledger with these entries finds wrong in the record of an apply. */
const flaw = (drafts: readonly Partial<LedgerDraft>[], record: Partial<Apply> = {}): string | undefined => {
  const witness = createWitness()
  let head = emptyHead
  for (const draft of drafts) {
    const { command, ...plain } = aDraft(1)
    const entry = link(head, { ...plain, ...draft, ...(draft.kind === 'logged' ? { command } : {}) })
    head = headOf(entry)
    witness.note(entry)
  }
  return witness.flawOf(anApply(1, record))
}

const outcome = { command: 'pdns_zone.main#1', status: 'succeeded' } as Apply['outcomes'][number]
const results = { applied: 2, failed: 1, skipped: 0, remaining: 0 }
const logged = { command: 'pdns_zone.main#1', status: 'logged' } as Apply['outcomes'][number]

describe('the comparison of the record of an apply with its ledger entries', () => {
  test.each<[string, Parameters<typeof flaw>[0], Partial<Apply>, string | undefined]>([
    ['nothing happened yet', [], {}, undefined],
    ['it runs', [{ kind: 'started' }], { status: 'running' }, undefined],
    ['it ended', [{ kind: 'finished' }], { status: 'succeeded' }, undefined],
    ['it was refused', [{ kind: 'refused' }], { status: 'refused' }, undefined],
    ['an outcome', [{ kind: 'result', outcome }], { status: 'running', outcomes: [outcome] }, undefined],
    ['a command that was only listed', [{ kind: 'logged' }], { status: 'running', outcomes: [logged] }, undefined],
    [
      'an end without an entry',
      [{ kind: 'started' }],
      { status: 'succeeded' },
      'has ended, but no entry records its end',
    ],
    ['an end without any entry', [], { status: 'failed' }, 'has ended, but no entry records its end'],
    [
      'an end of another apply',
      [{ kind: 'finished', applyId: anId(9) }],
      { status: 'failed' },
      'no entry records its end',
    ],
    ['an outcome without an entry', [{ kind: 'started' }], { outcomes: [outcome] }, 'of pdns_zone.main#1 in apply'],
    [
      'another outcome than the entry says',
      [{ kind: 'result', outcome: { ...outcome, status: 'failed' } }],
      { outcomes: [outcome] },
      'has no entry',
    ],
    [
      'another reason',
      [{ kind: 'started', reason: 'else' }],
      {},
      'was approved in another way than its entries record',
    ],
    ['the same numbers', [{ kind: 'finished', results }], { status: 'failed', results }, undefined],
    [
      'other numbers',
      [{ kind: 'finished', results }],
      { status: 'failed', results: { ...results, failed: 0, applied: 3 } },
      'counts other results than its last entry',
    ],
    ['no numbers', [{ kind: 'finished', results }], { status: 'failed' }, 'counts other results than its last entry'],
    ['another mode', [{ kind: 'started', mode: 'check' }], {}, 'was approved in another way'],
    ['somebody else', [{ kind: 'started', actor: { subject: 'eve', via: 'api' } }], {}, 'was approved in another way'],
  ])('finds where record and entries disagree: %s', (_, entries, record, expected) => {
    const found = flaw(entries, record)
    if (expected === undefined) expect(found).toBeUndefined()
    else expect(found).toContain(expected)
  })

  test('identifies each apply by the number of its first entry', () => {
    const witness = createWitness()
    const first = link(emptyHead, aDraft(1))
    const second = link(headOf(first), aDraft(2))
    const other = link(headOf(second), aDraft(3, { applyId: anId(9) }))
    const { applyId: _, ...paused } = aDraft(4, { kind: 'paused' })
    for (const entry of [first, second, other, link(headOf(other), paused)]) witness.note(entry)
    expect([...witness.applies()]).toEqual([
      [anId(1), 1],
      [anId(9), 3],
    ])
  })
})
