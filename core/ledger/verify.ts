import { canonicalJson } from '../digest.ts'
import type { LedgerEntry, LedgerVerdict } from '../schema/records.ts'
import { emptyHead, hashOf, headOf, type LedgerHead } from './link.ts'

export interface ExpectedHead {
  readonly seq: number
  readonly hash: string
}

type Many<Value> = AsyncIterable<Value> | Iterable<Value>

const flawOf = (entry: LedgerEntry, previous: LedgerHead, workspace: string): string | undefined => {
  if (entry.seq !== previous.seq + 1) return `entry ${previous.seq + 1} is missing; ${entry.seq} stands in its place`
  if (entry.previous !== previous.hash) return 'it does not follow the entry before it'
  if (entry.workspace !== workspace) return `it belongs to workspace ${entry.workspace}`
  if (previous.at !== undefined && entry.at < previous.at) return 'it is older than the entry before it'
  return hashOf(entry) === entry.hash ? undefined : 'it was changed after it was written'
}

const isExpected = (entry: LedgerEntry, expected: ExpectedHead | undefined): boolean =>
  expected === undefined || entry.seq !== expected.seq || entry.hash === expected.hash

/**
 * Finds edits, deletions, swaps and insertions. Whoever can write the whole chain anew, or cut its end off, is found
 * only against a head that was kept elsewhere: give it as `expected`; the chain may have grown since.
 */
export const verify = async (entries: Many<LedgerEntry>, expected?: ExpectedHead): Promise<LedgerVerdict> => {
  let last = emptyHead
  let workspace: string | undefined
  for await (const entry of entries) {
    workspace ??= entry.workspace
    const detail =
      flawOf(entry, last, workspace) ?? (isExpected(entry, expected) ? undefined : 'it is another than was expected')
    if (detail !== undefined) return { ok: false, seq: last.seq + 1, detail }
    last = headOf(entry)
  }
  return expected === undefined || last.seq >= expected.seq
    ? { ok: true, entries: last.seq, head: last.hash }
    : { ok: false, seq: last.seq + 1, detail: `entries ${last.seq + 1} to ${expected.seq} are missing at the end` }
}

/** One line of an export: canonical JSON, so that each byte of it counts. */
export const ledgerLine = (entry: LedgerEntry): string => canonicalJson(entry)

const parse = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

const isEntry = (value: unknown): value is LedgerEntry => typeof value === 'object' && value !== null && 'hash' in value

/** The same for the lines of an exported file. A line that spells its entry in another way is not ours. */
export const verifyLines = async (lines: Many<string>, expected?: ExpectedHead): Promise<LedgerVerdict> => {
  let flaw: LedgerVerdict | undefined
  const read = async function* () {
    let seq = 0
    for await (const line of lines) {
      seq += 1
      const entry = parse(line)
      if (!isEntry(entry) || ledgerLine(entry) !== line) {
        flaw = { ok: false, seq, detail: 'this line is not as it was exported' }
        return
      }
      yield entry
    }
  }
  const verdict = await verify(read(), expected)
  return flaw ?? verdict
}
