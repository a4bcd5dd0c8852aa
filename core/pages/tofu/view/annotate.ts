import { compare } from '../../../engine/diff/compare.ts'
import type { Diff, ListDiff, ObjectDiff } from '../../../engine/schema/diff.ts'
import { isArray, isObject, type Json, type Path, type Step } from '../../../engine/schema/json.ts'
import { isMark } from '../../../engine/schema/value.ts'
import { defined } from '../../../engine/values/defined.ts'
import { mapMembers } from '../../../engine/values/members.ts'
import { type Facts, factsAt } from './facts.ts'

/**
 * The diff with facts that the differ does not use: how the source writes each place, what is never read back, and where a
 * replacement is forced. Each path marks one node: the one it names, or the nearest around it that the diff has.
 */
export const annotate = (given: Diff, facts: Facts, paths: readonly Path[]): Diff => {
  const diff = openFor(given, facts, paths)
  const marks = defined({
    syntax: facts.syntax,
    forcesReplacement: paths.some((path) => endsAt(diff, path)) ? (true as const) : undefined,
  })
  switch (diff.kind) {
    case 'object':
    case 'map':
      return { ...diff, ...marks, members: annotateMembers(diff, facts, paths) }
    case 'list':
    case 'tuple': {
      const below = pathsBelow(paths, (step) => placesOf(diff, step))
      const elements = diff.elements.map((element, place) => {
        const inside = factsAt(facts, element.after ?? element.before ?? 0)
        return { ...element, diff: annotate(element.diff, inside, below.get(place) ?? []) }
      })
      return { ...diff, ...marks, elements }
    }
    case 'set': {
      const inside = factsAt(facts, 0)
      const elements = diff.elements.map((element) => ({ ...element, diff: annotate(element.diff, inside, []) }))
      return { ...diff, ...marks, elements }
    }
    default:
      return { ...diff, ...marks }
  }
}

/** What is left of the paths that go on, by where they lead. */
const pathsBelow = <Key>(
  paths: readonly Path[],
  leadsTo: (step: Step) => readonly Key[],
): ReadonlyMap<Key, readonly Path[]> => {
  const below = new Map<Key, Path[]>()
  for (const [step, ...rest] of paths) {
    for (const key of step === undefined ? [] : leadsTo(step)) {
      const found = below.get(key)
      if (found === undefined) below.set(key, [rest])
      else found.push(rest)
    }
  }
  return below
}

/** Equal parts come folded; one that a path leads into is opened. */
const openFor = (diff: Diff, facts: Facts, paths: readonly Path[]): Diff => {
  if (diff.kind !== 'value' || diff.action !== 'same' || paths.every((path) => path.length === 0)) return diff
  const { before } = diff
  return (isObject(before) || isArray(before)) && !isMark(before) ? standing(facts, before) : diff
}

const endsAt = (diff: Diff, [step]: Path): boolean => {
  if (step === undefined) return true
  if (diff.kind === 'list' || diff.kind === 'tuple') return placesOf(diff, step).length === 0
  return diff.kind !== 'object' && diff.kind !== 'map'
}

/** An index may mean either side: the places that change are meant rather than one that does not. */
const placesOf = ({ elements }: ListDiff, step: Step): readonly number[] => {
  const index = Number(step)
  const places = [...elements.keys()].filter((place) => {
    const element = elements[place]
    return element?.before === index || element?.after === index
  })
  const changed = places.filter((place) => elements[place]?.diff.action !== 'same')
  return changed.length > 0 ? changed : places.slice(0, 1)
}

/** What a path names and what is never stored has a node, though neither side has a value. */
const annotateMembers = (diff: ObjectDiff, facts: Facts, paths: readonly Path[]): ObjectDiff['members'] => {
  const known = facts.type === 'object' ? (facts.attributes ?? {}) : {}
  const neverStored = Object.keys(known).filter((name) => known[name]?.writeOnly)
  const below = pathsBelow(paths, (step) => [String(step)])
  const present = new Set([...Object.keys(diff.members), ...neverStored, ...below.keys()])
  const ordered = new Set([...Object.keys(known).filter((name) => present.has(name)), ...present])
  const members = [...ordered].map((name): [string, Diff] => {
    const inside = factsAt(facts, name)
    const node: Diff = (Object.hasOwn(diff.members, name) ? diff.members[name] : undefined) ?? {
      kind: 'value',
      action: inside.writeOnly ? diff.action : 'same',
    }
    return [name, annotate(inside.writeOnly ? { ...node, writeOnly: true } : node, inside, below.get(name) ?? [])]
  })
  return Object.fromEntries(members)
}

/** The difference of two values of any kind; `undefined` for one that does not exist. */
export const diffSides = (facts: Facts, before: Json | undefined, after: Json | undefined): Diff => {
  const side = (value: Json | undefined) => defined({ value })
  const diff = compare({ attributes: { value: facts } }, side(before), side(after))
  return (
    (diff.kind === 'object' ? diff.members['value'] : undefined) ?? {
      kind: 'value',
      action: 'same',
      ...defined({ before }),
    }
  )
}

/** A value that stays, not folded into one node: if all of it is shown, or a path points into it. */
export const standing = (facts: Facts, value: Json): Diff => allNeutral(diffSides(facts, undefined, value))

const allNeutral = (diff: Diff): Diff => {
  if (diff.kind === 'value') {
    const { after, ...rest } = diff
    return { ...rest, action: 'same', ...defined({ before: after }) }
  }
  if (diff.kind === 'text')
    return { ...diff, action: 'same', lines: diff.lines.map(({ text }) => ({ action: 'same', text })) }
  if ('inner' in diff) return { ...diff, action: 'same', inner: allNeutral(diff.inner) }
  if ('members' in diff) return { ...diff, action: 'same', members: mapMembers(diff.members, allNeutral) }
  const elements = diff.elements.map((element, place) => ({
    ...element,
    ...(diff.kind !== 'set' && { before: place, after: place }),
    diff: allNeutral(element.diff),
  }))
  return { ...diff, action: 'same', elements } as Diff
}
