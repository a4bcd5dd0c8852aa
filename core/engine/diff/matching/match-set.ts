import type { Attribute } from '../../schema/attribute.ts'
import type { Json, JsonList } from '../../schema/json.ts'
import { canonicalText, compareText } from './canonical.ts'
import { elementFacts } from './facts.ts'
import { type Identity, identityOf, isPlainObject, labelOf, nameOf } from './identity.ts'
import { comparisonForm, formText, sortBy } from './keys.ts'
import { likeness, profileOf } from './likeness.ts'

/** One side is absent for an element that exists only on the other side. */
export interface Matched {
  readonly before?: Json
  readonly after?: Json
  /** The two are different elements, shown as one because they are similar. */
  readonly likened?: true
  /** The identifying value of the element, if it has one. */
  readonly label?: string
}

/** Maximum pairs whose likeness is computed; with more remaining elements only those with the same name are paired. */
const maxPairs = 10_000

interface Element {
  readonly value: Json
  readonly text: string
}

/**
 * Pairs the elements of sets without a key: first equal ones, as many as both sides have. Remaining objects are paired
 * by what distinguishes them (`identityOf`), then by likeness, the most similar first, as long as they are more than
 * half alike. The result is sorted by the texts of the elements.
 */
export const matchSet = (attribute: Attribute, before: JsonList, after: JsonList): readonly Matched[] => {
  const facts = elementFacts(attribute)
  const equal: Matched[] = []
  const left: Element[] = []
  const right: Element[] = []
  const there = byText(facts, before)
  const here = byText(facts, after)
  for (const text of new Set([...there.keys(), ...here.keys()])) {
    const old = there.get(text) ?? []
    const now = here.get(text) ?? []
    const both = Math.min(old.length, now.length)
    for (let n = 0; n < both; n++) equal.push({ before: old[n] as Json, after: now[n] as Json })
    for (const value of old.slice(both)) left.push({ value, text })
    for (const value of now.slice(both)) right.push({ value, text })
  }
  const identity = identityOf(facts, before, after)
  const all = [...equal, ...pairLeft(facts, { left, right }, identity)].map((element) => labelled(element, identity))
  return sortBy(all, ({ before, after }) => canonicalText(before ?? after ?? null))
}

/** Elements with the same form are sorted by their own texts, so that the order of the set never matters. */
const byText = (facts: Attribute, elements: JsonList): ReadonlyMap<string, JsonList> => {
  const groups = Map.groupBy(elements, (element) => formText(facts, element))
  for (const group of groups.values()) {
    if (group.length > 1) group.sort((one, other) => compareText(canonicalText(one), canonicalText(other)))
  }
  return groups
}

const pairLeft = (
  facts: Attribute,
  { left, right }: { readonly left: readonly Element[]; readonly right: readonly Element[] },
  identity?: Identity,
): readonly Matched[] => {
  const free = { left: new Set(left), right: new Set(right) }
  const pairs: Matched[] = []
  const pair = (one: Element, other: Element): void => {
    free.left.delete(one)
    free.right.delete(other)
    pairs.push({ before: one.value, after: other.value, likened: true })
  }
  if (identity !== undefined) {
    const named = new Map(right.map((element) => [nameOf(identity, element.value), element]))
    for (const one of left) {
      const name = nameOf(identity, one.value)
      const other = name === undefined ? undefined : named.get(name)
      if (other !== undefined) pair(one, other)
    }
  }
  for (const [one, other] of alike(facts, { left: [...free.left], right: [...free.right] }, identity ?? [])) {
    if (free.left.has(one) && free.right.has(other)) pair(one, other)
  }
  return [
    ...pairs,
    ...[...free.left].map(({ value }) => ({ before: value })),
    ...[...free.right].map(({ value }) => ({ after: value })),
  ]
}

type ElementPair = readonly [Element, Element]

/**
 * Pairs of objects, the most similar first. Of equally similar pairs that share an element, the one whose other element
 * has the lesser text is first, so that swapping the sides does not change the pairs.
 */
const alike = (
  facts: Attribute,
  { left, right }: { readonly left: readonly Element[]; readonly right: readonly Element[] },
  identity: Identity,
): readonly ElementPair[] => {
  const ours = left.filter(({ value }) => isPlainObject(value))
  const theirs = right.filter(({ value }) => isPlainObject(value))
  if (ours.length * theirs.length > maxPairs) return []
  const profileIn = ({ value }: Element) => profileOf(comparisonForm(facts, value), identity)
  const profiles = theirs.map(profileIn)
  const pairs = ours.flatMap((one) => {
    const profile = profileIn(one)
    return theirs.map((other, n) => {
      const like = Math.round(likeness(profile, profiles[n] ?? profile) * 1e6)
      return { one, other, like }
    })
  })
  return pairs
    .filter(({ like }) => like > 0.5e6)
    .sort((p, q) => q.like - p.like || compareText(p.one.text, q.one.text) || compareText(p.other.text, q.other.text))
    .map(({ one, other }) => [one, other])
}

/** A label that exists on one side only identifies nothing and is left out. */
const labelled = (element: Matched, identity: Identity | undefined): Matched => {
  if (identity === undefined) return element
  const labels = [element.before, element.after].flatMap((value) =>
    value === undefined ? [] : [labelOf(identity, value)],
  )
  const [label] = labels
  return label === undefined || labels.some((other) => other !== label) ? element : { ...element, label }
}
