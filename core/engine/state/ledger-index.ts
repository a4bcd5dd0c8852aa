import type { LedgerEntry } from '../schema/stored/records.ts'
import { defined } from '../values/defined.ts'
import { eachItem } from './store/commit.ts'
import { keys } from './store/keys.ts'
import type { Key, Store, Write } from './store/store.ts'

/*
 * Neighbouring entries mostly have the same apply and actor. The index has an item where a stretch of such entries
 * begins, so that it costs a write for each stretch, not for each entry. It is no evidence: entries are found by it, and
 * verified without it.
 */

/** Kept in the head. A version that knows no index writes a head without it, and the next entry begins a new one. */
export type LedgerIndex = {
  /** The first entry that the index knows. */
  readonly since: number
  /** Apply and subject of the actor of the last entry. */
  readonly apply?: string
  readonly actor: string
}

/** The index after these entries, and its new items. */
export const indexEntries = (
  workspace: string,
  before: LedgerIndex | undefined,
  entries: readonly LedgerEntry[],
): { readonly index: LedgerIndex | undefined; readonly writes: readonly Write[] } => {
  let index = before
  const starts: Key[] = []
  for (const { seq, applyId, actor } of entries) {
    if (applyId !== undefined && applyId !== index?.apply) starts.push(keys.stretchOfApply(workspace, applyId, seq))
    if (actor.subject !== index?.actor) starts.push(keys.stretchOfActor(workspace, actor.subject, seq))
    index = { since: index?.since ?? seq, actor: actor.subject, ...defined({ apply: applyId }) }
  }
  return { index, writes: starts.map((item): Write => ({ kind: 'put', item: { ...item } })) }
}

/** The key of the stretch that begins at this entry. */
type StretchKey = (seq: number) => Key

/** `undefined` for a query that the index does not know. */
export const stretchesOf = (
  workspace: string,
  { applyId, actor }: { readonly applyId?: string | undefined; readonly actor?: string | undefined },
): StretchKey | undefined => {
  if (applyId !== undefined) return (seq) => keys.stretchOfApply(workspace, applyId, seq)
  return actor === undefined ? undefined : (seq) => keys.stretchOfActor(workspace, actor, seq)
}

interface StretchBounds {
  /** The first entry of the index. */
  readonly first: number
  /** Both are included. */
  readonly from: number
  readonly to: number
}

/** A stretch ends at `end` or before: where the first entry is that does not belong to it. */
interface Stretch {
  readonly start: number
  readonly end: number
}

/** Every stretch that may have entries within the bounds. */
export const readStretches = (
  store: Store,
  keyAt: StretchKey,
  bounds: StretchBounds,
  reverse: boolean,
): AsyncGenerator<Stretch> => (reverse ? backward(store, keyAt, bounds) : forward(store, keyAt, bounds))

async function* startsWithin(
  store: Store,
  keyAt: StretchKey,
  {
    from,
    to,
    ...order
  }: { readonly from: number; readonly to: number; readonly reverse?: true; readonly limit?: number },
): AsyncGenerator<number> {
  if (from > to) return
  const span = { pk: keyAt(from).pk, from: keyAt(from).sk, to: keyAt(to).sk, ...order }
  for await (const { sk } of eachItem(store, span)) yield Number(sk.slice(sk.lastIndexOf('#') + 1))
}

/** The stretch around `from` begins before it. */
async function* forward(store: Store, keyAt: StretchKey, { first, from, to }: StretchBounds): AsyncGenerator<Stretch> {
  const around = startsWithin(store, keyAt, { from: first, to: from, reverse: true, limit: 1 })
  let { value: start } = await around.next()
  for await (const next of startsWithin(store, keyAt, { from: from + 1, to })) {
    if (start !== undefined) yield { start, end: next - 1 }
    start = next
  }
  if (start !== undefined) yield { start, end: to }
}

async function* backward(store: Store, keyAt: StretchKey, { first, from, to }: StretchBounds): AsyncGenerator<Stretch> {
  let end = to
  for await (const start of startsWithin(store, keyAt, { from: first, to, reverse: true })) {
    yield { start, end }
    if (start <= from) return
    end = start - 1
  }
}
