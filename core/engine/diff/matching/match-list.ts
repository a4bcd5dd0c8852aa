import type { Attribute } from '../../schema/attribute.ts'
import type { Json, JsonList } from '../../schema/json.ts'
import { defined } from '../../values/defined.ts'
import { type Aligned, align, type Pairing } from './align.ts'
import { canonicalText } from './canonical.ts'
import { elementFacts } from './facts.ts'
import { identityOf, labelOf, nameOf } from './identity.ts'
import { comparisonForm } from './keys.ts'
import { likeness, type Profile, profileOf } from './likeness.ts'

interface MatchedPlace extends Aligned {
  /** The identifying value of the element, if it has one. */
  readonly label?: string
}

/** Which elements of two lists belong together. Fixed positions are paired by position if both sides have the same number. */
export const matchList = (attribute: Attribute, before: JsonList, after: JsonList): readonly MatchedPlace[] => {
  if (attribute.elements !== undefined && before.length === after.length) {
    return before.map((_, place) => ({ before: place, after: place }))
  }
  // Positions with their own facts have no common members that could be a name.
  const identity = attribute.elements ? undefined : identityOf(elementFacts(attribute), before, after)
  const namesOf = (elements: JsonList) => elements.map((element) => identity && nameOf(identity, element))
  const names = { before: namesOf(before), after: namesOf(after) }
  // Members that only answers have do not make an element another one.
  const formsOf = (elements: JsonList) =>
    elements.map((element, place) => comparisonForm(elementFacts(attribute, place), element))
  const forms = { before: formsOf(before), after: formsOf(after) }
  const [left, right] = [profilesOf(forms.before, identity), profilesOf(forms.after, identity)]
  const pairing = {
    likeness: (b: number, a: number) => likeness(left(b), right(a)),
    ...defined({ names: identity ? names : undefined }),
  }
  return align(forms.before.map(canonicalText), forms.after.map(canonicalText), pairing).map((place) => {
    const label = identity && !isTwoNames(place, names) ? labelOf(identity, sideOf(place, before, after)) : undefined
    return label === undefined ? place : { ...place, label }
  })
}

const profilesOf = (elements: JsonList, exact: readonly string[] | undefined) => {
  const known = new Map<number, Profile>()
  return (place: number): Profile => {
    const profile = known.get(place) ?? profileOf(elements[place] ?? null, exact)
    known.set(place, profile)
    return profile
  }
}

/** Whether two paired elements have different names: each name exists on one side only, and so identifies nothing. */
const isTwoNames = ({ before, after }: Aligned, names: NonNullable<Pairing['names']>): boolean =>
  before !== undefined && after !== undefined && names.before[before] !== names.after[after]

const sideOf = (place: Aligned, before: JsonList, after: JsonList): Json =>
  (place.before === undefined ? after[place.after ?? 0] : before[place.before]) ?? null
