import { isAppError } from '../errors/errors.ts'
import { canonicalJson } from '../json/canonical.ts'
import { isObject } from '../schema/json.ts'
import type { LedgerEnd, LedgerEntry, LedgerVerdict } from '../schema/stored/records.ts'
import { emptyHead, endOf, hashedText, headOf, isEntry, type LedgerHead, type LedgerPart } from './chain.ts'
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

interface LedgerWalk {
  readonly last: LedgerHead
  /** If the caller names no workspace, the workspace of the first part. */
  readonly workspace: string | undefined
  readonly ended: boolean
}

const flawOfEntry = async (
  entry: LedgerEntry,
  { last, ended }: LedgerWalk,
  hash: Hash,
): Promise<string | undefined> => {
  if (ended) return entryFlaws.afterEnd
  if (entry.seq !== last.seq + 1) return entryFlaws.missing(last.seq + 1, entry.seq)
  if (entry.previous !== last.hash) return entryFlaws.notLinked
  if (last.at !== undefined && entry.at < last.at) return entryFlaws.older
  return (await hash(hashedText(entry))) === entry.hash ? undefined : entryFlaws.changed
}

const flawOfEnd = (end: LedgerEnd, { last, ended }: LedgerWalk): string | undefined => {
  if (ended) return endFlaws.second
  if (end.entries > last.seq) return endFlaws.cut(last.seq + 1, end.entries)
  if (end.entries !== last.seq) return endFlaws.otherCount(end.entries, last.seq)
  if (end.head !== last.hash) return endFlaws.otherHash
  return canonicalJson(end) === canonicalJson(endOf(end.workspace, last)) ? undefined : endFlaws.changed
}

const flawOf = async (
  part: LedgerPart,
  walk: LedgerWalk,
  { head, hash }: Pick<Expected, 'head'> & { readonly hash: Hash },
): Promise<string | undefined> => {
  if (part.workspace !== walk.workspace) return entryFlaws.otherWorkspace(part.workspace)
  if (!isEntry(part)) return flawOfEnd(part, walk)
  const isOther = head !== undefined && part.seq === head.seq && part.hash !== head.hash
  return (await flawOfEntry(part, walk, hash)) ?? (isOther ? entryFlaws.unexpected : undefined)
}

const flawOfWhole = ({ last, ended }: LedgerWalk, head: ExpectedHead | undefined): string | undefined => {
  if (head !== undefined && last.seq < head.seq) return endFlaws.cut(last.seq + 1, head.seq)
  if (head?.seq === 0 && head.hash !== emptyHead.hash) return endFlaws.otherStart
  if (ended) return undefined
  return last.seq === 0 ? endFlaws.empty : endFlaws.noHead
}

/** `sha256:<hex>` of a text as UTF-8. A browser computes it only as a promise. */
type Hash = (text: string) => string | Promise<string>

const verifySome = async (
  parts: Many<LedgerPart | undefined>,
  expected: Expected & { readonly hash: Hash },
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
      const detail = await flawOf(part, walk, expected)
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

/**
 * Detects edits, deletions, swaps, insertions and truncation: the chain must be complete from its first entry to its
 * end, and the end must exist. If somebody rewrites the whole chain and its end, only a head that was kept elsewhere
 * reveals it: pass it as `expected.head`.
 */
export const verifyWith = (hash: Hash) => {
  const verify = async (parts: Many<LedgerPart | undefined>, expected: Expected = {}): Promise<LedgerVerdict> =>
    // Without a limit there is no part before the end.
    (await verifySome(parts, { ...expected, hash }, Number.POSITIVE_INFINITY)) as LedgerVerdict
  return {
    verify,
    /** Like `verify`, but ends after `most` entries: the result is then the head so far, if there are further entries. */
    verifySome: (parts: Many<LedgerPart | undefined>, expected: Expected, most: number) =>
      verifySome(parts, { ...expected, hash }, most),
    /** Of an export. */
    verifyLines: (lines: Many<string>, expected: Expected = {}): Promise<LedgerVerdict> => {
      const read = async function* () {
        for await (const line of lines) yield partOf(line)
      }
      return verify(read(), expected)
    },
  }
}
