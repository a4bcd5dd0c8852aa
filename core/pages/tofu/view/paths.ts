import { isEqual } from '../../../engine/diff/matching/canonical.ts'
import { valueAt } from '../../../engine/json/pointer.ts'
import type { Json, Path, Step } from '../../../engine/schema/json.ts'
import { isLiteral, isSensitive } from '../../../engine/schema/value.ts'
import { elementsOf, isList, memberOf, textOf, type Value, type ValueMap } from '../read/value.ts'

/** A path as a document writes it. An element of a set is named there by its value: the path ends before it. */
const readPath = (steps: Value | undefined): Path => {
  const path: (string | number)[] = []
  for (const step of elementsOf(steps)) {
    if (typeof step === 'string') path.push(step)
    else if (typeof step === 'object' && step !== null && 'number' in step) path.push(Number(step.number))
    else break
  }
  return path
}

/** The part of a path that reveals nothing of the inside of a secret. */
const openPart = (path: Path, sides: readonly (Json | undefined)[]): Path => {
  const lengths = sides.map((side) => openLength(path, side))
  return path.slice(0, Math.min(...lengths))
}

const openLength = (path: Path, side: Json | undefined): number => {
  let inner = side
  for (const [length, step] of path.entries()) {
    if (isSensitive(inner)) return length
    inner = insideOf(inner, step)
  }
  return path.length
}

const insideOf = (value: Json | undefined, step: Step): Json | undefined =>
  valueAt(isLiteral(value) ? value.$literal : value, [step])

/** Whether the values differ at a path, or at what of it may be looked at. */
const isChangedAt = (path: Path, before: Json | undefined, after: Json | undefined): boolean => {
  const open = openPart(path, [before, after])
  const [old, now] = [before, after].map((side) => open.reduce(insideOf, side))
  return !isEqual(old ?? null, now ?? null)
}

/** Each path once. */
export const readPaths = (paths: Value | undefined, sides: readonly (Json | undefined)[]): readonly Path[] => {
  const read = elementsOf(paths)
    .filter(isList)
    .map((steps) => openPart(readPath(steps), sides))
  return [...new Map(read.map((path) => [JSON.stringify(path), path])).values()]
}

/** Whether a change outside is at a place that something planned comes from. */
export type IsRelevant = (address: string, before: Json | undefined, after: Json | undefined) => boolean

/** One step of an address, `web["a"]`: its name and its key. */
const steps = /([^.[\]]+)(\[(?:"(?:[^"\\]|\\.)*"|[^\]"]*)\])?/g

const stepsOf = (address: string) => [...address.matchAll(steps)].map(([, name, key]) => ({ name, key }))

/** A step without a key stands for all its instances. */
const coversAddress = (whole: string, address: string): boolean => {
  if (whole === '' || whole === address) return true
  const [wide, exact] = [stepsOf(whole), stepsOf(address)]
  return (
    wide.length === exact.length &&
    wide.every(
      ({ name, key }, place) => name === exact[place]?.name && (key === undefined || key === exact[place]?.key),
    )
  )
}

/** Documents before 1.1 have no list of relevant attributes, so that all count as relevant. */
const isToldIn = (plan: ValueMap): boolean => {
  const [major = 0, minor = 0] = (textOf(plan.get('format_version')) ?? '1.1').split('.').map(Number)
  return plan.has('relevant_attributes') || major > 1 || (major === 1 && minor >= 1)
}

export const readRelevance = (plan: ValueMap): IsRelevant => {
  if (!isToldIn(plan)) return () => true
  const told = elementsOf(plan.get('relevant_attributes')).map((entry) => ({
    resource: textOf(memberOf(entry, 'resource')) ?? '',
    path: readPath(memberOf(entry, 'attribute')),
  }))
  // Most of both lists have nothing to do with each other.
  const byWhole = Map.groupBy(told, ({ resource }) =>
    stepsOf(resource)
      .map(({ name }) => name)
      .join('.'),
  )
  return (address, before, after) => {
    const name = stepsOf(address)
      .map((step) => step.name)
      .join('.')
    return [...(byWhole.get(name) ?? []), ...(byWhole.get('') ?? [])].some(
      ({ resource, path }) => coversAddress(resource, address) && isChangedAt(path, before, after),
    )
  }
}
