import { digest } from '../json/digest.ts'
import type { LedgerEntry } from '../schema/stored/records.ts'

export type LedgerDraft = Omit<LedgerEntry, 'seq' | 'previous' | 'hash'>

/** The end of a chain: the next entry links to it, and a truncated chain does not match it. */
export interface LedgerHead {
  readonly seq: number
  readonly hash: string
  /** Time of the last entry; `undefined` before the first entry. */
  readonly at?: string
}

export const emptyHead: LedgerHead = { seq: 0, hash: `sha256:${'0'.repeat(64)}` }

export const headOf = ({ seq, hash, at }: LedgerEntry): LedgerHead => ({ seq, hash, at })

/** The hash covers every member except `hash`, in canonical JSON: no change of an entry leaves its hash valid. */
export const hashOf = (entry: Omit<LedgerEntry, 'hash'>): string => digest({ ...entry, hash: undefined })

/**
 * Clocks of machines differ a little. Times within a chain never decrease, so that the chain can be searched by time.
 */
const laterOf = (at: string, previous: string | undefined): string =>
  previous !== undefined && previous > at ? previous : at

export const link = (previous: LedgerHead, draft: LedgerDraft): LedgerEntry => {
  const entry = {
    ...draft,
    at: laterOf(new Date(draft.at).toISOString(), previous.at),
    seq: previous.seq + 1,
    previous: previous.hash,
  }
  return { ...entry, hash: hashOf(entry) }
}
