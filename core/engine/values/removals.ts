import { canonicalJson } from '../json/canonical.ts'
import type { Diff, ListDiff, ObjectDiff, SetDiff, ValueDiff } from '../schema/diff.ts'
import type { Json, Path, Step } from '../schema/json.ts'
import type { Change } from '../schema/stored/plan.ts'
import { isWellFormed } from './well-formed.ts'

/** What changes take away: objects of one type, or elements of one list, set or map. */
export interface Reduction {
  readonly type: string
  /** Where the elements are. Absent: the objects themselves go. */
  readonly at?: { readonly address: string; readonly path: Path }
  readonly removed: number
  /** How many there are now; objects that could not be read do not count. */
  readonly of: number
  /** How many come in the same place. */
  readonly added: number
}

/**
 * The objects that changes delete, by type, and the elements that they remove, by place. A replacement deletes nothing in
 * this sense: its object has a successor. `existing`: how many objects of each type there are.
 */
export const removalsOf = (
  changes: readonly Change[],
  existing: Readonly<Record<string, number>> = {},
): readonly Reduction[] => {
  const going = Map.groupBy(
    changes.filter(({ action, reason }) => action === 'delete' && reason !== 'delete_because_former'),
    ({ type }) => type,
  )
  const objects = [...going].map(([type, { length }]) => ({
    type,
    removed: length,
    of: Math.max(length, existing[type] ?? 0),
    added: changes.filter((change) => change.type === type && change.action === 'create').length,
  }))
  const elements = changes
    .filter(({ action }) => action === 'update' || action === 'replace')
    .flatMap(({ type, address, diff }) =>
      lossesIn(diff, []).map(({ path, ...counts }) => ({ type, at: { address, path }, ...counts })),
    )
  return [...objects, ...elements]
}

interface Losses extends Pick<Reduction, 'removed' | 'of' | 'added'> {
  readonly path: Path
}

type NestedDiff = ObjectDiff | ListDiff | SetDiff

const lossesIn = (diff: Diff, path: Path): readonly Losses[] => {
  if (diff.action === 'same' || diff.kind === 'text') return []
  if (diff.kind === 'value' && diff.sensitive) return ofHidden(diff, path)
  if (diff.kind === 'value') return ofPlain(arrayOf(diff.before), arrayOf(diff.after), path)
  if ('inner' in diff) return lossesIn(diff.inner, path)
  const parts = partsOf(diff)
  const inner = parts.flatMap(({ step, likened, diff: each }) =>
    likened || each.action !== 'update' ? [] : lossesIn(each, [...path, step]),
  )
  return diff.kind === 'object' ? inner : [...ownLosses(parts, path), ...inner]
}

interface ChildDiff {
  readonly step: Step
  readonly diff: Diff
  /** Two elements that are only shown as one: the one goes and the other comes. */
  readonly likened?: true
}

const partsOf = (diff: NestedDiff): readonly ChildDiff[] => {
  if ('members' in diff) return Object.entries(diff.members).map(([step, each]) => ({ step, diff: each }))
  if (diff.kind === 'set') return diff.elements.map(({ key, ...each }, index) => ({ step: key ?? index, ...each }))
  return diff.elements.map((each, index) => ({ step: index, diff: each.diff }))
}

const ownLosses = (parts: readonly ChildDiff[], path: Path): readonly Losses[] => {
  const count = (action: Diff['action']): number =>
    parts.filter(({ likened, diff }) => likened || diff.action === action).length
  const removed = count('delete')
  const added = count('create')
  return removed === 0
    ? []
    : [{ path, removed, added, of: parts.filter(({ diff }) => diff.action !== 'create').length }]
}

/** Which members go is not known of what nobody sees: at least as many as it has less. */
const ofHidden = ({ hidden: { before, after } = { before: 0, after: 0 } }: ValueDiff, path: Path): readonly Losses[] =>
  before > after ? [{ path, removed: before - after, of: before, added: 0 }] : []

const arrayOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : [])

/** A value that has no text form is no reason to tell nothing of the others. */
const spelled = (value: Json): string => (isWellFormed(value) ? canonicalJson(value) : JSON.stringify(value))

/** Lists that are compared as whole values. */
const ofPlain = (before: readonly Json[], after: readonly Json[], path: Path): readonly Losses[] => {
  const stays = new Set(after.map(spelled))
  const there = new Set(before.map(spelled))
  const removed = before.filter((element) => !stays.has(spelled(element))).length
  const added = after.filter((element) => !there.has(spelled(element))).length
  return removed === 0 ? [] : [{ path, removed, of: before.length, added }]
}
