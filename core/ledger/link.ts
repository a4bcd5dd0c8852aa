import { digest } from '../digest.ts'
import type { LedgerEntry } from '../schema/records.ts'

export type LedgerDraft = Omit<LedgerEntry, 'seq' | 'previous' | 'hash'>

/** Where a chain ends: what the next entry links to, and what a truncated chain fails against. */
export interface LedgerHead {
  readonly seq: number
  readonly hash: string
  /** Of the last entry; `undefined` before the first. */
  readonly at?: string
}

/** Before the first entry. */
export const emptyHead: LedgerHead = { seq: 0, hash: `sha256:${'0'.repeat(64)}` }

export const headOf = ({ seq, hash, at }: LedgerEntry): LedgerHead => ({ seq, hash, at })

/** Over every member but `hash` itself, in canonical JSON: what stands in the entry cannot change without it. */
export const hashOf = (entry: Omit<LedgerEntry, 'hash'>): string => digest({ ...entry, hash: undefined })

/** Machines' clocks differ a little; within a chain time never runs backwards, so that it can be searched by time. */
const laterOf = (at: string, previous: string | undefined): string =>
  previous !== undefined && previous > at ? previous : at

/** The next entry of a chain, with its hash. */
export const link = (previous: LedgerHead, draft: LedgerDraft): LedgerEntry => {
  const entry = {
    ...draft,
    at: laterOf(new Date(draft.at).toISOString(), previous.at),
    seq: previous.seq + 1,
    previous: previous.hash,
  }
  return { ...entry, hash: hashOf(entry) }
}
