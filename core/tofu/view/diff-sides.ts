import { compare } from '../../diff/compare.ts'
import type { Diff } from '../../schema/diff.ts'
import type { Json } from '../../schema/json.ts'
import { defined } from '../../values/defined.ts'
import { mapMembers } from '../../values/members.ts'
import type { Facts } from './facts.ts'

/** The difference of two values of any kind; `undefined` for one that does not exist. */
export const diffSides = (facts: Facts, before: Json | undefined, after: Json | undefined): Diff => {
  const side = (value: Json | undefined) => defined({ value })
  const diff = compare({ attributes: { value: facts } }, side(before), side(after))
  return (
    (diff.kind === 'object' ? diff.members['value'] : undefined) ?? {
      kind: 'value',
      action: 'same',
      ...defined({ before }),
    }
  )
}

/** A value that stays, not folded into one node: where all of it is shown, or something inside is pointed at. */
export const standing = (facts: Facts, value: Json): Diff => settled(diffSides(facts, undefined, value))

const settled = (diff: Diff): Diff => {
  if (diff.kind === 'value') {
    const { after, ...rest } = diff
    return { ...rest, action: 'same', ...defined({ before: after }) }
  }
  if (diff.kind === 'text')
    return { ...diff, action: 'same', lines: diff.lines.map(({ text }) => ({ action: 'same', text })) }
  if ('inner' in diff) return { ...diff, action: 'same', inner: settled(diff.inner) }
  if ('members' in diff) return { ...diff, action: 'same', members: mapMembers(diff.members, settled) }
  const elements = diff.elements.map((element, place) => ({
    ...element,
    ...(diff.kind !== 'set' && { before: place, after: place }),
    diff: settled(element.diff),
  }))
  return { ...diff, action: 'same', elements } as Diff
}
