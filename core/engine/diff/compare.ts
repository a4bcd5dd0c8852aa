import { memberOf } from '../json/pointer.ts'
import type { Attribute, ObjectSchema } from '../schema/attribute.ts'
import {
  type Diff,
  type DiffAction,
  isSame,
  type ListDiff,
  type ObjectDiff,
  type SetDiff,
  type ValueDiff,
} from '../schema/diff.ts'
import { isArray, isObject, type Json, type JsonList, type JsonObject, type MaybeJson } from '../schema/json.ts'
import { isMark, isSensitive, isUnknown, sealOf } from '../schema/value.ts'
import { defined } from '../values/defined.ts'
import { isLargeNumber, largeDigits } from '../values/large-integer.ts'
import { partsOf } from '../values/marks/marks.ts'
import { isEqual } from './matching/canonical.ts'
import { changedWords } from './matching/changed-words.ts'
import {
  defaultOf,
  elementFacts,
  hiddenMembers,
  holds,
  isHiddenWhole,
  memberFacts,
  plainAny,
  rootOf,
} from './matching/facts.ts'
import { formText, isKeyed, sortSet } from './matching/keys.ts'
import { matchList } from './matching/match-list.ts'
import { matchSet } from './matching/match-set.ts'
import { bothByKey } from './matching/namesakes.ts'
import { compareText, wholeText } from './texts/compare-text.ts'

/**
 * The difference of two normalised values; `null` for a resource that does not exist on that side. Equal parts are one
 * `value` node that keeps them in `before`. The diff never contains the value of a part that is sensitive by its facts
 * or its marks.
 */
export const compare = (schema: ObjectSchema, before: JsonObject | null, after: JsonObject | null): Diff =>
  compareValue(rootOf(schema), before ?? undefined, after ?? undefined)

const compareValue = (attribute: Attribute, before: MaybeJson, after: MaybeJson): Diff => {
  const isHidden = [before, after].some((side) => side !== undefined && isHiddenWhole(attribute, side))
  if (isHidden || isSensitive(before) || isSensitive(after)) return sealedLeaf(attribute, before, after)
  if (isUnknown(after)) return { ...leaf(before, after), unknown: true }
  if (isSameLarge(attribute, before, after)) return leaf(before, before)
  if (isMark(before) || isMark(after)) return leaf(before, after)
  if (isEqual(before, after) && !mayHide(attribute, before)) return leaf(before, after)
  return compareInside(attribute, before, after) ?? mixedLeaf(attribute, before, after)
}

const isSameLarge = ({ type }: Attribute, before: MaybeJson, after: MaybeJson): boolean =>
  isLargeNumber(after) && largeDigits(type, before) === after.$number

const compareInside = (attribute: Attribute, before: MaybeJson, after: MaybeJson): Diff | undefined => {
  const { type } = attribute
  const objects = pairOf(isObject, before, after)
  if (objects !== undefined) {
    return type === 'object' || type === 'map' || type === 'any' ? compareMembers(attribute, objects) : undefined
  }
  const arrays = pairOf(isArray, before, after)
  if (arrays !== undefined) {
    if (type === 'set') return isKeyed(attribute) ? compareKeyed(attribute, arrays) : compareUnkeyed(attribute, arrays)
    return type === 'list' || type === 'any' ? compareList(attribute, arrays) : undefined
  }
  const texts = pairOf(isText, before, after)
  return texts && compareTexts(texts)
}

interface BothSides<Kind> {
  readonly before?: Kind | undefined
  readonly after?: Kind | undefined
}

const pairOf = <Kind extends Json>(
  is: (value: Json) => value is Kind,
  before: MaybeJson,
  after: MaybeJson,
): BothSides<Kind> | undefined =>
  (before === undefined || is(before)) && (after === undefined || is(after)) ? { before, after } : undefined

const isText = (value: Json): value is string => typeof value === 'string'

const actionOf = ({ before, after }: BothSides<unknown>): DiffAction => {
  if (before === undefined) return after === undefined ? 'same' : 'create'
  return after === undefined ? 'delete' : 'update'
}

const containerAction = (sides: BothSides<unknown>, parts: readonly Diff[]): DiffAction => {
  const action = actionOf(sides)
  return action === 'update' && parts.every(isSame) ? 'same' : action
}

const leaf = (before: MaybeJson, after: MaybeJson): ValueDiff => ({
  kind: 'value',
  action: isEqual(before, after) ? 'same' : actionOf({ before, after }),
  ...defined({ before, after: after === undefined || isEqual(before, after) ? undefined : after }),
})

const sealedLeaf = (attribute: Attribute, before: MaybeJson, after: MaybeJson): ValueDiff => {
  const seal = sealOf(before)
  const same = isEqual(before, after) || (seal !== undefined && seal === sealOf(after))
  return {
    kind: 'value',
    action: same ? 'same' : actionOf({ before, after }),
    sensitive: true,
    ...secrecyOf(attribute, before, after),
    ...hiddenOf(attribute, before, after),
    ...defined({ unknown: isUnknown(after) ? true : undefined }),
  }
}

const hiddenOf = (attribute: Attribute, ...sides: readonly MaybeJson[]): Pick<ValueDiff, 'hidden'> => {
  const [before, after] = sides.map((side) => hiddenMembers(attribute, side))
  return before === undefined || after === undefined || before === after ? {} : { hidden: { before, after } }
}

/**
 * Whether only one side is secret. A sensitive fact applies to both sides, and a value that is known later may be
 * secret or not.
 */
const secrecyOf = (attribute: Attribute, before: MaybeJson, after: MaybeJson): Pick<ValueDiff, 'secrecy'> => {
  if (before === undefined || after === undefined || attribute.sensitive || isUnknown(after)) return {}
  if (isSensitive(before) === isSensitive(after)) return {}
  return { secrecy: isSensitive(after) ? 'gained' : 'lost' }
}

const mixedLeaf = (attribute: Attribute, before: MaybeJson, after: MaybeJson): ValueDiff =>
  mayHide(attribute, before) || mayHide(attribute, after) ? sealedLeaf(attribute, before, after) : leaf(before, after)

const mayHide = (attribute: Attribute, value: MaybeJson): boolean =>
  typeof value === 'object' && value !== null && (holds(attribute, 'sensitive') || holdsSecret(value))

const holdsSecret = (value: Json): boolean => partsOf(value).some(isSensitive)

/**
 * Members in the order of the schema, then the others by name. Of two objects, a member that only one has is compared with
 * its default, and is not compared if it is computed: a new form of an element has only what the configuration names.
 */
const compareMembers = (attribute: Attribute, { before, after }: BothSides<JsonObject>): ObjectDiff => {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])
  const known = Object.keys(attribute.attributes ?? {}).filter((name) => names.delete(name))
  const members = [...known, ...[...names].sort()].flatMap((name): [string, Diff][] => {
    const facts = memberFacts(attribute, name) ?? plainAny
    const [was, now] = [memberOf(before, name), memberOf(after, name)]
    if (before === undefined || after === undefined) return [[name, compareValue(facts, was, now)]]
    if (facts.computed && (was === undefined || now === undefined)) return []
    const meant = attribute.type === 'object' && !facts.writeOnly && !facts.createOnly ? defaultOf(facts) : undefined
    return [[name, compareValue(facts, was === undefined ? meant : was, now === undefined ? meant : now)]]
  })
  const action = containerAction(
    { before, after },
    members.map(([, diff]) => diff),
  )
  return { kind: attribute.type === 'object' ? 'object' : 'map', action, members: Object.fromEntries(members) }
}

const compareList = (attribute: Attribute, sides: BothSides<JsonList>): ListDiff => {
  const { before = [], after = [] } = sides
  const elements = matchList(attribute, before, after).map(({ label, ...place }) => ({
    ...place,
    ...defined({ label }),
    diff: compareValue(
      elementFacts(attribute, place.after ?? place.before),
      sideAt(before, place.before),
      sideAt(after, place.after),
    ),
  }))
  const parts = elements.map(({ diff }) => diff)
  return {
    kind: attribute.elements === undefined ? 'list' : 'tuple',
    action: containerAction(sides, parts),
    elements,
  }
}

const sideAt = (elements: JsonList, place: number | undefined): MaybeJson =>
  place === undefined ? undefined : elements[place]

const compareKeyed = (attribute: Attribute, sides: BothSides<JsonList>): SetDiff => {
  const facts = elementFacts(attribute)
  const sorted = { before: sortSet(attribute, sides.before ?? []), after: sortSet(attribute, sides.after ?? []) }
  const isOne = (one: Json, other: Json): boolean => formText(facts, one) === formText(facts, other)
  const { before, after } = bothByKey(attribute, sorted, isOne)
  const keys = [...new Set([...before.keys(), ...after.keys()])].sort()
  const elements = keys.map((key) => ({
    key,
    diff: compareValue(facts, before.get(key), after.get(key)),
  }))
  return setOf(sides, elements)
}

const setOf = (sides: BothSides<unknown>, elements: SetDiff['elements']): SetDiff => {
  const parts = elements.map(({ diff }) => diff)
  return { kind: 'set', action: containerAction(sides, parts), elements }
}

const compareUnkeyed = (attribute: Attribute, sides: BothSides<JsonList>): SetDiff => {
  const facts = elementFacts(attribute)
  const elements = matchSet(attribute, sides.before ?? [], sides.after ?? []).map(({ before, after, ...told }) => ({
    ...told,
    diff: compareValue(facts, before, after),
  }))
  return setOf(sides, elements)
}

const compareTexts = ({ before, after }: BothSides<string>): Diff | undefined => {
  if (before !== undefined && after !== undefined) {
    return compareText(before, after, (left, right) => compareValue(plainAny, left, right)) ?? lineDiff(before, after)
  }
  if (after?.includes('\n')) return wholeText(after, 'create')
  return before?.includes('\n') ? wholeText(before, 'delete') : undefined
}

const lineDiff = (before: string, after: string): ValueDiff => {
  const changed = changedWords(before, after)
  return { ...leaf(before, after), ...defined({ changed: changed ? changed : undefined }) }
}
