import type { Diagnostic } from '../../schema/issue.ts'
import type { Json, Path } from '../../schema/json.ts'
import { isLargeNumber, writtenNumber } from '../../values/large-integer.ts'
import { say } from './words.ts'

/** Offsets count from the start of the file's text. */
export interface Located {
  readonly value: Json
  readonly at: number
  /** Number of values inside, including the value itself, with aliases expanded. */
  readonly weight: number
  readonly items?: readonly Located[]
  readonly members?: ReadonlyMap<string, Member>
}

export interface Member {
  readonly node: Located
  readonly keyAt: number
}

export interface Mistake extends Diagnostic {
  readonly at: number
}

export interface Parsed {
  /** Absent if the text could not be parsed at all. */
  readonly root?: Located
  readonly mistakes: readonly Mistake[]
}

/** Deeper nesting is refused, because later steps are recursive. */
export const maxDepth = 100
/** Values that aliases may expand to; a configuration of 100,000 resources has far fewer. */
export const maxAliased = 2_000_000

export interface Walk {
  readonly mistakes: Mistake[]
  readonly lineOf: (offset: number) => number
  /** The numbers of the text were doubles before: an integer beyond 2^53 is another one than was written. */
  readonly areDoubles?: boolean
}

export const locatedScalar = (value: Json, at: number): Located => ({ value, at, weight: 1 })

export const mistaken = ({ mistakes }: Walk, at: number, diagnostic: Diagnostic): Located => {
  mistakes.push({ at, ...diagnostic })
  return locatedScalar(null, at)
}

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

/** Refuses a number that cannot be kept exactly; `source` is its text. */
export const exactNumber = (source: string, value: number, at: number, walk: Walk): Located => {
  const exact = writtenNumber(source, value)
  if (!Number.isFinite(value)) mistaken(walk, at, say('notFinite'))
  else if (walk.areDoubles === true && isLargeNumber(exact)) mistaken(walk, at, say('roundedNumber'))
  else if (exact === undefined) mistaken(walk, at, say(walk.areDoubles === true ? 'roundedNumber' : 'inexactNumber'))
  return locatedScalar(exact ?? 0, at)
}

/** Refuses a text with half of a surrogate pair, which has no UTF-8 form. */
export const wellFormedText = (value: string, at: number, walk: Walk): Located => {
  if (!value.isWellFormed()) mistaken(walk, at, say('halfPair'))
  return locatedScalar(value.toWellFormed(), at)
}

/** Refuses a repeated or forbidden key. */
export const addMember = (members: Map<string, Member>, key: string, member: Member, walk: Walk): void => {
  const first = members.get(key)
  if (first !== undefined) mistaken(walk, member.keyAt, say('repeatedKey', key, walk.lineOf(first.keyAt)))
  else if (!key.isWellFormed()) mistaken(walk, member.keyAt, say('halfPair'))
  else if (key === '__proto__') mistaken(walk, member.keyAt, say('prototypeKey'))
  else members.set(key, member)
}

/**
 * The offset of the value at a path; of its key if the value is a collection or empty; of the nearest parent if the
 * path is missing.
 */
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
