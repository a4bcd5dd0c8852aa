import type { Diff, ListDiff, SetDiff, TextDiff } from '../../../engine/schema/diff.ts'
import type { Json } from '../../../engine/schema/json.ts'
import { mapMembers } from '../../../engine/values/members.ts'
import { spellJson } from '../../../engine/values/spell-value.ts'

export type Side = 'before' | 'after'

/** A placeholder for a hidden value. It has no digest; it shows only whether the two sides are equal. */
const hidden = ({ action }: Diff, side: Side): Json => ({ $sealed: action === 'update' ? side : '' })
const later: Json = { $ref: '', pointer: '' }
const gone: Readonly<Record<Side, Diff['action']>> = { before: 'create', after: 'delete' }

/** Whether what is inside may be shown, and is known. */
export const isOpen = (diff: Diff): boolean => !diff.sensitive && !diff.unknown && !diff.writeOnly

/** One side of a diff as a value with marks; `undefined` where that side does not exist. */
export const sideOf = (diff: Diff, side: Side): Json | undefined => {
  if (diff.action === gone[side]) return undefined
  if (diff.sensitive) return hidden(diff, side)
  if (diff.unknown && side === 'after') return diff.kind === 'value' ? (diff.after ?? later) : later
  switch (diff.kind) {
    case 'value':
      return side === 'before'
        ? sideOrSame(diff.action, diff.before, diff.after)
        : sideOrSame(diff.action, diff.after, diff.before)
    case 'object':
    case 'map':
      return mapMembers(diff.members, (inner) => sideOf(inner, side))
    case 'list':
    case 'tuple':
    case 'set':
      return elementsOf(diff, side)
    case 'text':
      return textOf(diff, side)
    case 'json':
    case 'yaml': {
      // The text that holds it is written anew; all JSON is YAML as well.
      const inner = sideOf(diff.inner, side)
      return inner === undefined ? undefined : spellJson(inner)
    }
  }
}

/** Equal parts keep their value once, on either side. */
const sideOrSame = (action: Diff['action'], own: Json | undefined, other: Json | undefined): Json | undefined =>
  own === undefined && action === 'same' ? other : own

const elementsOf = ({ elements }: Pick<ListDiff, 'elements'> | Pick<SetDiff, 'elements'>, side: Side): Json =>
  elements.flatMap(({ diff }) => {
    const value = sideOf(diff, side)
    return value === undefined ? [] : [value]
  })

const textOf = (diff: TextDiff, side: Side): string =>
  diff.lines
    .filter((line) => line.action !== gone[side])
    .map((line) => line.text)
    .join('\n')
