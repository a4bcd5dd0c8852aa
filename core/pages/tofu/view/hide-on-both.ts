import { elementsOf, identityOf, isList, isMap, keysOf, memberOf, type Value } from '../read/value.ts'
import type { Marked } from './to-json.ts'

/** Both sides of a change, with marks at all places where an element would show what is secret on the other side. */
export const hideOnBoth = (before: Marked, after: Marked): readonly [Marked, Marked] => {
  const [old, next] = joinMarks([sideOf(before), sideOf(after)], true)
  return [
    { ...before, sensitive: old },
    { ...after, sensitive: next },
  ]
}

/** A value with its tree of marks of what is secret. */
interface Side {
  readonly value: Value | undefined
  readonly marks: Value | undefined
}

type Sides = readonly [before: Side, after: Side]

const sideOf = ({ value, sensitive }: Marked): Side => ({ value, marks: sensitive })

/**
 * The marks of both sides, decided for lists, sets, blocks and what comes and goes in maps as wholes. Their elements are matched only later, and by what they
 * contain, so an element without a mark may be shown beside a marked one that it was, or will be. Hidden is what is the same text as
 * a marked one of the pair, and, on the side with fewer marks at some place inside of the elements, what the other side does not
 * show anyway.
 */
const joinMarks = (sides: Sides, isResource = false): readonly [Value | undefined, Value | undefined] => {
  const [before, after] = sides
  if (before.marks === true || after.marks === true) return [before.marks, after.marks]
  if (isList(before.value) || isList(after.value)) return joinElements(sides)
  // What is not known yet has marks without a value.
  const trees = [before.value, after.value, before.marks, after.marks]
  if (!trees.some(isMap)) return [before.marks, after.marks]
  const inside = ({ value, marks }: Side, key: string): Side => ({
    value: memberOf(value, key),
    marks: memberOf(marks, key),
  })
  // The attributes of a resource are no elements: each is another one.
  const moved = isResource ? nothingMoved : joinMoved(sides, inside)
  const joined = keysOf(trees).map((key) => {
    const [old, next] = joinMarks([inside(before, key), inside(after, key)])
    return [key, [moved[0].get(key) ?? old, moved[1].get(key) ?? next]] as const
  })
  const treeOf = (at: 0 | 1): Value =>
    new Map(joined.flatMap(([key, pair]) => (pair[at] === undefined ? [] : [[key, pair[at]] as const])))
  return [treeOf(0), treeOf(1)]
}

const nothingMoved: readonly [ReadonlyMap<string, Value>, ReadonlyMap<string, Value>] = [new Map(), new Map()]

/** A member of which only one side has the key may be one of the other side under another key, as elements of a list may be. */
const joinMoved = ([before, after]: Sides, inside: (side: Side, key: string) => Side): typeof nothingMoved => {
  const alone = (own: Side, other: Side): readonly string[] =>
    isMap(own.value) && isMap(other.value)
      ? keysOf([own.value]).filter((key) => memberOf(other.value, key) === undefined)
      : []
  const [gone, come] = [alone(before, after), alone(after, before)]
  if (gone.length === 0 || come.length === 0) return nothingMoved
  const listed = (side: Side, keys: readonly string[]): Side => {
    const members = keys.map((key) => inside(side, key))
    return { value: members.map(({ value }) => value ?? null), marks: members.map(({ marks }) => marks ?? false) }
  }
  const [old, next] = joinElements([listed(before, gone), listed(after, come)])
  const byKey = (keys: readonly string[], marks: Value | undefined): ReadonlyMap<string, Value> =>
    new Map(keys.map((key, index) => [key, elementsOf(marks)[index] ?? false]))
  return [byKey(gone, old), byKey(come, next)]
}

/** A value without members, by the names on the way to it; every element has the same step. */
interface Leaf {
  readonly place: string
  readonly text: string
  readonly isMarked: boolean
}

const joinElements = ([before, after]: Sides): readonly [Value | undefined, Value | undefined] => {
  const [old, next] = [leavesOf(before), leavesOf(after)]
  const secrets = new Set([...old, ...next].flatMap(({ isMarked, text }) => (isMarked ? [text] : [])))
  if (secrets.size === 0) return [before.marks, after.marks]
  const hides = (own: readonly Leaf[], other: readonly Leaf[]): Hides => {
    const [ours, theirs] = [marksBy(own), marksBy(other)]
    const hasFewer = (place: string): boolean => (ours.get(place) ?? 0) < (theirs.get(place) ?? 0)
    const shown = new Set(other.flatMap((leaf) => (leaf.isMarked ? [] : [`${leaf.place} ${leaf.text}`])))
    return ({ place, text }) => secrets.has(text) || (hasFewer(place) && !shown.has(`${place} ${text}`))
  }
  return [marked(before, hides(old, next)), marked(after, hides(next, old))]
}

type Hides = (leaf: Pick<Leaf, 'place' | 'text'>) => boolean

const marksBy = (leaves: readonly Leaf[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const { place, isMarked } of leaves) if (isMarked) counts.set(place, (counts.get(place) ?? 0) + 1)
  return counts
}

const leavesOf = ({ value, marks }: Side, place = '', isInside = false): readonly Leaf[] => {
  const isMarked = isInside || marks === true
  if (isList(value))
    return value.flatMap((each, index) =>
      leavesOf({ value: each, marks: elementsOf(marks)[index] }, `${place}/*`, isMarked),
    )
  if (isMap(value))
    return [...value].flatMap(([key, each]) =>
      leavesOf({ value: each, marks: memberOf(marks, key) }, `${place}/${JSON.stringify(key)}`, isMarked),
    )
  // Words that stand for nothing are no secrets, and equal everywhere.
  if (value === undefined || value === null || value === '' || typeof value === 'boolean') return []
  return [{ place, text: identityOf(value), isMarked }]
}

const marked = ({ value, marks }: Side, hides: Hides, place = ''): Value | undefined => {
  if (marks === true) return true
  if (isList(value)) {
    const length = Math.max(value.length, elementsOf(marks).length)
    return Array.from({ length }, (_, index): Value => {
      const each = { value: value[index], marks: elementsOf(marks)[index] }
      return marked(each, hides, `${place}/*`) ?? false
    })
  }
  if (isMap(value))
    return new Map(
      keysOf([value, marks]).map((key) => {
        const each = { value: memberOf(value, key), marks: memberOf(marks, key) }
        return [key, marked(each, hides, `${place}/${JSON.stringify(key)}`) ?? false]
      }),
    )
  return leavesOf({ value, marks }).length > 0 && hides({ place, text: identityOf(value) }) ? true : marks
}
