import { isAppError } from '../errors/errors.ts'
import { canonicalJson } from '../json/digest.ts'
import { isObject } from '../schema/json.ts'
import type { LedgerEnd, LedgerEntry, LedgerVerdict } from '../schema/stored/records.ts'
import { defined } from '../values/defined.ts'
import { emptyHead, hashOf, headOf, type LedgerHead } from './link.ts'
import { endFlaws, entryFlaws } from './words.ts'

interface ExpectedHead {
  readonly seq: number
  readonly hash: string
}

export interface Expected {
  /** Absent: any workspace. */
  readonly workspace?: string | undefined
  /** A head that was noted earlier; the ledger may have grown since. */
  readonly head?: ExpectedHead | undefined
  /** Called with each entry up to which the chain holds, in order. */
  readonly seen?: ((entry: LedgerEntry) => void) | undefined
  /** The chain is read from behind this head, which is part of it. Absent: from its first entry. */
  readonly start?: LedgerHead | undefined
}

type Many<Value> = AsyncIterable<Value> | Iterable<Value>

/** A ledger as it is read and exported: its entries in order, then its end. */
export type LedgerPart = LedgerEntry | LedgerEnd

export const endOf = (workspace: string, { seq, hash, at }: LedgerHead): LedgerEnd => ({
  workspace,
  entries: seq,
  head: hash,
  ...defined({ at }),
})

const isEntry = (part: LedgerPart): part is LedgerEntry => 'hash' in part

interface LedgerWalk {
  readonly last: LedgerHead
  /** If the caller names no workspace, the workspace of the first part. */
  readonly workspace: string | undefined
  readonly ended: boolean
}

const flawOfEntry = (entry: LedgerEntry, { last, ended }: LedgerWalk): string | undefined => {
  if (ended) return entryFlaws.afterEnd
  if (entry.seq !== last.seq + 1) return entryFlaws.missing(last.seq + 1, entry.seq)
  if (entry.previous !== last.hash) return entryFlaws.notLinked
  if (last.at !== undefined && entry.at < last.at) return entryFlaws.older
  return hashOf(entry) === entry.hash ? undefined : entryFlaws.changed
}

const flawOfEnd = (end: LedgerEnd, { last, ended }: LedgerWalk): string | undefined => {
  if (ended) return endFlaws.second
  if (end.entries > last.seq) return endFlaws.cut(last.seq + 1, end.entries)
  if (end.entries !== last.seq) return endFlaws.otherCount(end.entries, last.seq)
  if (end.head !== last.hash) return endFlaws.otherHash
  return canonicalJson(end) === canonicalJson(endOf(end.workspace, last)) ? undefined : endFlaws.changed
}

const flawOf = (part: LedgerPart, walk: LedgerWalk, head: ExpectedHead | undefined): string | undefined => {
  if (part.workspace !== walk.workspace) return entryFlaws.otherWorkspace(part.workspace)
  if (!isEntry(part)) return flawOfEnd(part, walk)
  const isOther = head !== undefined && part.seq === head.seq && part.hash !== head.hash
  return flawOfEntry(part, walk) ?? (isOther ? entryFlaws.unexpected : undefined)
}

const flawOfWhole = ({ last, ended }: LedgerWalk, head: ExpectedHead | undefined): string | undefined => {
  if (head !== undefined && last.seq < head.seq) return endFlaws.cut(last.seq + 1, head.seq)
  if (head?.seq === 0 && head.hash !== emptyHead.hash) return endFlaws.otherStart
  if (ended) return undefined
  return last.seq === 0 ? endFlaws.empty : endFlaws.noHead
}

/**
 * Detects edits, deletions, swaps, insertions and truncation: the chain must be complete from its first entry to its
 * end, and the end must exist. If somebody rewrites the whole chain and its end, only a head that was kept elsewhere
 * reveals it: pass it as `expected.head`.
 */
export const verify = async (parts: Many<LedgerPart | undefined>, expected: Expected = {}): Promise<LedgerVerdict> =>
  // Without a limit there is no part before the end.
  (await verifySome(parts, expected, Number.POSITIVE_INFINITY)) as LedgerVerdict

/** Like `verify`, but ends after `most` entries: the result is then the head so far, if there are further entries. */
export const verifySome = async (
  parts: Many<LedgerPart | undefined>,
  expected: Expected,
  most: number,
): Promise<LedgerVerdict | LedgerHead> => {
  const start = expected.start ?? emptyHead
  let walk: LedgerWalk = { last: start, workspace: expected.workspace, ended: false }
  const broken = (detail: string): LedgerVerdict => ({ ok: false, seq: walk.last.seq + 1, detail })
  try {
    for await (const part of parts) {
      if (part === undefined) return broken(entryFlaws.notExported)
      if (isEntry(part) && walk.last.seq - start.seq >= most) return walk.last
      walk = { ...walk, workspace: walk.workspace ?? part.workspace }
      const detail = flawOf(part, walk, expected.head)
      if (detail !== undefined) return broken(detail)
      walk = isEntry(part) ? { ...walk, last: headOf(part) } : { ...walk, ended: true }
      if (isEntry(part)) expected.seen?.(part)
    }
  } catch (error) {
    if (!isAppError(error, 'STORE_CORRUPT')) throw error
    return broken(error.message)
  }
  const detail = flawOfWhole(walk, expected.head)
  const { last, workspace = '' } = walk
  return detail === undefined ? { ok: true, workspace, entries: last.seq, head: last.hash } : broken(detail)
}

/** One line of an export. Its canonical JSON makes every byte significant. */
export const ledgerLine = (part: LedgerPart): string => canonicalJson(part)

/** `undefined` if the line is not part of a ledger, or is spelled differently than in an export. */
const partOf = (line: string): LedgerPart | undefined => {
  try {
    const value: unknown = JSON.parse(line)
    const isPart = isObject(value) && ('hash' in value || 'head' in value)
    return isPart && canonicalJson(value) === line ? (value as unknown as LedgerPart) : undefined
  } catch {
    // The line is not JSON, or JSON without a canonical form.
    return undefined
  }
}

export const verifyLines = (lines: Many<string>, expected: Expected = {}): Promise<LedgerVerdict> => {
  const read = async function* () {
    for await (const line of lines) yield partOf(line)
  }
  return verify(read(), expected)
}
