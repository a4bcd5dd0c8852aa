import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'
import { githubTypes } from '../../builders/generated/github-reference.ts'
import type { Wanted } from '../../builders/workspaces/example-workspace.ts'
import { driveGitHub } from './drive.ts'
import { type Subject, subjects } from './subjects.ts'

/* An organisation with an object of every type, made from the subjects: a new type is in it without being named here. */

/** A generator that gives the same numbers for the same seed (mulberry32). */
const numbersFrom = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const shuffled = <Item>(items: readonly Item[], next: () => number): readonly Item[] =>
  items
    .map((item) => [next(), item] as const)
    .toSorted(([left], [right]) => left - right)
    .map(([, item]) => item)

const types = new Map(githubTypes().map((type) => [type.name, type]))

/** What somebody else does to one resource. */
interface Drift {
  readonly attribute: string
  /** What he declares: nothing but this, so that the target moves what hangs together. */
  readonly spec: JsonObject
}

/** One resource of a type with as many of its fields as stand together, in an order that a seed decides. */
const grown = ({ spec, values, with: beside = {} }: Subject, next: () => number): JsonObject =>
  shuffled(Object.keys(values), next).reduce<JsonObject>(
    (known, name) => {
      const added: JsonObject = { ...beside[name], [name]: values[name]?.[0] as Json }
      const clashes = Object.entries(added).some(
        ([key, value]) => known[key] !== undefined && !isSame(known[key], value),
      )
      return clashes ? known : Object.assign(known, added)
    },
    { ...spec },
  )

const addressOf = ({ type, name }: { readonly type: string; readonly name: string }): string => `${type}.${name}`

const isSame = (left: Json | undefined, right: Json | undefined): boolean =>
  JSON.stringify(left) === JSON.stringify(right)

/** Everything of one type, over a stand-in of its own; `only`: a resource with that attribute, and what it needs. */
export const organisationOf = async (type: string, seed: number, only?: string) => {
  const subject = subjects[type]
  if (subject === undefined) throw new Error(`subjects.ts has no ${type}`)
  const next = numbersFrom(seed)
  const own = only && { ...subject.spec, ...subject.with?.[only], [only]: subject.values[only]?.[0] as Json }
  const spec: JsonObject = own || grown(subject, next)
  const around: readonly Wanted[] = subject.around ?? []
  const resource: Wanted = { type, name: 'subject', spec }
  const drive = await driveGitHub([...around, resource], { members: ['mona', 'hubot'] })
  await subject.prepare?.(drive.github)
  await drive.settle()
  const drifts = Object.keys(spec).flatMap((attribute): readonly Drift[] => {
    const pair = subject.values[attribute]
    if (pair === undefined || !isSame(pair[0], spec[attribute])) return []
    const other: JsonObject = { ...subject.with?.[attribute], ...subject.otherWith?.[attribute], [attribute]: pair[1] }
    return [{ attribute, spec: { ...subject.spec, ...other } }]
  })
  return { drive, spec, around, resource, address: addressOf(resource), drifts, lifecycle: types.get(type)?.lifecycle }
}
