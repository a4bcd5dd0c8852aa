import { canonicalJson } from '../../../engine/json/canonical.ts'
import { pathText } from '../../../engine/json/pointer.ts'
import { isArray, isObject, type MaybeJson, type Path } from '../../../engine/schema/json.ts'
import type { Plan } from '../../../engine/schema/stored/plan.ts'
import { isMark, isUnknown } from '../../../engine/schema/value.ts'
import { showValue } from '../rows/show-value.ts'

/** It could not be read, which is not that there is none. */
export const unread = Symbol('unread')

/** A value in words; `undefined`: there is none. */
export type SideWords = string | undefined | typeof unread

/** A value of the target, as each of two checks has read it. */
export interface ReadValue {
  /** Empty: the object itself. */
  readonly path: string
  readonly before: SideWords
  readonly now: SideWords
}

interface ReadSide {
  readonly value: MaybeJson
  /** Attributes that could not be read; `all`: nothing of it could. */
  readonly missed: readonly string[] | 'all'
}

/** What a plan has read of an object. What it neither changes nor misses is as the other plan wants it. */
const seenIn = (plan: Plan, address: string, other: Plan): ReadSide => {
  const isIt = (each: { readonly address: string }) => each.address === address
  const change = plan.changes.find(isIt)
  const missed = plan.unchecked.find(isIt)
  if (missed !== undefined && (missed.attributes === undefined || change === undefined))
    return { value: undefined, missed: 'all' }
  const value = change === undefined ? other.changes.find(isIt)?.after : change.before
  return { value: value ?? undefined, missed: missed?.attributes ?? [] }
}

const longFrom = 400

/** Of a long text or list only the lines or elements that the other side has not. */
const wordsOf = (side: MaybeJson, other: MaybeJson): string | undefined => {
  if (side === undefined) return undefined
  const whole = showValue(side)
  if (whole.length < longFrom) return whole
  const parts = (of: MaybeJson): readonly string[] =>
    isArray(of) ? of.map(showValue) : typeof of === 'string' ? of.split('\n') : []
  const known = new Set(parts(other))
  const own = parts(side).filter((part) => !known.has(part))
  return own.length === 0 ? whole : `… ${own.join('\n')} …`
}

const isAlike = (before: MaybeJson, now: MaybeJson): boolean =>
  before === now || (before !== undefined && now !== undefined && canonicalJson(before) === canonicalJson(now))

const otherwise = (before: MaybeJson, now: MaybeJson, path: Path): readonly ReadValue[] => {
  if (isAlike(before, now) || isUnknown(before) || isUnknown(now)) return []
  if (isObject(before) && isObject(now) && !isMark(before) && !isMark(now))
    return [...new Set([...Object.keys(before), ...Object.keys(now)])].flatMap((name) =>
      otherwise(before[name], now[name], [...path, name]),
    )
  return [{ path: pathText(path), before: wordsOf(before, now), now: wordsOf(now, before) }]
}

const without = (value: MaybeJson, names: readonly string[]): MaybeJson =>
  isObject(value) ? Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name))) : value

/** What a target showed when commands were planned and shows otherwise now, as both checks have read it. Secrets are sealed in both. */
export const readOtherwise = (approved: Plan, current: Plan, address: string): readonly ReadValue[] => {
  const [before, now] = [seenIn(approved, address, current), seenIn(current, address, approved)]
  if (before.missed === 'all' || now.missed === 'all') {
    const side = ({ missed }: ReadSide): SideWords => (missed === 'all' ? unread : 'read')
    return before.missed === now.missed ? [] : [{ path: '', before: side(before), now: side(now) }]
  }
  const missed = [...new Set([...before.missed, ...now.missed])]
  const sideAt = ({ value, missed: own }: ReadSide, name: string): SideWords =>
    own.includes(name) ? unread : wordsOf(isObject(value) ? value[name] : undefined, undefined)
  return [
    ...missed
      .map((path): ReadValue => ({ path, before: sideAt(before, path), now: sideAt(now, path) }))
      .filter((value) => value.before !== value.now),
    ...otherwise(without(before.value, missed), without(now.value, missed), []),
  ]
}
