import { canonicalText } from '../../diff/matching/canonical.ts'
import { defaultOf, elementFacts, memberFacts, plainAny } from '../../diff/matching/facts.ts'
import { byKey, formText, isKeyed } from '../../diff/matching/keys.ts'
import { memberOf } from '../../json/pointer.ts'
import type { Attribute } from '../../schema/attribute.ts'
import { isArray, isObject, type Json, type MaybeJson, type Path } from '../../schema/json.ts'
import type { Access } from '../../schema/stored/plan.ts'
import { isMark, isNumberMark } from '../../schema/value.ts'
import { magnitudeOf } from '../../values/large-integer.ts'

/*
 * Whether a change gives more or less access to the target. The facts of attributes say what grants and what restricts;
 * nothing is guessed from names.
 */

/** Combines several effects: if one of them widens, the result widens. */
const together = (effects: readonly (Access | undefined)[]): Access | undefined =>
  effects.includes('widens') ? 'widens' : effects.find((effect) => effect !== undefined)

const effectOf = (grants: boolean, isMore: boolean): Access => (grants === isMore ? 'widens' : 'narrows')

/** The position of a value in the list of `access`; an absent value is the narrowest. */
const rankOf = (values: readonly Json[], value: Json | undefined): number | undefined => {
  if (value === undefined || value === null) return 0
  const place = values.findIndex((each) => canonicalText(each) === canonicalText(value))
  return place === -1 ? undefined : place
}

/** A value that is not in the list could be the widest. */
const compareRanks = (values: readonly Json[], before: MaybeJson, after: MaybeJson): Access | undefined => {
  const [then, now] = [rankOf(values, before), rankOf(values, after)]
  if (now === undefined) return 'widens'
  if (then === undefined || then === now) return undefined
  return effectOf(true, now > then)
}

/** The amount of a scalar: the number itself, or whether there is a value. */
const amountOf = (value: MaybeJson): number | bigint => {
  const amount = magnitudeOf(value)
  if (amount !== undefined) return amount
  if (isNumberMark(value)) return Number(value.$number)
  return value === undefined || value === null || value === false || value === '' ? 0 : 1
}

type PartsByText = ReadonlyMap<string, Json>

/** The parts of a container that are added and removed one by one, by a text that identifies each. */
const partsOf = (facts: Attribute, value: MaybeJson): PartsByText => {
  if (isArray(value)) {
    if (isKeyed(facts)) return byKey(facts, value)
    const element = elementFacts(facts)
    return new Map(value.map((each) => [formText(element, each), each]))
  }
  return new Map(isObject(value) && !isMark(value) ? Object.entries(value) : [])
}

const isContainer = (value: MaybeJson): boolean => isArray(value) || (isObject(value) && !isMark(value))

const partFacts = (facts: Attribute, part: string): Attribute =>
  facts.type === 'list' || facts.type === 'set' ? elementFacts(facts) : (memberFacts(facts, part) ?? plainAny)

/**
 * The effect of one part: that of its addition or removal if the container states one, or else that of its own facts.
 */
const partEffect = (facts: Attribute, part: string, before: MaybeJson, after: MaybeJson): Access | undefined => {
  const { access } = facts
  const isOneSided = (before === undefined) !== (after === undefined)
  if (typeof access === 'string' && isOneSided) return effectOf(access === 'grants', before === undefined)
  return accessEffect(partFacts(facts, part), before, after)
}

/** The effect of replacing one value by another; `undefined` if the facts say nothing about it. */
export const accessEffect = (facts: Attribute, from: MaybeJson, to: MaybeJson): Access | undefined => {
  const { access } = facts
  const [before, after] = [from ?? defaultOf(facts), to ?? defaultOf(facts)]
  if (typeof access === 'object') return compareRanks(access, before, after)
  if (isContainer(before) || isContainer(after)) {
    const [then, now] = [partsOf(facts, before), partsOf(facts, after)]
    const names = [...new Set([...then.keys(), ...now.keys()])]
    return together(names.map((name) => partEffect(facts, name, then.get(name), now.get(name))))
  }
  const [then, now] = [amountOf(before), amountOf(after)]
  return access === undefined || !(now > then || now < then) ? undefined : effectOf(access === 'grants', now > then)
}

const stepInto = (facts: Attribute, value: MaybeJson, step: string): MaybeJson =>
  isArray(value) ? partsOf(facts, value).get(step) : memberOf(value, step)

/**
 * The effect of the change at a path. A path leads through members, map keys and key texts of set elements, as in a
 * diff; an added or removed element counts for its container.
 */
export const accessAt = (root: Attribute, from: MaybeJson, to: MaybeJson, path: Path): Access | undefined => {
  let [facts, before, after] = [root, from, to]
  for (const step of path.map(String)) {
    const [then, now] = [stepInto(facts, before, step), stepInto(facts, after, step)]
    if ((then === undefined || now === undefined) && typeof facts.access === 'string')
      return partEffect(facts, step, then, now)
    facts = partFacts(facts, step)
    before = then
    after = now
  }
  return accessEffect(facts, before, after)
}
