import { asAppError } from '../../errors.ts'
import type { Json, JsonObject } from '../../schema/json.ts'
import type { ProbeObject } from '../../schema/reports/probe-report.ts'
import { adviseIds, adviseReading } from './advise-places.ts'
import { type GivenValues, type MadeSpec, makeSpec, namedIn, type ProbedType } from './choose-types.ts'
import type { Observation, Sandbox, SandboxObject, WriteResult } from './sandbox.ts'

/** An object that was made, or may have been; its spec is what it is found under. */
export interface Made {
  readonly handle: SandboxObject
  spec: JsonObject
  readonly object: ProbeObject
  /** The server took the create. */
  isTaken: boolean
  isSeen: boolean
}

/** What objects are made with, and what came of it. */
export interface Making {
  readonly given: GivenValues
  readonly sandbox: Sandbox
  /** Of the first object of each type. */
  readonly suffix: string
  /** Everything that was made, or may have been, in order. */
  readonly made: Made[]
  /** What the first object of a type is known by. */
  readonly known: Map<string, JsonObject>
}

/** What an object of a type is made with; `also` what a server asked for. */
export const specFor = (one: ProbedType, making: Making, suffix: string, also: readonly string[] = []): MadeSpec =>
  makeSpec(one, { suffix, given: making.given, secret: making.sandbox.secret, made: making.known }, also)

export const identityOf = ({ resource }: ProbedType, spec: JsonObject): JsonObject =>
  Object.fromEntries(resource.identity.keys.map((key): [string, Json] => [key, spec[key] ?? null]))

type Present = Extract<Observation, { readonly kind: 'present' }>
export interface New {
  readonly own: Made
  readonly seen: Present
  readonly done: WriteResult
  /** As it was asked for, where the server found another spelling of what identifies it. */
  readonly asked: JsonObject
  /** What the server would not do without. */
  readonly demanded: readonly string[]
}
type NotMade = { readonly detail: string }

/** Makes an object that is not there; whatever else is found is left alone. */
export const make = async (one: ProbedType, making: Making, suffix: string): Promise<New | NotMade> => {
  const first = specFor(one, making, suffix)
  if (!first.ok) return { detail: whyNoValue(one, first.attribute) }
  const { answers } = making.sandbox
  answers.length = 0
  const advised = (detail: string, spec: JsonObject): NotMade => {
    const advices = [adviseReading(one, spec, answers), adviseIds(one, spec, answers)]
    return { detail: [detail, ...advices.filter((each) => each !== undefined)].join('; ') }
  }
  const handle = making.sandbox.object(one.type)
  const before = await handle.look(first.spec)
  if (before.kind === 'unknown') return advised(`whether it is there cannot be read: ${before.detail}`, first.spec)
  if (before.kind === 'present') return { detail: 'an object of that identity is there already, and is left alone' }
  const object = { type: one.type, identity: identityOf(one, first.spec) }
  const own: Made = { handle, spec: first.spec, object, isTaken: false, isSeen: false }
  making.made.push(own)
  const { done, demanded } = await create(one, own, making, suffix)
  if (!done.ok) {
    const answered = done.status === undefined ? 'failed' : `answered ${done.status}`
    const fix = `give what it needs with --set ${one.type}.<attribute>=...`
    return advised(`its create ${answered}: ${done.said ?? ''}; ${fix}`, own.spec)
  }
  own.isTaken = true
  const asked = own.spec
  const seen = await find(own, suffix)
  if (seen.kind !== 'present') {
    const detail = seen.kind === 'unknown' ? `: ${seen.detail}` : ', as if it had never been made'
    return advised(`it was made and is not found${detail}`, own.spec)
  }
  own.isSeen = true
  if (suffix === making.suffix) making.known.set(one.type, { ...own.spec, ...seen.attributes, ...seen.ids })
  return { own, seen, done, asked, demanded }
}

const whyNoValue = ({ type, entries }: ProbedType, attribute: string): string => {
  const parent = entries[attribute]?.refersTo?.type
  const reason =
    parent === undefined ? `no value can be made up for ${attribute}` : `there is no ${parent} for ${attribute}`
  return `${reason}; give one with --set ${type}.${attribute}=...`
}

/** Tries again with what the refusal names, as long as it names something that was not sent. */
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

/** Under its name; else in the list, for the suffix is in no other name: the server may spell it otherwise. */
const find = async (own: Made, suffix: string): Promise<Observation> => {
  const seen = await own.handle.look(own.spec)
  if (seen.kind !== 'absent') return seen
  const listed = (await own.handle.list(own.spec)) ?? []
  const [only, another] = listed.filter((identity) => holdsText(identity, suffix))
  if (only === undefined || another !== undefined) return seen
  own.spec = { ...own.spec, ...only }
  return own.handle.look(own.spec)
}

const holdsText = (identity: JsonObject, text: string): boolean =>
  Object.values(identity).some((value) => typeof value === 'string' && value.toLowerCase().includes(text))

/** Why an object is still there; `undefined` where it is gone. */
export const deleteObject = async ({ handle, spec, isTaken, isSeen }: Made): Promise<string | undefined> => {
  try {
    const done = await handle.ensure(spec, true)
    if (!done.ok && done.status === undefined) await handle.remove(spec)
    const seen = await handle.look(spec)
    if (seen.kind === 'unknown') return seen.detail
    if (seen.kind === 'present')
      return done.ok ? 'it is still found after its delete' : (done.said ?? 'its delete was refused')
    return isTaken && !isSeen ? 'it was made and never found again: look for it under another spelling' : undefined
  } catch (error) {
    return asAppError(error).message
  }
}
