import { elementFacts, memberFacts, plainAny, rootOf } from '../../diff/matching/facts.ts'
import { byKey, formText, isKeyed } from '../../diff/matching/keys.ts'
import type { Attribute, ObjectSchema } from '../../schema/attribute.ts'
import {
  isArray,
  isObject,
  type Json,
  type JsonList,
  type JsonObject,
  type MaybeJson,
  type Path,
} from '../../schema/json.ts'
import { isMark } from '../../schema/value.ts'

/**
 * Members and elements that a change removes and a new read still has. Where others are left alone (`manage: declared`), nothing
 * else would tell: what nobody declares may be there. An element without a key is named by what it is in.
 */
export const stillThere = (
  schema: ObjectSchema,
  { before, after }: { readonly before: JsonObject; readonly after: JsonObject },
  now: JsonObject,
): readonly Path[] => walk(rootOf(schema), { before, after, now }, [])

interface ThreeValues {
  readonly before: MaybeJson
  readonly after: MaybeJson
  readonly now: MaybeJson
}

const walk = (facts: Attribute, { before, after, now }: ThreeValues, at: Path): readonly Path[] => {
  if (isArray(before) && isArray(after) && isArray(now)) return inElements(facts, { before, after, now }, at)
  if (!isPlain(before) || !isPlain(after) || !isPlain(now)) return []
  return Object.entries(before).flatMap(([name, was]) => {
    if (!Object.hasOwn(now, name)) return []
    if (!Object.hasOwn(after, name)) return facts.type === 'map' ? [[...at, name]] : []
    const inner = memberFacts(facts, name) ?? plainAny
    return walk(inner, { before: was, after: after[name], now: now[name] }, [...at, name])
  })
}

const isPlain = (value: MaybeJson): value is JsonObject => isObject(value) && !isMark(value)

interface ThreeLists {
  readonly before: JsonList
  readonly after: JsonList
  readonly now: JsonList
}

const inElements = (facts: Attribute, lists: ThreeLists, at: Path): readonly Path[] => {
  if (facts.type !== 'set') return []
  return isKeyed(facts) ? inKeyed(facts, lists, at) : inPlain(facts, lists, at)
}

const inKeyed = (facts: Attribute, { before, after, now }: ThreeLists, at: Path): readonly Path[] => {
  const [kept, found] = [byKey(facts, after), byKey(facts, now)]
  return [...byKey(facts, before)].flatMap(([key, was]) => {
    if (!found.has(key)) return []
    if (!kept.has(key)) return [[...at, key]]
    return walk(elementFacts(facts), { before: was, after: kept.get(key), now: found.get(key) }, [...at, key])
  })
}

const inPlain = (facts: Attribute, { before, after, now }: ThreeLists, at: Path): readonly Path[] => {
  const textsOf = (list: readonly Json[]): ReadonlySet<string> =>
    new Set(list.map((element) => formText(elementFacts(facts), element)))
  const [kept, found] = [textsOf(after), textsOf(now)]
  return [...textsOf(before)].some((text) => !kept.has(text) && found.has(text)) ? [at] : []
}
