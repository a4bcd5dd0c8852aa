import type { Collection, EachElement } from '../document/part.ts'
import { type CollectionSides, type ElementChange, elementChanges, keyMembers, type Step } from './element-changes.ts'
import { orderedSteps } from './order-elements.ts'

type Sides = Pick<CollectionSides, 'before' | 'after'>

/** The calls that make of a collection what it shall be, in the order in which they are sent. */
export const elementSteps = (
  collection: Collection,
  each: EachElement,
  sides: Sides,
  /** A create says where the element shall stand; else it comes last. */
  inserts: boolean,
): readonly Step[] => {
  const { positions, ordered } = collection
  if (ordered && positions !== undefined && 'first' in positions)
    return orderedSteps({ collection, each, first: positions.first, inserts }, sides)
  const steps = elementChanges(collection, sides.before, sides.after).flatMap((change) => stepsOf(each, change))
  const sorted = positions !== undefined && 'member' in positions ? lastToFirst(steps, positions.member) : steps
  return sorted.map((step) => ({ ...step, ...aboutOf(collection, step) }))
}

/** Without a way to change it, an element goes and comes again. */
const stepsOf = (each: EachElement, change: ElementChange): readonly Step[] => {
  const { key, before, after } = change
  if (before !== undefined && after !== undefined && each.update !== undefined) return [{ call: 'update', change }]
  return [
    ...(before === undefined ? [] : [{ call: 'remove' as const, change: { key, before } }]),
    ...(after === undefined ? [] : [{ call: 'create' as const, change: { key, after } }]),
  ]
}

/** A removal moves all that come after it: what stays where it is comes first, then the last ones go, then new ones come. */
const lastToFirst = (steps: readonly Step[], member: string): readonly Step[] => {
  const place = ({ change }: Step): number => Number(change.before?.[member] ?? 0)
  const of = (call: Step['call']): readonly Step[] => steps.filter((step) => step.call === call)
  return [...of('update'), ...of('remove').toSorted((one, other) => place(other) - place(one)), ...of('create')]
}

/** By its key the element is the one that is meant; what the server made to address it, its place too, must still be so. */
const aboutOf = ({ field, element, key }: Collection, { change }: Step): Pick<Step, 'about'> => {
  const { before } = change
  if (before === undefined || key === undefined) return {}
  const made = Object.entries(before).filter(
    ([member, value]) => element[member]?.computed === true && typeof value !== 'object',
  )
  return made.length === 0
    ? {}
    : { about: { of: field, key: keyMembers(key, before), holds: Object.fromEntries(made) } }
}
