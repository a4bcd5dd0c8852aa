import { asAppError } from '../../../engine/errors/errors.ts'
import type { Json, JsonObject } from '../../../engine/schema/json.ts'
import type { ProbeObject } from '../../../engine/schema/reports/probe-report.ts'
import type { AttributeEntry } from '../../../providers/rest/document/attribute.ts'
import { adviseIds, adviseReading, adviseWrongIds } from './advise-places.ts'
import { type MadeSpec, makeSpec, namedIn, type ProbedType } from './choose-types.ts'
import type { ValueSource } from './make-values.ts'
import type { Observation, Present, Sandbox, SandboxObject, WriteResult } from './sandbox.ts'
import { left, skips } from './words.ts'

/** An object that was created, or may have been; it is found by its spec. */
export interface Made {
  readonly handle: SandboxObject
  spec: JsonObject
  readonly object: ProbeObject
  isTaken: boolean
  isSeen: boolean
  /** The attribute after whose change the object could not be read any more. */
  lost?: string
}

export interface Making {
  readonly sandbox: Sandbox
  /** Has the suffix of the first object of each type. */
  readonly source: ValueSource & { readonly known: Map<string, JsonObject> }
  readonly made: Made[]
}

export const specFor = (one: ProbedType, { source }: Making, suffix: string, also: readonly string[] = []): MadeSpec =>
  makeSpec(one, { ...source, suffix }, also)

export const identityOf = ({ resource }: ProbedType, spec: JsonObject): JsonObject =>
  Object.fromEntries(resource.identity.keys.map((key): [string, Json] => [key, spec[key] ?? null]))

export interface New {
  readonly own: Made
  readonly seen: Present
  readonly done: WriteResult
  /** The spec of the create; the server may spell the identity differently. */
  readonly asked: JsonObject
  readonly demanded: readonly string[]
  /** The advice if `produces` does not name the place of the ids. */
  readonly wrongIds: string | undefined
}
type NotMade = { readonly detail: string }

/** Creates an object only if it does not exist yet; other objects are not touched. */
export const make = async (one: ProbedType, making: Making, suffix: string): Promise<New | NotMade> => {
  const first = specFor(one, making, suffix)
  if (!first.ok) {
    const { type, entries } = one
    return { detail: skips.noValue(type, first.attribute, parentOf(entries[first.attribute])) }
  }
  const { answers } = making.sandbox
  answers.length = 0
  const advised = (detail: string, spec: JsonObject): NotMade => {
    const advices = [adviseReading(one, spec, answers), adviseIds(one, spec, answers)]
    return { detail: [detail, ...advices.filter((each) => each !== undefined)].join('; ') }
  }
  const handle = making.sandbox.object(one)
  const before = await handle.look(first.spec)
  if (before.kind === 'unknown') return advised(skips.notReadable(before.detail), first.spec)
  if (before.kind === 'present') return { detail: skips.exists }
  const object = { type: one.type, identity: identityOf(one, first.spec) }
  const own: Made = { handle, spec: first.spec, object, isTaken: false, isSeen: false }
  making.made.push(own)
  const { done, demanded } = await create(one, own, making, suffix)
  if (!done.ok) return advised(skips.createFailed(one.type, done.status, done.said ?? ''), own.spec)
  if (done.request === undefined) return { detail: skips.notCreated }
  own.isTaken = true
  const asked = own.spec
  const seen = await find(own, suffix)
  if (seen.kind !== 'present')
    return advised(skips.notFound(seen.kind === 'unknown' ? seen.detail : undefined), own.spec)
  own.isSeen = true
  if (suffix === making.source.suffix)
    making.source.known.set(one.type, { ...own.spec, ...seen.attributes, ...seen.ids })
  return { own, seen, done, asked, demanded, wrongIds: adviseWrongIds(one, own.spec, seen.ids, answers) }
}

const parentOf = (entry: AttributeEntry | undefined): string | undefined => entry?.refersTo?.type ?? entry?.ref?.type

/** Repeats the create as long as a refusal names attributes that were not sent. */
const create = async (
  one: ProbedType,
  own: Made,
  making: Making,
  suffix: string,
): Promise<{ readonly done: WriteResult; readonly demanded: readonly string[] }> => {
  const demanded: string[] = []
  for (;;) {
    const done = await own.handle.ensure(own.spec)
    const named = done.ok || done.status === undefined ? [] : namedIn(one, done.said ?? '', own.spec)
    const more = specFor(one, making, suffix, [...demanded, ...named])
    if (named.length === 0 || !more.ok) return { done, demanded }
    demanded.push(...named)
    own.spec = more.spec
  }
}

/**
 * Finds the object by its identity, or in the list by its unique suffix: the server may spell the identity differently.
 */
const find = async (own: Made, suffix: string): Promise<Observation> => {
  const seen = await own.handle.look(own.spec)
  if (seen.kind !== 'absent') return seen
  const listed = await own.handle.list(own.spec)
  const [only, another] = (listed?.kind === 'listed' ? listed.identities : []).filter((identity) =>
    holdsText(identity, suffix),
  )
  if (only === undefined || another !== undefined) return seen
  own.spec = { ...own.spec, ...only }
  return own.handle.look(own.spec)
}

const holdsText = (identity: JsonObject, text: string): boolean =>
  Object.values(identity).some((value) => typeof value === 'string' && value.toLowerCase().includes(text))

/** Returns why an object still exists; `undefined` if it is gone. */
export const deleteObject = async (one: Made): Promise<string | undefined> => {
  const { handle, spec, isTaken, isSeen, lost } = one
  try {
    const done = await handle.ensure(spec, true)
    // A create that failed may have made it nevertheless: then there was something to delete.
    if (done.request !== undefined) one.isTaken = true
    if (!done.ok && done.status === undefined) await handle.remove(spec)
    const seen = await handle.look(spec)
    if (seen.kind === 'unknown') return seen.detail
    if (seen.kind === 'present') return done.ok ? left.stillThere : (done.said ?? left.refused)
    if (lost !== undefined) return left.lost(lost)
    return isTaken && !isSeen ? left.neverFound : undefined
  } catch (error) {
    return asAppError(error).message
  }
}
