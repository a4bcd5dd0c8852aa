import type { Diff } from '../schema/diff.ts'
import type { Json } from '../schema/json.ts'
import { isObject } from '../schema/json.ts'
import { isMark, isNumberMark } from '../schema/value.ts'
import { columns } from './measure.ts'
import { showValue } from './show-value.ts'
import { isOpen, sideOf } from './sides-of-diff.ts'
import { visible } from './visible.ts'

/** What people call a thing by, the best first; then whatever ends in one of these. */
const exact = ['name', 'key', 'id', 'sid', 'label', 'title', 'host', 'hostname', 'path', 'url', 'address', 'port']
const ending = /(?:name|key|id|port)$/i
const widestValue = 40

/**
 * What tells an element from its neighbours where it has no key: a member that stays as it is, for example `name="web"`;
 * `undefined` where it has none. Safe to print.
 */
export const identityOf = (diff: Diff): string | undefined => {
  const members = membersOf(diff).flatMap(([name, shown]) =>
    shown === undefined || columns(shown) > widestValue ? [] : [{ name, shown }],
  )
  const found =
    exact
      .map((name) => members.find((member) => member.name.toLowerCase() === name))
      .find((member) => member !== undefined) ?? members.find((member) => ending.test(member.name))
  return found && `${visible(found.name)}=${found.shown}`
}

/** The scalars of an element that stay as they are, as they are shown. */
const membersOf = (diff: Diff): readonly (readonly [string, string | undefined])[] => {
  if (!isOpen(diff)) return []
  if (diff.kind === 'object' || diff.kind === 'map') {
    return Object.entries(diff.members).map(([name, inner]) => [name, scalar(unchanged(inner))])
  }
  const value = unchanged(diff)
  if (!isObject(value) || isMark(value)) return []
  return Object.entries(value).map(([name, inner]) => [name, scalar(inner)])
}

const unchanged = (diff: Diff): Json | undefined =>
  diff.kind === 'value' && diff.action === 'same' ? sideOf(diff, 'after') : undefined

const scalar = (value: Json | undefined): string | undefined =>
  typeof value === 'string' || typeof value === 'number' || isNumberMark(value) ? showValue(value) : undefined
