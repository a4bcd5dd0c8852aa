import { type AttributeFacts, fits, fitsNesting, type NestedFacts, type ValueType } from '../read/schemas.ts'
import type { TofuAction } from '../read/shapes.ts'
import { compareText, elementsOf, identityOf, type Value } from '../read/value.ts'
import { alignSets } from './align.ts'
import {
  allKeys,
  areLikeTexts,
  type DiffedMembers,
  type DiffPart,
  diffElements,
  diffJson,
  diffKeys,
  hideSensitive,
  scalarPart,
  valueKeys,
  whereRelevant,
} from './diff-json.ts'
import type { TofuNode, TofuPart } from './report.ts'
import {
  asDeleted,
  asImplicit,
  atIndexes,
  atKey,
  containerAction,
  everywhere,
  joinActions,
  joinAll,
  lengthOf,
  replaces,
  type Sides,
  scalarAction,
} from './side-by-side.ts'

/** Two values of a type. */
export const diffTyped = (sides: Sides, type: ValueType): TofuNode =>
  hideTyped(sides, 'sensitive', (open) => diffTyped(open, type)) ??
  hideUnknown(sides, null, (before) => diffTyped(before, type)) ??
  diffKnown(sides, type)

/** Unlike what JSON alone says, a hidden place with a type says that it forces the replacement. */
export const hideTyped = (...given: Parameters<typeof hideSensitive>): TofuNode | undefined => {
  const hidden = hideSensitive(...given)
  return hidden && { ...hidden, replace: replaces(given[0]) }
}

/** The node of a place that is unknown as a whole; below what was there, `childUnknown` says what is unknown. */
export const hideUnknown = (sides: Sides, childUnknown: Value, diff: DiffPart): TofuNode | undefined => {
  if (sides.unknown !== true) return undefined
  const was = sides.before === null ? undefined : diff({ ...asDeleted(sides), unknown: childUnknown })
  const before = was && sides.rules.unknownForcesOnce ? { ...was, replace: false } : was
  const part: TofuPart = before === undefined ? { kind: 'unknown' } : { kind: 'unknown', before }
  return { action: scalarAction({ ...sides, afterExplicit: true }), replace: replaces(sides), ...part }
}

const diffKnown = (sides: Sides, type: ValueType): TofuNode => {
  if (!fits(sides.before, type) || !fits(sides.after, type)) return diffJson(sides)
  switch (type.kind) {
    case 'dynamic':
      return diffJson(sides)
    case 'scalar': {
      const action = scalarAction(sides)
      return { action, replace: replaces(sides), ...scalarPart(sides, action) }
    }
    case 'object': {
      const diff = diffMembers(sides, [...type.members], (child, member) => diffTyped(child, member))
      return { replace: replaces(sides), kind: 'object', nested: false, ...diff }
    }
    case 'map': {
      const diff = diffKeys(sides, allKeys(sides), (child) => diffTyped(child, type.element))
      return { replace: replaces(sides), kind: 'map', nested: false, ...diff }
    }
    case 'list':
      return diffList(sides, type.element)
    case 'tuple':
      return asElements(sides, 'list', false, diffTuple(sides, type.elements))
    case 'set':
      return asElements(
        sides,
        'set',
        false,
        diffSet(sides, (child) => diffTyped(child, type.element)),
      )
  }
}

const diffList = (sides: Sides, element: ValueType): TofuNode => {
  const inPlace: typeof areLikeTexts = (a, b) => element.kind === 'object' || areLikeTexts(a, b)
  const diff = diffElements(sides, inPlace, (child) => diffTyped({ ...child, relevant: everywhere }, element))
  return { replace: replaces(sides), kind: 'list', nested: false, ...diff }
}

const diffTuple = (sides: Sides, types: readonly ValueType[]): TofuNode[] =>
  types.map((type, index) => diffTyped(whereRelevant(atIndexes(sides, index, index)), type))

const asElements = (sides: Sides, kind: 'list' | 'set', nested: boolean, elements: readonly TofuNode[]): TofuNode => ({
  action: joinAll(containerAction(sides), elements),
  replace: replaces(sides),
  kind,
  nested,
  elements,
})

/** The members of an object: null means absent there, and a member that is absent on both sides is left out. */
const diffMembers = <Facts>(
  sides: Sides,
  facts: readonly (readonly [string, Facts])[],
  diff: (child: Sides, facts: Facts, soFar: TofuAction) => TofuNode,
): DiffedMembers => {
  let action = containerAction(sides)
  const members: (readonly [string, TofuNode])[] = []
  for (const [key, fact] of facts) {
    const child = asImplicit(whereRelevant(atKey(sides, key)))
    const node = diff(child, fact, action)
    if (node.action === 'no-op' && child.before === null && child.after === null) continue
    members.push([key, node])
    action = joinActions(action, node.action)
  }
  return { action, members: members.toSorted(([a], [b]) => compareText(a, b)) }
}

/** The elements of a set: equal ones are pairs, all others are deleted or created. */
export const diffSet = (sides: Sides, diff: DiffPart): TofuNode[] => {
  const mark = (marks: Value, index: number): boolean => elementsOf(marks)[index] === true
  const before = elementsOf(sides.before).map(
    (element, index) => `${mark(sides.beforeSensitive, index)} ${identityOf(element)}`,
  )
  const after = elementsOf(sides.after).map((element, index) =>
    mark(sides.unknown, index) ? undefined : `${mark(sides.afterSensitive, index)} ${identityOf(element)}`,
  )
  return alignSets(before, after).map(([i, j]) => diff({ ...atIndexes(sides, i, j), relevant: everywhere }))
}

/** The elements of lists of blocks and of attributes of attributes: each with the one at its place. */
export const diffInPlace = (sides: Sides, diff: DiffPart): TofuNode[] =>
  Array.from({ length: Math.max(lengthOf(sides.before), lengthOf(sides.after)) }, (_, index) =>
    diff(whereRelevant(atIndexes(sides, index, index))),
  )

const writeOnly = (sides: Sides, { sensitive }: AttributeFacts, parent: TofuAction): TofuNode => {
  const shared = parent === 'update' && sides.rules.writeOnlyStandsStill ? 'no-op' : parent
  const isHidden = sensitive === true || sides.beforeSensitive === true || sides.afterSensitive === true
  const action = shared === 'no-op' && replaces(sides) ? 'update' : shared
  return { action, replace: replaces(sides), kind: 'write-only', sensitive: isHidden }
}

/** `parent` is the action of what the attribute belongs to, which one that is never stored shares. */
export const diffAttribute = (sides: Sides, facts: AttributeFacts, parent: TofuAction): TofuNode => {
  if (facts.writeOnly) return writeOnly(sides, facts, parent)
  return facts.nested === undefined ? diffTyped(sides, facts.type) : diffNested(sides, facts.nested)
}

const diffNested = (sides: Sides, facts: NestedFacts): TofuNode =>
  hideTyped(sides, 'sensitive', (open) => diffNested(open, facts)) ??
  hideUnknown(sides, allUnknown(facts.attributes), (before) => diffNested(before, facts)) ??
  diffKnownNested(sides, facts)

/** So that attributes without a value show as known later instead of as gone. */
export const allUnknown = (attributes: ReadonlyMap<string, unknown>): Value =>
  new Map([...attributes.keys()].map((key) => [key, true] as const))

/** Write-only attributes come last, because they have the action of all others. */
export const inOrderOfWriting = (
  attributes: NestedFacts['attributes'],
): readonly (readonly [string, AttributeFacts])[] =>
  [...attributes].toSorted(([, a], [, b]) => Number(a.writeOnly) - Number(b.writeOnly))

const diffKnownNested = (sides: Sides, { nesting, attributes }: NestedFacts): TofuNode => {
  if (!fitsNesting(sides.before, nesting) || !fitsNesting(sides.after, nesting)) return diffJson(sides)
  const one = (child: Sides): TofuNode => diffNested(child, { nesting: 'single', attributes })
  if (nesting === 'single') {
    const diff = diffMembers(sides, inOrderOfWriting(attributes), diffAttribute)
    return { replace: replaces(sides), kind: 'object', nested: true, ...diff }
  }
  if (nesting === 'map') {
    return { replace: replaces(sides), kind: 'map', nested: true, ...diffKeys(sides, valueKeys(sides), one) }
  }
  const elements = nesting === 'list' ? diffInPlace(sides, one) : diffSet(sides, one)
  return asElements(sides, nesting, true, elements)
}
