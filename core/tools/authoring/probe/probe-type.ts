import { isArray, type Json, type JsonObject } from '../../../engine/schema/json.ts'
import type { ProbeFinding } from '../../../engine/schema/reports/probe-report.ts'
import { isSecret } from '../../../engine/schema/value.ts'
import { defined } from '../../../engine/values/defined.ts'
import { soundsShutting } from '../../../engine/values/texts/name-words.ts'
import type { AttributeEntry } from '../../../providers/rest/document/attribute.ts'
import { sameValue } from '../../../providers/rest/document/attributes.ts'
import { shownIds } from '../../../providers/rest/document/document.ts'
import { refsIn } from '../../../providers/rest/document/references.ts'
import { pathOf } from '../../../providers/rest/document/shared/template.ts'
import { adopted } from './adopted.ts'
import { type ProbedType, writableIn } from './choose-types.ts'
import { makeValue, mayShut, namesAnother, type ValueSource } from './make-values.ts'
import { proposeForSent, proposeForUnset } from './propose-facts.ts'
import type { Observation, Present, SandboxObject, WriteResult } from './sandbox.ts'
import { attempt, type SetBack, type Stuck, setBack } from './set-back.ts'
import { type Proposal, proposals, skips } from './words.ts'

export type Unplaced = Omit<ProbeFinding, 'file' | 'line' | 'column' | 'type'>

export interface TypeProbe {
  readonly probed: ProbedType
  readonly source: ValueSource
  readonly handle: SandboxObject
  readonly spec: JsonObject
  readonly moving: readonly string[]
  readonly shouldStop: () => boolean
  /** True: switches that may make an object unusable are tried too. */
  readonly shut?: boolean
}

export const movingIn = ({ entries }: ProbedType, one: JsonObject, other: JsonObject): readonly string[] =>
  Object.entries(entries).flatMap(([name, entry]) =>
    entry.computed || sameValue(entry, one[name], other[name]) ? [] : [name],
  )

const hidden = '(a secret)'

const isSecretive = ({ sensitive, element, attributes = {} }: AttributeEntry): boolean =>
  sensitive === true || (element !== undefined && isSecretive(element)) || Object.values(attributes).some(isSecretive)

interface Evidence {
  readonly sent?: Json | undefined
  readonly read?: Json | undefined
  readonly done?: WriteResult
}

const findingOf = (
  attribute: string,
  entry: AttributeEntry,
  proposal: Proposal | undefined,
  { sent, read, done }: Evidence,
): readonly Unplaced[] => {
  const shown = (value: Json | undefined): Json | undefined =>
    value !== undefined && (isSecretive(entry) || isSecret(value)) ? hidden : value
  const { request, status, said } = done ?? {}
  const evidence = defined({ request, status, said, sent: shown(sent), read: shown(read) })
  return proposal === undefined ? [] : [{ attribute, ...proposal, evidence }]
}

/** A secret is not comparable, because the spec has only its reference; the same is true for references to objects. */
const isComparable = (entry: AttributeEntry, value: Json): boolean =>
  !entry.writeOnly && !isSecret(value) && refsIn(entry).length === 0

interface ProbedCreation {
  /** The spec of the create; `probe.spec` is the one that finds the object. */
  readonly asked: JsonObject
  readonly first: Present
  readonly again: Observation
  readonly other: Observation | undefined
  readonly done: WriteResult
}

export const findingsOfCreate = (
  { probed, spec }: Pick<TypeProbe, 'probed' | 'spec'>,
  { asked, first, again, other, done }: ProbedCreation,
): readonly Unplaced[] => {
  const valueIn = (seen: Observation | undefined, name: string): Json | undefined =>
    seen?.kind === 'present' ? seen.attributes[name] : undefined
  const known = Object.entries(probed.entries).flatMap(([name, entry]): readonly Unplaced[] => {
    // A response repeats a name in the URL as it was requested, so the spec that found the object is more exact.
    const [sent, read] = [asked[name], entry.in === 'path' ? spec[name] : first.attributes[name]]
    if (sent !== undefined) {
      const proposal = isComparable(entry, sent) ? proposeForSent(entry, sent, read, undefined, 'created') : undefined
      return findingOf(name, entry, proposal, { sent, read, done })
    }
    // A pattern tells which elements belong to the server; a default cannot.
    if (
      read === undefined ||
      read === null ||
      (entry.leftOut && isEmpty(read)) ||
      entry.ignore !== undefined ||
      entry.sensitive
    )
      return []
    const proposal = proposeForUnset(entry, [read, valueIn(again, name), valueIn(other, name)])
    // A value that only one object has may be a key, so it is not shown.
    return findingOf(name, entry, proposal, { ...(proposal?.add?.['computed'] === true ? {} : { read }), done })
  })
  const unnamed = unnamedIn(probed, first.members)
  return unnamed.length === 0 ? known : [...known, { ...proposals.unnamed(unnamed), evidence: {} }]
}

const isEmpty = (value: Json): boolean => isArray(value) && value.length === 0

/** Finds members without an attribute. They are known only if a response is the object itself. */
const unnamedIn = ({ resource, entries }: ProbedType, members: readonly string[]): readonly string[] => {
  const { retrieve } = resource.operations
  if (retrieve === undefined || retrieve.answer !== undefined) return []
  const attributes = Object.entries(entries).map(([name, entry]) => entry.path ?? name)
  const named = new Set([...attributes, ...Object.values(shownIds(resource))].map((place) => String(pathOf(place)[0])))
  return members.filter((member) => !named.has(member)).toSorted()
}

export interface Trials {
  readonly findings: readonly Unplaced[]
  readonly unset: readonly Unset[]
  /** Attributes whose value a write has changed. */
  readonly taken: readonly string[]
  /** A value that could not be set back: nothing more is tried anywhere. */
  readonly stuck?: Stuck
  /** The status of a refusal that concerns every request: nothing more is tried anywhere. */
  readonly refused?: number
}

interface Unset {
  readonly attribute: string
  readonly detail: string
}

/** After this many refusals in a row the trials of the type end. */
const refusalsInARow = 3
/** Statuses that concern the caller, not the sent values. */
const refusalsForAll = [401, 403, 429]

export const probeUpdates = async (probe: TypeProbe, created: Present): Promise<Trials> => {
  const { probed, moving, shouldStop } = probe
  const findings: Unplaced[] = []
  const unset: Unset[] = []
  const taken: string[] = []
  const row: string[] = []
  let before = created
  for (const [name, entry] of triedIn(probe, created)) {
    if (shouldStop()) break
    if (moving.includes(name)) continue
    const value = otherValue(probe, name, entry, before.attributes[name])
    const reason = value === undefined ? skips.noOtherValue(probed.type, name) : whyNotTried(probe, name, value)
    if (value === undefined || reason !== undefined) {
      unset.push({ attribute: name, detail: whyUnnamed(probe, name, entry) ?? reason ?? '' })
      continue
    }
    const one = await tryValue(probe, { name, entry, value, before })
    findings.push(...one.findings)
    if (one.detail !== undefined) unset.push({ attribute: name, detail: one.detail })
    if (one.isTaken) taken.push(name)
    if (one.back.kind === 'stuck') return { findings, unset, taken, stuck: shownStuck(one.back, probed) }
    before = one.back.now
    const { ok, request = '', status } = one.done
    if (ok || row.at(-1) !== `${request} ${status}`) row.length = 0
    if (!ok && status !== undefined) row.push(`${request} ${status}`)
    if (status === undefined || row.length < refusalsInARow) continue
    const again: Unset = { attribute: name, detail: skips.refusedAgain(request, status, row.length) }
    return { findings, unset: [...unset, again], taken, ...(refusalsForAll.includes(status) && { refused: status }) }
  }
  return { findings, unset, taken }
}

/**
 * Attributes with a former value come first, then those without one; attributes that may make the object unusable come
 * last.
 */
export const triedIn = (probe: TypeProbe, { attributes }: Present): ReturnType<typeof writableIn> => {
  const rank = ([name]: readonly [string, AttributeEntry]): number =>
    soundsShutting(name) ? 2 : attributes[name] === undefined || attributes[name] === null ? 1 : 0
  return writableIn(probe.probed).toSorted((left, right) => rank(left) - rank(right))
}

/** A value that the user gives is always tried. */
export const whyNotTried = (
  { shut = false, source, probed: { type } }: TypeProbe,
  name: string,
  value: Json,
): string | undefined =>
  shut || source.given[type]?.[name] !== undefined || !mayShut(name, value) ? undefined : skips.mayShut(type, name)

const whyUnnamed = (
  { source, probed: { type } }: Pick<TypeProbe, 'source' | 'probed'>,
  name: string,
  entry: AttributeEntry,
): string | undefined =>
  source.given[type]?.[name] === undefined && namesAnother(name, entry) ? skips.namesAnother(type, name) : undefined

interface TriedWrite {
  readonly findings: readonly Unplaced[]
  readonly isTaken: boolean
  readonly detail?: string | undefined
  readonly done: WriteResult
  readonly back: SetBack
}

const tryValue = async (
  probe: TypeProbe,
  { name, entry, value, before }: { name: string; entry: AttributeEntry; value: Json; before: Present },
): Promise<TriedWrite> => {
  const { probed, handle, moving } = probe
  const base = adopted(probe, before)
  const done = await attempt(() => handle.ensure({ ...base, [name]: value }))
  const seen = await handle.look(base)
  const writable = writableIn(probed).flatMap(([each]) => (moving.includes(each) ? [] : [each]))
  const back = await setBack({ handle, entries: probed.entries, base, name, done, before, seen, writable })
  const detail = whyNothing(probe, name, entry, done)
  const found = (): readonly Unplaced[] => {
    if (detail !== undefined) return []
    if (seen.kind !== 'present') return findingOf(name, entry, proposals.lost, { sent: value, done })
    return findingsOfUpdate(probe, { name, entry, value, done, before, seen })
  }
  const isTaken =
    done.ok && seen.kind === 'present' && !sameValue(entry, before.attributes[name], seen.attributes[name])
  return { findings: found(), isTaken, detail, done, back }
}

/** Secrets are not shown. */
export const shownStuck = ({ was, is, ...stuck }: Stuck, { entries }: ProbedType): Stuck => {
  const entry = entries[stuck.attribute]
  const shown = (value: Json): Json => (value !== null && entry !== undefined && isSecretive(entry) ? hidden : value)
  return { ...stuck, was: shown(was), ...defined({ is: is === undefined ? undefined : shown(is) }) }
}

const whyNothing = (
  { source, probed: { type } }: TypeProbe,
  name: string,
  entry: AttributeEntry,
  { ok, request, status, said = skips.nothingSent }: WriteResult,
): string | undefined => {
  if (request === undefined) return skips.notSet(type, name, said)
  const isMeant = source.given[type]?.[name] !== undefined || entry.values !== undefined || entry.type === 'boolean'
  return ok || isMeant || status === 405 ? undefined : skips.inventedRefused(type, name, said)
}

interface Update {
  readonly name: string
  readonly entry: AttributeEntry
  readonly value: Json
  readonly done: WriteResult
  readonly before: Present
  readonly seen: Present
}

const findingsOfUpdate = ({ probed, spec, moving }: TypeProbe, update: Update): readonly Unplaced[] => {
  const { name, entry, value: sent, done, before, seen } = update
  const [was, read] = [before.attributes[name], seen.attributes[name]]
  if (!done.ok)
    return findingOf(name, entry, done.status === 405 ? proposals.fixed : proposals.refused, { sent, read, done })
  const origin = Object.hasOwn(spec, name) ? 'created' : entry.default === undefined ? 'server' : 'default'
  const proposal = isComparable(entry, sent) ? proposeForSent(entry, sent, read, was, origin) : undefined
  const ownMoves = [name, entry.witness, ...moving]
  const moved = Object.entries(probed.entries).flatMap(([other, facts]) => {
    if (ownMoves.includes(other) || facts.computed || facts.ignore !== undefined) return []
    const [then, now] = [before.attributes[other], seen.attributes[other]]
    return sameValue(facts, then, now)
      ? []
      : findingOf(other, facts, proposals.sideEffect(name), { sent: then, read: now, done })
  })
  return [...findingOf(name, entry, proposal, { sent, read, done }), ...moved]
}

/** Returns a value that differs from the present one; `undefined` if none can be invented. */
export const otherValue = (
  { source, probed }: TypeProbe,
  name: string,
  entry: AttributeEntry,
  current: Json | undefined,
): Json | undefined =>
  whyUnnamed({ source, probed }, name, entry) !== undefined && entry.ref === undefined && entry.refersTo === undefined
    ? undefined
    : ([1, 0] as const)
        .map((turn) => makeValue(probed.type, name, entry, turn, source))
        .find((value) => value !== undefined && (isSecret(value) || !sameValue(entry, value, current)))
