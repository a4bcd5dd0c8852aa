import type { Json, JsonObject } from '../../schema/json.ts'
import { isArray, isObject } from '../../schema/json.ts'
import { isMark, isNumberMark } from '../../schema/value.ts'
import { type Facts, factsAt } from './facts.ts'

/** Members by which people tell objects apart, the surest first. */
const candidates: readonly (readonly string[])[] = [
  ['name'],
  ['key'],
  ['id'],
  ['from_port', 'to_port', 'protocol'],
  ['port', 'protocol'],
  ['path'],
]

/** All values of one place on each side. */
interface Pair {
  readonly before: readonly Json[]
  readonly after: readonly Json[]
}

const within = ({ before, after }: Pair, parts: (value: Json) => readonly Json[]): Pair => ({
  before: before.flatMap(parts),
  after: after.flatMap(parts),
})

/**
 * The facts with a key for each set of objects that has one by its values: there in every element, each one once, and
 * most of them on both sides. Documents never say what tells elements apart.
 */
export const withKeys = (facts: Facts, pair: Pair): Facts => {
  if (facts.type === 'object') {
    const members = Object.keys(facts.attributes ?? {}).map((name) => {
      const inside = within(pair, (value) =>
        isObject(value) && Object.hasOwn(value, name) ? [value[name] ?? null] : [],
      )
      return [name, withKeys(factsAt(facts, name), inside)] as const
    })
    return { ...facts, attributes: Object.fromEntries(members) }
  }
  if (facts.element === undefined) return facts
  const element = withKeys(
    facts.element,
    within(pair, (value) => partsOf(value)),
  )
  const key = facts.type === 'set' ? candidates.find((names) => isKey(names, pair)) : undefined
  return { ...facts, element, ...(key === undefined ? {} : { key }) }
}

const partsOf = (value: Json): readonly Json[] => {
  if (isMark(value)) return []
  return isArray(value) ? value : isObject(value) ? Object.values(value) : []
}

const isKey = (names: readonly string[], { before, after }: Pair): boolean => {
  const [old, now] = [before, after].map((sets) => keysOf(names, sets))
  if (old === undefined || now === undefined) return false
  const shared = [...old].filter((key) => now.has(key)).length
  return shared > 0 && 2 * shared >= Math.min(old.size, now.size)
}

/** `undefined` where an element has none or two have the same. */
const keysOf = (names: readonly string[], sets: readonly Json[]): ReadonlySet<string> | undefined => {
  const all = new Set<string>()
  for (const set of sets) {
    const keys = new Set<string>()
    for (const element of isArray(set) ? set : []) {
      const key = isObject(element) && !isMark(element) ? keyOf(names, element) : undefined
      if (key === undefined || keys.has(key)) return undefined
      keys.add(key)
      all.add(key)
    }
  }
  return all
}

const keyOf = (names: readonly string[], element: JsonObject): string | undefined => {
  const parts = names.map((name) => (Object.hasOwn(element, name) ? element[name] : undefined))
  const isTelling = parts.every((part) => isNumberMark(part) || (part !== undefined && typeof part !== 'object'))
  return isTelling ? JSON.stringify(parts) : undefined
}
