import type { AttributeEntry } from '../../providers/rest/document/attribute.ts'
import { sameValue } from '../../providers/rest/document/attributes.ts'
import type { RestResource } from '../../providers/rest/document/document.ts'
import type { Operation } from '../../providers/rest/document/operation.ts'
import { shownIds } from '../../providers/rest/document/server-ids.ts'
import { pathOf } from '../../providers/rest/document/template.ts'
import type { Json, JsonObject } from '../../schema/json.ts'
import type { ProbeFinding } from '../../schema/reports/probe-report.ts'
import { isSecret } from '../../schema/value.ts'
import { defined } from '../../values/defined.ts'
import { type MakingSpec, type ProbedType, referredValue } from './choose-types.ts'
import { makeValue } from './make-values.ts'
import { type Proposal, proposeForSent, proposeForUnset } from './propose-facts.ts'
import type { Observation, SandboxObject, WriteResult } from './sandbox.ts'

type Present = Extract<Observation, { readonly kind: 'present' }>

/** A finding without its place in the document. */
export type Unplaced = Omit<ProbeFinding, 'file' | 'line' | 'column' | 'type'>

export interface TypeProbe {
  readonly probed: ProbedType
  readonly making: MakingSpec
  readonly handle: SandboxObject
  /** What the object was made with. */
  readonly spec: JsonObject
  /** Attributes that move by themselves. */
  readonly moving: readonly string[]
  readonly shouldStop: () => boolean
}

/** Attributes that two reads in a row showed differently. */
export const movingIn = ({ entries }: ProbedType, one: JsonObject, other: JsonObject): readonly string[] =>
  Object.entries(entries).flatMap(([name, entry]) =>
    entry.computed || sameValue(entry, one[name], other[name]) ? [] : [name],
  )

const hidden = '(a secret)'

const isSecretive = ({ sensitive, element, attributes = {} }: AttributeEntry): boolean =>
  sensitive === true || (element !== undefined && isSecretive(element)) || Object.values(attributes).some(isSecretive)

const evidenceOf = (
  entry: AttributeEntry,
  values: { readonly sent?: Json | undefined; readonly read?: Json | undefined },
  done?: WriteResult,
): ProbeFinding['evidence'] => {
  const shown = Object.entries(values).flatMap(([name, value]): [string, Json][] =>
    value === undefined ? [] : [[name, isSecretive(entry) || isSecret(value) ? hidden : value]],
  )
  const { request, status, said } = done ?? {}
  return {
    ...defined({ request, status, said }),
    ...Object.fromEntries(shown),
  }
}

const finding = (attribute: string, proposal: Proposal, evidence: ProbeFinding['evidence']): Unplaced => ({
  attribute,
  ...proposal,
  evidence,
})

/** A secret that is seen again is what was sent: the reference cannot be compared, and need not be. */
const isComparable = (entry: AttributeEntry, value: Json | undefined): boolean => !entry.writeOnly && !isSecret(value)

/** What the answers to a new object show: how values came back, and what was there that nobody sent. */
export const findingsOfCreate = (
  { probed, asked, spec }: Pick<TypeProbe, 'probed' | 'spec'> & { readonly asked: JsonObject },
  {
    first,
    again,
    other,
    done,
  }: { first: Present; again: Observation; other: Observation | undefined; done: WriteResult },
): readonly Unplaced[] => {
  const { entries, resource } = probed
  const valueIn = (seen: Observation | undefined, name: string): Json | undefined =>
    seen?.kind === 'present' ? seen.attributes[name] : undefined
  const known = Object.entries(entries).flatMap(([name, entry]): readonly Unplaced[] => {
    // Of a name in the URL an answer only says what was asked for: where it was found tells more.
    const [sent, read] = [asked[name], entry.in === 'path' ? spec[name] : first.attributes[name]]
    if (sent !== undefined) {
      const proposal = isComparable(entry, sent) ? proposeForSent(entry, sent, read, undefined, 'created') : undefined
      return proposal === undefined ? [] : [finding(name, proposal, evidenceOf(entry, { sent, read }, done))]
    }
    // Elements that are the server's own are told by a pattern, and no default.
    if (read === undefined || read === null || entry.ignore !== undefined || entry.sensitive) return []
    const proposal = proposeForUnset(entry, [read, valueIn(again, name), valueIn(other, name)])
    if (proposal === undefined) return []
    // What is made for each object may be a key of it.
    return [finding(name, proposal, evidenceOf(entry, proposal.add?.['computed'] === true ? {} : { read }, done))]
  })
  const unnamed = unnamedIn(resource, entries, first.members)
  if (unnamed.length === 0) return known
  const message = `its answer has members that the document does not name: ${unnamed.join(', ')}`
  return [...known, { message, evidence: {} }]
}

/** Only where the object comes alone and bare is it known which members are its own. */
const unnamedIn = (
  resource: RestResource,
  entries: ProbedType['entries'],
  members: readonly string[],
): readonly string[] => {
  const retrieve: Operation | undefined = resource.operations['retrieve']
  if (retrieve === undefined || retrieve.answer !== undefined) return []
  const places = [
    ...Object.entries(entries).map(([name, entry]) => entry.path ?? name),
    ...Object.values(shownIds(resource)),
  ].map((place) => String(pathOf(place)[0]))
  return members.filter((member) => !places.includes(member)).toSorted()
}

export interface Updates {
  readonly findings: readonly Unplaced[]
  /** What could not be set, and why that tells nothing. */
  readonly unset: readonly { readonly attribute: string; readonly detail: string }[]
}

/** Sets every attribute that can be set, one by one, and looks at what came of it. */
export const probeUpdates = async (probe: TypeProbe, created: Present): Promise<Updates> => {
  const { probed, handle, moving, shouldStop } = probe
  const findings: Unplaced[] = []
  const unset: Updates['unset'][number][] = []
  const base = adopted(probe, created)
  let before = created
  for (const [name, entry] of writableIn(probed)) {
    if (shouldStop()) break
    if (moving.includes(name)) continue
    const value = otherValue(probe, name, entry, before.attributes[name])
    const silent = value === undefined ? 'no value can be made up for it' : undefined
    const done: WriteResult = value === undefined ? { ok: false } : await handle.ensure({ ...base, [name]: value })
    const reason = silent ?? whyNothing(probe, name, entry, done)
    if (value === undefined || reason !== undefined) {
      unset.push({ attribute: name, detail: `${reason}; give one with --set ${probed.type}.${name}=...` })
      continue
    }
    const seen = await handle.look(base)
    if (seen.kind !== 'present') {
      const message = 'the object is not found after it was set'
      findings.push(finding(name, { message }, evidenceOf(entry, { sent: value }, done)))
      break
    }
    if (Object.hasOwn(base, name)) base[name] = entry.sensitive ? value : (seen.attributes[name] ?? value)
    findings.push(...findingsOfUpdate(probe, { name, entry, value, done, before, seen }))
    before = seen
  }
  return { findings, unset }
}

/** Why an update tells nothing: it was not sent, or what was refused is no value that anybody would give. */
const whyNothing = (
  { making, probed }: TypeProbe,
  name: string,
  { values, type }: AttributeEntry,
  { ok, request, status, said = 'nothing was sent' }: WriteResult,
): string | undefined => {
  if (request === undefined) return `it was not set: ${said}`
  const isMeant = making.given[probed.type]?.[name] !== undefined || values !== undefined || type === 'boolean'
  return ok || isMeant || status === 405 ? undefined : `what was made up for it is refused: ${said}`
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
  const evidence = evidenceOf(entry, { sent, read }, done)
  if (!done.ok) {
    const message = 'the server refuses another value'
    return [finding(name, done.status === 405 ? { message, add: { immutable: true } } : { message }, evidence)]
  }
  const origin = Object.hasOwn(spec, name) ? 'created' : entry.default === undefined ? 'server' : 'default'
  const proposal = isComparable(entry, sent) ? proposeForSent(entry, sent, read, was, origin) : undefined
  const moved = Object.entries(probed.entries).flatMap(([other, facts]): readonly Unplaced[] => {
    const [then, now] = [before.attributes[other], seen.attributes[other]]
    if (
      other === name ||
      other === entry.witness ||
      moving.includes(other) ||
      facts.computed ||
      facts.ignore !== undefined
    )
      return []
    if (sameValue(facts, then, now)) return []
    const message = `it changed when ${name} was set, and nobody asked for that`
    return [finding(other, { message }, evidenceOf(facts, { sent: then, read: now }, done))]
  })
  return [...(proposal === undefined ? [] : [finding(name, proposal, evidence)]), ...moved]
}

/** What the next plans declare: the identity, and what is demanded, as the server made it: only one attribute shall differ. */
export const adopted = ({ probed, spec }: TypeProbe, { attributes }: Present): Record<string, Json> => {
  const { entries, resource } = probed
  const members = Object.entries(spec).flatMap(([name, value]): [string, Json][] => {
    const entry = entries[name]
    const isKey = resource.identity.keys.includes(name) || entry?.in === 'path'
    if (!isKey && !entry?.required) return []
    const read = attributes[name]
    return [[name, read === undefined || entry?.sensitive ? value : read]]
  })
  return Object.fromEntries(members)
}

export const writableIn = ({ resource, entries }: ProbedType): readonly (readonly [string, AttributeEntry])[] => {
  const called = new Set(Object.values(resource.actions ?? {}).flatMap(({ on }) => on))
  const written = new Set(
    resource.parts.flatMap(({ write, attributes = {}, collection }) => [
      ...(write === undefined ? [] : Object.keys(attributes)),
      ...(collection?.write === undefined ? [] : [collection.field]),
    ]),
  )
  return Object.entries(entries).filter(
    ([name, entry]) =>
      (written.has(name) || called.has(name)) &&
      !entry.immutable &&
      !entry.computed &&
      entry.in !== 'path' &&
      entry.sendOn !== 'create' &&
      !resource.identity.keys.includes(name),
  )
}

/** A value that differs from the present one; none where none can be made up. */
export const otherValue = (
  { making, probed }: TypeProbe,
  name: string,
  entry: AttributeEntry,
  current: Json | undefined,
): Json | undefined => {
  const given = making.given[probed.type] ?? {}
  const referred = () => referredValue(entry, making)
  const values = ([1, 0] as const).map((turn) => makeValue(name, entry, turn, { ...making, given, referred }))
  return values.find((value) => value !== undefined && (isSecret(value) || !sameValue(entry, value, current)))
}
