import { digestOfText } from '../json/digest.ts'
import type { LedgerEntry } from '../schema/stored/records.ts'
import { hashedText, type LedgerHead } from './chain.ts'

export type LedgerDraft = Omit<LedgerEntry, 'seq' | 'previous' | 'hash'>

export const hashOf = (entry: Omit<LedgerEntry, 'hash'>): string => digestOfText(hashedText(entry))

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
