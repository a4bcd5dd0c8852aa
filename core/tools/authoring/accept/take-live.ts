import { isSecretForm } from '../../../engine/config/expressions/template.ts'
import { isJsonnet } from '../../../engine/config/syntax/parse-document.ts'
import { elementFacts, memberFacts, plainAny, withDefault } from '../../../engine/diff/matching/facts.ts'
import { byKey, isKeyed } from '../../../engine/diff/matching/keys.ts'
import { satisfies } from '../../../engine/diff/overlay.ts'
import { memberOf } from '../../../engine/json/pointer.ts'
import type { Attribute } from '../../../engine/schema/attribute.ts'
import {
  isArray,
  isObject,
  type Json,
  type JsonList,
  type JsonObject,
  type MaybeJson,
  type Path,
  type Step,
} from '../../../engine/schema/json.ts'
import { isMark } from '../../../engine/schema/value.ts'
import { isAbove, isTaken, partOf, refusalOf, refuse, textAround, wantedAt } from './decisions.ts'
import { formOfLive } from './form-of-live.ts'
import { isTemplate, oneReference } from './look-up.ts'
import { matchLive, type Pairing } from './match-live.ts'
import type { Place, Taking } from './place.ts'
import { refusals } from './words.ts'

/**
 * Returns the value to write at a place so that the wanted parts of its live value are desired. Parts that already mean
 * the live value stay as they are written. `undefined`: the place must have no value.
 */
export const takeLive = (place: Place, taking: Taking): MaybeJson => {
  const { facts, written, resolved, live, path } = place
  if (wantedAt(taking, path) === undefined && !isAbove(taking, path)) return written
  const canonical = place.canonical(resolved)
  if (canonical === undefined || satisfies(facts, live, canonical)) return written
  const reason = refusalOf(place)
  if (reason !== undefined) {
    refuse(taking, wantedAt(taking, path) ?? path, reason)
    return written
  }
  if (typeof written === 'string' && isTemplate(written)) return takeBehind(place, written, taking)
  if (isMark(resolved) || isSecretForm(written) || live === undefined) return takeWhole(place, taking)
  if (isObject(written) && isObject(resolved) && isObject(live))
    return takeMembers(place, { written, resolved, live }, taking)
  if (isArray(written) && isArray(resolved) && isArray(live)) {
    return isKeyed(facts)
      ? takeKeyed(place, { written, resolved, live }, taking)
      : takeElements(place, { written, resolved, live }, taking)
  }
  return takeWhole(place, taking)
}

const takeWhole = (place: Place, taking: Taking): Json => {
  if (!isTaken(taking, place.path)) return place.written
  const form = formOfLive(place.facts, place.live, place.spoken)
  if ('value' in form) return form.value
  refuse(taking, wantedAt(taking, place.path) ?? place.path, form.refusal)
  return place.written
}

const takeBehind = (place: Place, text: string, taking: Taking): Json => {
  const path = wantedAt(taking, place.path) ?? place.path
  const only = oneReference(text)
  if (only === undefined) {
    refuse(taking, path, refusals.parts(text))
    return text
  }
  const around = isTaken(taking, place.path) ? textAround(place, only) : undefined
  if (around !== undefined) return around
  const found = place.lookUp(only)
  if ('refusal' in found || isJsonnet(found.file)) {
    refuse(taking, path, 'refusal' in found ? found.refusal : refusals.evaluated(found.file))
    return text
  }
  const { file, at, written, via, lookUp } = found
  const inner: Place = { ...place, written, at, lookUp }
  const isPart = only.before !== '' || only.after !== ''
  const value = isPart ? partOf(inner, only, text, taking) : takeLive(inner, taking)
  if (value !== undefined && value !== written) taking.others.push({ file, at, value, via, path })
  return text
}

interface ThreeForms<Kind> {
  readonly written: Kind
  readonly resolved: Kind
  readonly live: Kind
}

const child = (
  place: Place,
  step: Step,
  index: Step,
  facts: Attribute,
  sides: Pick<Place, 'written' | 'resolved' | 'live' | 'spoken' | 'canonical'>,
): Place => ({
  facts,
  path: [...place.path, step],
  at: [...place.at, index],
  lookUp: place.lookUp,
  ...sides,
})

const memberPlace = (place: Place, name: string, { written, resolved, live }: ThreeForms<JsonObject>): Place => {
  const facts = memberFacts(place.facts, name) ?? plainAny
  return child(place, name, name, facts, {
    written: written[name] ?? null,
    resolved: memberOf(resolved, name) ?? null,
    live: memberOf(live, name),
    spoken: memberOf(place.spoken, name),
    canonical: (value) => memberOf(place.canonical({ ...resolved, [name]: value }), name),
  })
}

const takeMembers = (place: Place, sides: ThreeForms<JsonObject>, taking: Taking): Json => {
  const { facts, path, spoken } = place
  const { written, resolved, live } = sides
  const isOpen = facts.type === 'object' || facts.partial === true || facts.manage === 'declared'
  const members: [string, Json][] = []
  for (const [name, old] of Object.entries(written)) {
    // The type has no member with this name; it converts it to another one.
    const isOther = facts.type === 'object' && memberFacts(facts, name) === undefined
    const isGone = !isOpen && memberOf(live, name) === undefined
    if (isGone && isTaken(taking, [...path, name])) continue
    const value = isOther || isGone ? old : takeLive(memberPlace(place, name, sides), taking)
    if (value !== undefined) members.push([name, value])
  }
  const missing = isOpen ? impliedIn(facts) : Object.keys(live)
  for (const name of missing) {
    if (Object.hasOwn(written, name) || Object.hasOwn(resolved, name) || !isTaken(taking, [...path, name])) continue
    const form = formOfLive(memberFacts(facts, name) ?? plainAny, memberOf(live, name), memberOf(spoken, name), name)
    if ('value' in form) members.push([name, form.value])
    else refuse(taking, wantedAt(taking, [...path, name]) ?? path, form.refusal)
  }
  const isSame =
    members.length === Object.keys(written).length && members.every(([name, value]) => written[name] === value)
  return isSame ? written : Object.fromEntries(members)
}

const impliedIn = (facts: Attribute): readonly string[] =>
  facts.type === 'object'
    ? withDefault(facts).flatMap(([name, { whenUndeclared }]) => (whenUndeclared === 'default' ? [name] : []))
    : []

const elementPlace = (
  place: Place,
  index: number,
  step: Step,
  sides: ThreeForms<JsonList>,
  live: number | undefined,
): Place =>
  child(place, step, index, elementFacts(place.facts, index), {
    written: sides.written[index] ?? null,
    resolved: sides.resolved[index] ?? null,
    live: live === undefined ? undefined : sides.live[live],
    spoken: live !== undefined && isArray(place.spoken) ? place.spoken[live] : undefined,
    canonical: (value) => canonicalElement(place, index, value, sides),
  })

/**
 * Returns the canonical form of a value as an element. The elements of a set are sorted, so there the value is
 * normalised alone.
 */
const canonicalElement = (place: Place, index: number, value: Json, { resolved }: ThreeForms<JsonList>): MaybeJson => {
  const isAlone = place.facts.type === 'set'
  const whole = place.canonical(isAlone ? [value] : resolved.with(index, value))
  if (!isArray(whole)) return undefined
  return isAlone ? whole[0] : whole.length === resolved.length ? whole[index] : value
}

const put = (
  place: Place,
  kept: readonly (readonly [index: number | undefined, value: Json])[],
  taking: Taking,
): Json => {
  const { written } = place
  const values = kept.map(([, value]) => value)
  if (isArray(written) && values.length === written.length && values.every((value, index) => value === written[index]))
    return written
  taking.origins.set(
    values,
    kept.map(([index]) => index),
  )
  return values
}

const addElement = (
  place: Place,
  live: number,
  sides: ThreeForms<JsonList>,
  path: Path,
  taking: Taking,
): readonly [undefined, Json][] => {
  const own = isArray(place.spoken) ? place.spoken[live] : undefined
  const form = formOfLive(elementFacts(place.facts, live), sides.live[live], own)
  if ('value' in form) return [[undefined, form.value]]
  refuse(taking, wantedAt(taking, path) ?? path, form.refusal)
  return []
}

const takeKeyed = (place: Place, sides: ThreeForms<JsonList>, taking: Taking): Json => {
  const { facts, path } = place
  const places = new Map([...byKey(facts, sides.live).keys()].map((key, index) => [key, index]))
  const seen = new Set<string>()
  const kept: (readonly [number | undefined, Json])[] = []
  for (const [index, old] of sides.written.entries()) {
    const canonical = canonicalElement(place, index, sides.resolved[index] ?? null, sides)
    const [key] = canonical === undefined ? [] : byKey(facts, [canonical]).keys()
    const live = key === undefined ? undefined : places.get(key)
    if (key !== undefined) seen.add(key)
    if (key === undefined) kept.push([index, old])
    else if (live !== undefined) {
      const value = takeLive(elementPlace(place, index, key, sides, live), taking)
      if (value !== undefined) kept.push([index, value])
    } else if (!isTaken(taking, [...path, key])) kept.push([index, old])
  }
  for (const [key, live] of places) {
    if (seen.has(key) || facts.manage === 'declared' || !isTaken(taking, [...path, key])) continue
    kept.push(...addElement(place, live, sides, [...path, key], taking))
  }
  return put(place, kept, taking)
}

/** Handles lists, and sets whose elements have no key. Plans name them only as a whole. */
const takeElements = (place: Place, sides: ThreeForms<JsonList>, taking: Taking): Json => {
  const { facts, path } = place
  if (!isTaken(taking, path)) return place.written
  const canonical = sides.resolved.map((value, index) => canonicalElement(place, index, value, sides))
  const fits = (index: number, live: number): boolean => {
    const wanted = canonical[index]
    return wanted !== undefined && satisfies(elementFacts(facts, index), sides.live[live], wanted)
  }
  const pairs = matchLive({ before: canonical, after: sides.live, isOrdered: facts.type !== 'set', fits })
  const kept = pairs.flatMap(({ before, after }: Pairing): readonly (readonly [number | undefined, Json])[] => {
    if (before === undefined) return after === undefined ? [] : addElement(place, after, sides, path, taking)
    const old = sides.written[before] ?? null
    // Ignored elements stay.
    if (after === undefined) return canonical[before] === undefined ? [[before, old]] : []
    const value = takeLive({ ...elementPlace(place, before, before, sides, after), path }, taking)
    return value === undefined ? [] : [[before, value]]
  })
  return put(place, kept, taking)
}
