import type { Issue } from '../../schema/issue.ts'
import type { Json, Path } from '../../schema/json.ts'
import type { Position } from '../../schema/resource.ts'
import { defined } from '../../values/defined.ts'

/** A parsed value that remembers where it stands: offsets into the text of its file. */
export interface Located {
  readonly value: Json
  readonly at: number
  /** Values inside, itself included and aliases expanded. */
  readonly weight: number
  readonly items?: readonly Located[]
  readonly members?: ReadonlyMap<string, Member>
}

export interface Member {
  readonly node: Located
  readonly keyAt: number
}

/** A problem at an offset, before it knows its file and line. */
export interface Problem {
  readonly at: number
  readonly message: string
  readonly fix: string
  readonly value?: string
}

export interface Parsed {
  /** Absent where the text could not be understood at all. */
  readonly root?: Located
  readonly problems: readonly Problem[]
}

/** Deeper nesting is refused: every later step walks values recursively. */
export const maxDepth = 100
/** Values that aliases may add up to; a configuration of 100,000 resources stays far below. */
export const maxAliased = 2_000_000

export const tooDeep = (at: number): Problem => ({
  at,
  message: `more than ${maxDepth} levels of nesting`,
  fix: 'write it flatter',
})

export const locatedScalar = (value: null | boolean | number | string, at: number): Located => ({
  value,
  at,
  weight: 1,
})

const sum = (nodes: readonly Located[]): number => nodes.reduce((total, node) => total + node.weight, 1)

export const locatedList = (items: readonly Located[], at: number): Located => ({
  value: items.map((item) => item.value),
  at,
  weight: sum(items),
  items,
})

export const locatedMap = (members: ReadonlyMap<string, Member>, at: number): Located => ({
  value: Object.fromEntries([...members].map(([key, member]) => [key, member.node.value])),
  at,
  weight: sum([...members.values()].map((member) => member.node)),
  members,
})

/** A number that its text means exactly. */
export const exactNumber = (value: number, at: number, problems: Problem[]): Located => {
  if (!Number.isFinite(value)) {
    problems.push({ at, message: 'a number that JSON does not have', fix: 'write a finite number, or text in quotes' })
  } else if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    problems.push({
      at,
      message: 'a whole number too large to be kept exactly',
      fix: 'put it in quotes if it is an identifier',
    })
  }
  return locatedScalar(Number.isFinite(value) ? value : 0, at)
}

/** A text that has bytes in UTF-8: half of a surrogate pair, which an escape can write, has none. */
export const wellFormedText = (value: string, at: number, problems: Problem[]): Located => {
  if (!value.isWellFormed()) problems.push({ at, ...halfPair })
  return locatedScalar(value.toWellFormed(), at)
}

const halfPair = { message: 'half of a surrogate pair, which is no text', fix: 'write the whole character' }

/** Adds a member, unless its key stands there already or must not be used. */
export const addMember = (
  members: Map<string, Member>,
  key: string,
  member: Member,
  problems: Problem[],
  lineOf: (offset: number) => number,
): void => {
  const first = members.get(key)
  if (first !== undefined) {
    problems.push({
      at: member.keyAt,
      message: `the key "${key}" stands here a second time (first in line ${lineOf(first.keyAt)})`,
      fix: 'remove one of the two',
    })
  } else if (!key.isWellFormed()) {
    problems.push({ at: member.keyAt, ...halfPair })
  } else if (key === '__proto__') {
    problems.push({ at: member.keyAt, message: 'the key "__proto__" cannot be used', fix: 'use another name' })
  } else {
    members.set(key, member)
  }
}

/** Turns offsets into positions. Lines end at a line feed; columns count UTF-16 units from 1. */
export const positionFinder = (file: string, text: string): ((offset: number) => Position) => {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset) => {
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return { file, line: low + 1, column: offset - (starts[low] ?? 0) + 1 }
  }
}

/** Offset of the value at a path; of its key where the value is a collection or empty; of the nearest parent if missing. */
export const offsetOf = (root: Located, path: Path, what: 'value' | 'key' = 'value'): number => {
  let node = root
  let at = root.at
  for (const [depth, step] of path.entries()) {
    const member = node.members?.get(String(step))
    const inner = member?.node ?? node.items?.[Number(step)]
    if (inner === undefined) return at
    const wantsKey = (what === 'key' && depth === path.length - 1) || typeof inner.value === 'object'
    at = member !== undefined && wantsKey ? member.keyAt : inner.at
    node = inner
  }
  return at
}

export const asIssue = (problem: Problem, positionOf: (offset: number) => Position): Issue => ({
  ...positionOf(problem.at),
  message: problem.message,
  ...defined({ value: problem.value }),
  fix: problem.fix,
})
