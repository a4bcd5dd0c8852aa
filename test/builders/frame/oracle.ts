import { canonicalJson } from '../../../core/engine/json/canonical.ts'
import type { Diff } from '../../../core/engine/schema/diff.ts'
import { isArray, isObject, type Json, type JsonObject } from '../../../core/engine/schema/json.ts'
import type { Members, Shape } from './shape.ts'

/* What a state must be after an apply, said without anything of the product but the plan's pairs of elements. */

const same = (left: Json | undefined, right: Json | undefined): boolean =>
  left === undefined || right === undefined ? left === right : canonicalJson(left) === canonicalJson(right)

/** Whether a state has all that is declared. */
export const satisfies = (shape: Shape, there: Json | undefined, declared: Json): boolean => {
  if (there === undefined || there === null) return asksNothing(shape, declared)
  switch (shape.kind) {
    case 'object':
      return isObject(there) && isObject(declared) && hasMembers(shape.members, there, declared)
    case 'map':
      return (
        isObject(there) &&
        isObject(declared) &&
        Object.entries(declared).every(([key, value]) => satisfies(shape.element, there[key], value)) &&
        (shape.declared || Object.keys(there).every((key) => Object.hasOwn(declared, key) || isTheirs(shape, key)))
      )
    case 'list':
      return (
        isArray(there) &&
        isArray(declared) &&
        there.length === declared.length &&
        declared.every((each, index) => satisfies(shape.element, there[index], each))
      )
    case 'set':
      return isArray(there) && isArray(declared) && hasElements(shape, there, declared)
    case 'any':
      return shape.partial ? hasPart(there, declared) : same(there, declared)
    default:
      return same(there, declared)
  }
}

/** Where others are left alone, an empty map or set asks for nothing; so does an object of which nothing is declared. */
const asksNothing = (shape: Shape, declared: Json): boolean => {
  const isEmpty = typeof declared === 'object' && declared !== null && Object.keys(declared).length === 0
  if (shape.kind === 'map' || shape.kind === 'set') return isEmpty && shape.declared
  return isObject(declared) && isEmpty && (shape.kind === 'object' || (shape.kind === 'any' && shape.partial))
}

const hasMembers = (members: Members, there: JsonObject, declared: JsonObject): boolean =>
  Object.entries(declared).every(([name, value]) => {
    const shape = members[name]
    return shape !== undefined && satisfies(shape, there[name], value)
  })

const hasPart = (there: Json | undefined, declared: Json): boolean =>
  (declared === null && there === undefined) ||
  (isObject(declared)
    ? isObject(there) && Object.entries(declared).every(([name, value]) => hasPart(there[name], value))
    : same(there, declared))

const isTheirs = ({ ignoreKeys }: Extract<Shape, { kind: 'map' }>, key: string): boolean =>
  ignoreKeys && key.startsWith('sys-')

type SetShape = Extract<Shape, { kind: 'set' }>

const isIgnored = ({ ignore }: SetShape, element: Json): boolean =>
  ignore && isObject(element) && element['own'] === true

/** Each declared element has one of its own; all others are left to others. */
const hasElements = (shape: SetShape, there: readonly Json[], declared: readonly Json[]): boolean => {
  const ours = there.filter((each) => !isIgnored(shape, each))
  return isMatched(shape, ours, declared) && (shape.declared || ours.length === declared.length)
}

const isMatched = (shape: SetShape, there: readonly Json[], [first, ...rest]: readonly Json[]): boolean =>
  first === undefined ||
  there.some(
    (each, index) =>
      satisfies(shape.element, each, first) &&
      isMatched(shape, [...there.slice(0, index), ...there.slice(index + 1)], rest),
  )

/** Where a state differs from what it was and is not declared so; `deep`: the server removes no member. */
export const losses = (
  shape: Shape,
  sides: { readonly before: Json | undefined; readonly after: Json | undefined; readonly declared: Json },
  deep: boolean,
  shown: Diff,
): readonly string[] => lostIn(shape, sides, { deep, at: '', shown })

interface Side {
  readonly before: Json | undefined
  readonly after: Json | undefined
  readonly declared: Json
}

interface Where {
  readonly deep: boolean
  readonly at: string
  /** What the plan shows here. */
  readonly shown: Diff | undefined
  /** In an element without a key that is another one now: what it does not declare of the named members is gone. */
  readonly replaced?: true
}

const inside = ({ at, shown, ...rest }: Where, step: string | number): Where => ({
  ...rest,
  at: `${at}/${step}`,
  shown: shownIn(shown, step),
})

const shownIn = (shown: Diff | undefined, step: string | number): Diff | undefined => {
  if (shown?.kind === 'object' || shown?.kind === 'map') return shown.members[step]
  return shown?.kind === 'list' ? shown.elements.find(({ after }) => after === step)?.diff : undefined
}

const told = ({ at }: Where, { before, after }: Omit<Side, 'declared'>): readonly string[] => [
  `${at}: ${JSON.stringify(before)} became ${JSON.stringify(after)}`,
]

const unlessSame = (sides: Omit<Side, 'declared'>, where: Where): readonly string[] =>
  same(sides.before, sides.after) ? [] : told(where, sides)

const lostIn = (shape: Shape, sides: Side, where: Where): readonly string[] => {
  const { before, after, declared } = sides
  if (where.replaced && 'declared' in shape && shape.declared) return []
  if (satisfies(shape, before, declared) && !(where.replaced && typeof declared === 'object'))
    return unlessSame(sides, where)
  if (!satisfies(shape, after, declared) && !where.deep) return told(where, sides)
  if (shape.kind === 'object' && isObject(before) && isObject(after) && isObject(declared))
    return lostMembers(shape.members, { before, after, declared }, where)
  if (shape.kind === 'any' && where.replaced) return []
  if (shape.kind === 'any' && shape.partial && isObject(before) && isObject(after) && isObject(declared))
    return lostMembers(partsOf(declared), { before, after, declared }, where)
  if (shape.kind === 'map' && isObject(before) && isObject(after) && isObject(declared)) {
    const kept = Object.keys(before).filter((key) => (shape.declared && !where.replaced) || isTheirs(shape, key))
    const known = [...kept, ...Object.keys(declared)]
    const added = Object.keys(after).filter(
      (key) => !known.includes(key) && !(where.deep && Object.hasOwn(before, key)),
    )
    return [
      ...added.map((key) => `${where.at}/${key}: nobody declared it`),
      ...known.flatMap((key) => {
        const value = declared[key]
        const own = { before: before[key], after: after[key] }
        return value === undefined || (own.before === undefined && value !== undefined)
          ? value === undefined
            ? unlessSame(own, inside(where, key))
            : []
          : lostIn(shape.element, { ...own, declared: value }, inside(where, key))
      }),
    ]
  }
  if (!isArray(before) || !isArray(after) || !isArray(declared)) return []
  if (shape.kind === 'set')
    return shape.keyed
      ? lostByKey(shape, { before, after, declared }, where)
      : lostElements(shape, { before, after, declared }, where)
  return shape.kind === 'list' ? lostInList(shape, { before, after, declared }, where) : []
}

const partsOf = (declared: JsonObject): Members =>
  Object.fromEntries(Object.keys(declared).map((name) => [name, { kind: 'any', partial: true }]))

const lostMembers = (
  members: Members,
  {
    before,
    after,
    declared,
  }: { readonly before: JsonObject; readonly after: JsonObject; readonly declared: JsonObject },
  where: Where,
): readonly string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => name !== 'rev')
    .flatMap((name) => {
      const [shape, value] = [members[name], declared[name]]
      const own = { before: before[name], after: after[name] }
      if (where.replaced && shape !== undefined && shape.kind !== 'computed' && value === undefined) return []
      if (shape === undefined || value === undefined) return unlessSame(own, inside(where, name))
      return own.before === undefined ? [] : lostIn(shape, { ...own, declared: value }, inside(where, name))
    })

interface Lists {
  readonly before: readonly Json[]
  readonly after: readonly Json[]
  readonly declared: readonly Json[]
}

const lostByKey = (shape: SetShape, { before, after, declared }: Lists, where: Where): readonly string[] => {
  const keyOf = (element: Json): string => (isObject(element) ? String(element['k']) : '')
  const find = (list: readonly Json[], key: string) => list.find((each) => keyOf(each) === key)
  return before.flatMap((element) => {
    const key = keyOf(element)
    const own = { before: element, after: find(after, key) }
    const value = isIgnored(shape, element) ? undefined : find(declared, key)
    if (value !== undefined) return lostIn(shape.element, { ...own, declared: value }, inside(where, key))
    return isIgnored(shape, element) || (shape.declared && !where.replaced) ? unlessSame(own, inside(where, key)) : []
  })
}

const count = (list: readonly Json[], element: Json): number => list.filter((each) => same(each, element)).length

/** Elements without a key stay whole, or go. */
const lostElements = (shape: SetShape, { before, after, declared }: Lists, where: Where): readonly string[] => {
  const stays = before.filter((each) => isIgnored(shape, each) || (shape.declared && !where.replaced))
  const lost = stays.filter((each) => count(after, each) < count(stays, each))
  const fitting = (where.replaced ? [] : declared).filter((each) => {
    const there = before.filter((one) => !isIgnored(shape, one) && satisfies(shape.element, one, each))
    return there.length > 0 && !there.some((one) => count(after, one) > 0)
  })
  return [...lost, ...fitting].map((each) => `${where.at}: ${JSON.stringify(each)} is not whole any more`)
}

/** A list of objects: an element that is as declared stays whole; else it is the one that the plan shows as changed. */
const lostInList = (
  { element }: Extract<Shape, { kind: 'list' }>,
  { before, after, declared }: Lists,
  where: Where,
): readonly string[] => {
  if (element.kind !== 'object' || where.replaced) return []
  const fits = (each: Json, value: Json): boolean => satisfies(element, each, value)
  return declared.flatMap((value, index) => {
    const there = before.filter((each) => fits(each, value))
    const alike = declared.filter((each) => there.some((one) => fits(one, each)))
    if (there.length === 1 && alike.length === 1)
      return unlessSame({ before: there[0], after: after[index] }, inside(where, index))
    const place =
      where.shown?.kind === 'list' ? where.shown.elements.find((each) => each.after === index)?.before : undefined
    const own = place === undefined ? undefined : before[place]
    const isPlain = own !== undefined && there.length === 0 && !declared.some((each) => fits(own, each))
    const here: Where = { ...inside(where, index), replaced: true }
    return isPlain ? lostIn(element, { before: own, after: after[index], declared: value }, here) : []
  })
}
