import type { AttributeEntry } from '../../providers/rest/document/attribute.ts'
import { isSent, sameValue } from '../../providers/rest/document/attributes.ts'
import type { RestResource } from '../../providers/rest/document/document.ts'
import { shownIds } from '../../providers/rest/document/document.ts'
import { pathOf } from '../../providers/rest/document/template.ts'
import type { Json, JsonObject } from '../../schema/json.ts'
import type { ProbedLock, ProbeFinding } from '../../schema/reports/probe-report.ts'
import { isSecret } from '../../schema/value.ts'
import { defined, present } from '../../values/defined.ts'
import type { ProbedType } from './choose-types.ts'
import { makeValue, type ValueSource } from './make-values.ts'
import { proposeForSent, proposeForUnset } from './propose-facts.ts'
import type { Observation, Present, SandboxObject, WriteResult } from './sandbox.ts'
import { type Proposal, proposals, skips } from './words.ts'

/** A finding without its place in the document. */
export type Unplaced = Omit<ProbeFinding, 'file' | 'line' | 'column' | 'type'>

export interface TypeProbe {
  readonly probed: ProbedType
  readonly source: ValueSource
  readonly handle: SandboxObject
  /** What the object was made with. */
  readonly spec: JsonObject
  /** Attributes that change by themselves. */
  readonly moving: readonly string[]
  readonly shouldStop: () => boolean
}

/** Attributes that differ between two reads in a row. */
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

/** A secret that is read again is what was sent: its reference cannot be compared. */
const isComparable = (entry: AttributeEntry, value: Json): boolean => !entry.writeOnly && !isSecret(value)

interface Creation {
  /** The spec of the create; `probe.spec` is what the object is found by. */
  readonly asked: JsonObject
  readonly first: Present
  readonly again: Observation
  /** A second object. */
  readonly other: Observation | undefined
  readonly done: WriteResult
}

/** How the values of a new object came back, and what has a value that nobody sent. */
export const findingsOfCreate = (
  { probed, spec }: Pick<TypeProbe, 'probed' | 'spec'>,
  { asked, first, again, other, done }: Creation,
): readonly Unplaced[] => {
  const valueIn = (seen: Observation | undefined, name: string): Json | undefined =>
    seen?.kind === 'present' ? seen.attributes[name] : undefined
  const known = Object.entries(probed.entries).flatMap(([name, entry]): readonly Unplaced[] => {
    // A response repeats a name of the URL as it was asked for: where the object was found says more.
    const [sent, read] = [asked[name], entry.in === 'path' ? spec[name] : first.attributes[name]]
    if (sent !== undefined) {
      const proposal = isComparable(entry, sent) ? proposeForSent(entry, sent, read, undefined, 'created') : undefined
      return findingOf(name, entry, proposal, { sent, read, done })
    }
    // A pattern says which elements are the server's own; a default cannot.
    if (read === undefined || read === null || entry.ignore !== undefined || entry.sensitive) return []
    const proposal = proposeForUnset(entry, [read, valueIn(again, name), valueIn(other, name)])
    // A value of one object alone may be a key of it.
    return findingOf(name, entry, proposal, { ...(proposal?.add?.['computed'] === true ? {} : { read }), done })
  })
  const unnamed = unnamedIn(probed, first.members)
  return unnamed.length === 0 ? known : [...known, { ...proposals.unnamed(unnamed), evidence: {} }]
}

/** Members without an attribute. They are known only where a response is the object itself. */
const unnamedIn = ({ resource, entries }: ProbedType, members: readonly string[]): readonly string[] => {
  const { retrieve } = resource.operations
  if (retrieve === undefined || retrieve.answer !== undefined) return []
  const attributes = Object.entries(entries).map(([name, entry]) => entry.path ?? name)
  const named = new Set([...attributes, ...Object.values(shownIds(resource))].map((place) => String(pathOf(place)[0])))
  return members.filter((member) => !named.has(member)).toSorted()
}

/** Sets every attribute that can be set, one by one, and reads the object after each. */
export const probeUpdates = async (probe: TypeProbe, created: Present) => {
  const { probed, handle, moving, shouldStop } = probe
  const findings: Unplaced[] = []
  /** What could not be set, and why. */
  const unset: { readonly attribute: string; readonly detail: string }[] = []
  const base = adopted(probe, created)
  let before = created
  for (const [name, entry] of writableIn(probed)) {
    if (shouldStop()) break
    if (moving.includes(name)) continue
    const value = otherValue(probe, name, entry, before.attributes[name])
    const done: WriteResult = value === undefined ? { ok: false } : await handle.ensure({ ...base, [name]: value })
    const detail = value === undefined ? skips.noOtherValue(probed.type, name) : whyNothing(probe, name, entry, done)
    if (value === undefined || detail !== undefined) {
      unset.push({ attribute: name, detail: detail ?? '' })
      continue
    }
    const seen = await handle.look(base)
    if (seen.kind !== 'present') {
      findings.push(...findingOf(name, entry, proposals.lost, { sent: value, done }))
      break
    }
    // A required attribute keeps its new value in the next plans.
    if (Object.hasOwn(base, name)) base[name] = entry.sensitive ? value : (seen.attributes[name] ?? value)
    findings.push(...findingsOfUpdate(probe, { name, entry, value, done, before, seen }))
    before = seen
  }
  return { findings, unset }
}

/** Why an update says nothing: it was not sent, or the server refused a value that no user would set. */
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

/** The base of the next plans: identity and required attributes as the server has them, so that one attribute differs. */
const adopted = ({ probed, spec }: TypeProbe, { attributes }: Present): Record<string, Json> => {
  const { entries, resource } = probed
  const kept = Object.entries(spec).filter(([name]) => isKey(resource, name, entries[name]) || entries[name]?.required)
  return Object.fromEntries(
    kept.map(([name, value]) => [name, entries[name]?.sensitive ? value : (attributes[name] ?? value)]),
  )
}

const isKey = ({ identity }: RestResource, name: string, entry: AttributeEntry | undefined): boolean =>
  identity.keys.includes(name) || entry?.in === 'path'

/** Attributes that an update can set. */
const writableIn = ({ resource, entries }: ProbedType): readonly (readonly [string, AttributeEntry])[] => {
  const written = new Set([
    ...Object.values(resource.actions ?? {}).flatMap(({ on }) => on),
    ...resource.parts.flatMap(({ write, attributes = {}, collection }) => [
      ...(write === undefined ? [] : Object.keys(attributes)),
      ...present(collection?.write !== undefined && collection.field),
    ]),
  ])
  return Object.entries(entries).filter(
    ([name, entry]) =>
      written.has(name) && !entry.immutable && isSent(entry, 'update') && !resource.identity.keys.includes(name),
  )
}

/** A value that differs from the present one; none where none can be invented. */
const otherValue = (
  { source, probed }: TypeProbe,
  name: string,
  entry: AttributeEntry,
  current: Json | undefined,
): Json | undefined =>
  ([1, 0] as const)
    .map((turn) => makeValue(probed.type, name, entry, turn, source))
    .find((value) => value !== undefined && (isSecret(value) || !sameValue(entry, value, current)))

interface LockProbe {
  readonly lock?: ProbedLock
  readonly findings: readonly Unplaced[]
  /** Why nothing was learnt of a lock that the document has. */
  readonly skipped?: string
}

/** Tries whether the target refuses a write with a stale version, with the first attribute that can be set. */
export const probeLock = async (probe: TypeProbe, created: Present): Promise<LockProbe> => {
  const { probed, handle, moving, shouldStop } = probe
  const base = adopted(probe, created)
  if (probed.resource.lock === undefined) return { findings: [] }
  for (const [name, entry] of writableIn(probed)) {
    if (shouldStop()) return { findings: [] }
    const seen = moving.includes(name) ? undefined : await handle.look(base)
    const value = seen?.kind === 'present' ? otherValue(probe, name, entry, seen.attributes[name]) : undefined
    const stale = value === undefined ? undefined : await handle.sendStale({ ...base, [name]: value })
    if (stale?.request === undefined || stale.status === undefined) continue
    const { ok, request, status } = stale
    const lock = { type: probed.type, refused: !ok, request, status }
    return { lock, findings: ok ? [{ ...proposals.lockIgnored, evidence: { request, status } }] : [] }
  }
  return { findings: [], skipped: skips.lock }
}
