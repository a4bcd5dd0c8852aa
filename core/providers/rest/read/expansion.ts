import { canonicalJson } from '../../../engine/json/canonical.ts'
import { valueAt } from '../../../engine/json/pointer.ts'
import type { Target } from '../../../engine/provider/provider.ts'
import { isArray, isObject, type Json, type JsonObject } from '../../../engine/schema/json.ts'
import type { PresentResult, ReadResult, UnknownResult } from '../../../engine/schema/resource.ts'
import { isMark } from '../../../engine/schema/value.ts'
import { mapMembers } from '../../../engine/values/members.ts'
import type { Expansion } from '../document/expansion.ts'
import { fill, pathOf, type Scope } from '../document/shared/template.ts'
import { askForObject } from '../request/ask.ts'
import { objectScope, type ReadContext } from '../request/context.ts'
import { unknowns } from './shared/words.ts'

type ExpandedVariables = Readonly<Record<string, string>>

const variable = /\$\{([^{}]+)\}/g

const equals = (left: Json | undefined, right: Json | undefined): boolean =>
  canonicalJson(left ?? null) === canonicalJson(right ?? null)

/** One pass, as the target system does it: a value is not expanded again, and an unknown variable stays. */
const expandText = (text: string, values: ExpandedVariables): string =>
  text.replace(variable, (whole, name: string) => (Object.hasOwn(values, name) ? (values[name] ?? whole) : whole))

/** The observed value in the words of the declared one, wherever both mean the same. */
const inWords = (desired: Json | undefined, observed: Json, values: ExpandedVariables): Json => {
  if (desired === undefined || isMark(desired)) return observed
  if (typeof desired === 'string' && typeof observed === 'string')
    return expandText(desired, values) === observed ? desired : observed
  if (isArray(desired) && isArray(observed)) return elementsInWords(desired, observed, values)
  if (!isObject(desired) || !isObject(observed)) return observed
  return mapMembers(observed, (each, name) =>
    inWords(Object.hasOwn(desired, name) ? desired[name] : undefined, each, values),
  )
}

/** Each element in the words of the one that it means. A set has no order, and the target may add members to elements. */
const elementsInWords = (desired: readonly Json[], observed: readonly Json[], values: ExpandedVariables): Json => {
  const pairs = pairUp(desired, observed, values)
  return observed.map((each, index) => inWords(desired[pairs.get(index) ?? index], each, values))
}

/**
 * The place of the declared element for each observed one: those that are equal, at the same place if there are several; then
 * those with the most members that mean the same.
 */
const pairUp = (
  desired: readonly Json[],
  observed: readonly Json[],
  values: ExpandedVariables,
): ReadonlyMap<number, number> => {
  const left = new Set(desired.keys())
  const pairs = new Map<number, number>()
  const pair = (index: number, place: number | undefined): void => {
    if (place === undefined) return
    left.delete(place)
    pairs.set(index, place)
  }
  for (const [index, each] of observed.entries()) {
    const places = left.has(index) ? [index, ...left] : [...left]
    pair(
      index,
      places.find((place) => means(desired[place], each, values)),
    )
  }
  const open = [...observed.entries()].filter(([index]) => !pairs.has(index))
  const likely = open
    .flatMap(([index, each]) =>
      [...left].map((place) => ({
        index,
        place,
        alike: alikeIn(desired[place], each, values),
        moved: index !== place,
      })),
    )
    .filter(({ alike }) => alike > 0)
    .toSorted((one, other) => other.alike - one.alike || Number(one.moved) - Number(other.moved))
  for (const { index, place } of likely) if (left.has(place) && !pairs.has(index)) pair(index, place)
  return pairs
}

const means = (desired: Json | undefined, observed: Json | undefined, values: ExpandedVariables): boolean =>
  observed !== undefined && equals(desired, inWords(desired, observed, values))

/** How many declared members an observed object has. */
const alikeIn = (desired: Json | undefined, observed: Json, values: ExpandedVariables): number =>
  isObject(desired) && !isMark(desired) && isObject(observed)
    ? Object.entries(desired).filter(([name, value]) => means(value, observed[name], values)).length
    : 0

const holdsVariable = (value: Json | undefined): boolean => {
  if (value === undefined || value === null || typeof value !== 'object') return String(value).search(variable) >= 0
  if (!isArray(value) && isMark(value)) return false
  return Object.values(value).some(holdsVariable)
}

/** Texts, numbers and booleans can stand in a text; everything else is no variable. */
const textsIn = (value: Json | undefined): ExpandedVariables =>
  isObject(value)
    ? Object.fromEntries(
        Object.entries(value).flatMap(([name, each]) =>
          each === null || typeof each === 'object' ? [] : [[name, String(each)]],
        ),
      )
    : {}

const valuesOf = async (
  context: ReadContext,
  { values = {}, read }: Expansion,
  scope: Scope,
): Promise<{ readonly kind: 'known'; readonly values: ExpandedVariables } | UnknownResult> => {
  const own = textsIn(fill(values, scope))
  if (read === undefined) return { kind: 'known', values: own }
  const answer = await askForObject(context, read.op, scope, [404])
  if (answer.kind === 'unknown') return unknowns.noVariables(answer)
  const told = answer.kind === 'absent' ? [] : read.at.map((each) => textsIn(valueAt(answer.object, pathOf(each))))
  return { kind: 'known', values: Object.assign({}, own, ...told) as ExpandedVariables }
}

/**
 * What was read, with each text that the target expanded as the resource declares it: then both are equal, and everything
 * else keeps the declared text. Unknown if that cannot be decided because the variables could not be read.
 */
export const withoutExpansion = async (context: ReadContext, target: Target, read: ReadResult): Promise<ReadResult> => {
  const { expansion } = context.resource
  if (expansion === undefined || read.kind !== 'present') return read
  const open = expansion.attributes.filter(
    (name) => holdsVariable(target.attributes[name]) && !equals(read.attributes[name], target.attributes[name]),
  )
  if (open.length === 0) return read
  const found = await valuesOf(context, expansion, scopeOf(context, target, read))
  if (found.kind === 'unknown') return found
  const attributes: Record<string, Json> = { ...read.attributes }
  for (const name of open) {
    const observed = read.attributes[name]
    if (observed !== undefined) attributes[name] = inWords(target.attributes[name], observed, found.values)
  }
  return { ...read, attributes }
}

const scopeOf = (context: ReadContext, { attributes }: Target, read: PresentResult): Scope =>
  objectScope(context, { ...(read.attributes as JsonObject), ...attributes }, read.ids ?? {})
