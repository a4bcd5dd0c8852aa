import { canonicalJson } from '../json/canonical.ts'
import type { LedgerEnd, LedgerEntry } from '../schema/stored/records.ts'
import { defined } from '../values/defined.ts'

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
export const hashedText = (entry: Omit<LedgerEntry, 'hash'>): string => canonicalJson({ ...entry, hash: undefined })

/** A ledger as it is read and exported: its entries in order, then its end. */
export type LedgerPart = LedgerEntry | LedgerEnd

export const isEntry = (part: LedgerPart): part is LedgerEntry => 'hash' in part

export const endOf = (workspace: string, { seq, hash, at }: LedgerHead): LedgerEnd => ({
  workspace,
  entries: seq,
  head: hash,
  ...defined({ at }),
})

/** One line of an export. Its canonical JSON makes every byte significant. */
export const ledgerLine = (part: LedgerPart): string => canonicalJson(part)
