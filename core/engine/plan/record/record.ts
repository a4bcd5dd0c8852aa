import { isEqual } from '../../diff/matching/canonical.ts'
import { elementFacts, memberFacts, plainAny, rootOf } from '../../diff/matching/facts.ts'
import { byKey, isKeyed, sortSet } from '../../diff/matching/keys.ts'
import { fromPointer, memberOf, toPointer } from '../../json/pointer.ts'
import type { Attribute, ObjectSchema } from '../../schema/attribute.ts'
import { type Diff, isSame, type ObjectDiff } from '../../schema/diff.ts'
import { isArray, isObject, type Json, type JsonObject, type MaybeJson } from '../../schema/json.ts'
import type { Address, DesiredResource, Doubt, LastApplied, RecordedResource } from '../../schema/resource.ts'
import { isMark } from '../../schema/value.ts'
import { defined } from '../../values/defined.ts'
import { mapMembers, pick, unlessEmpty } from '../../values/members.ts'
import { namingAttribute } from '../../values/normalise/named-container.ts'
import type { PlannedResource } from '../planning.ts'
import { renewRecord } from './renew-record.ts'
import { recordSent, writeOnlyValues } from './write-only.ts'

export interface RecordInput {
  readonly schema: ObjectSchema
  /** Absent if the resource left the configuration. */
  readonly desired?: DesiredResource
  readonly recorded?: RecordedResource
  readonly ids?: Readonly<Record<string, string>>
  /** Ids of the objects that contain it. */
  readonly parents?: Readonly<Record<string, string>>
  readonly seenBy?: JsonObject
  readonly refs?: JsonObject
  readonly refersBy?: readonly string[]
  readonly lastApplied?: LastApplied
}

/**
 * The record after a check: an equal value is recorded as observed; a different value keeps the recorded one, or stays
 * absent. This is also true for ignored differences: a rule ignores a difference, but nobody agreed to it. Only values
 * that distinguish the object (immutable attributes and references) are kept as they were first seen. Members, map keys
 * and elements of keyed sets are recorded one by one, lists and other sets as a whole. `undefined`: there is nothing to
 * record, or the record is not needed any more.
 */
export const recordAfterCheck = (
  input: Omit<RecordInput, 'lastApplied'> & { readonly planned: PlannedResource; readonly doubt?: Doubt },
): RecordedResource | undefined => {
  const { schema, desired, planned } = input
  const { before, change } = planned
  if (planned.forgotten) return undefined
  const recorded = withLifecycle(renewed(input, before ?? null, planned.desired ?? {}), desired)
  const { reason } = change?.blocked ?? {}
  if (reason === 'not_adopted' || reason === 'made_again') return recorded
  if (recorded !== undefined && input.doubt !== undefined) return { doubted: input.doubt, ...recorded }
  const isPartial = planned.unchecked !== undefined && planned.unchecked.attributes === undefined
  if (desired === undefined || desired.absent || before === null || before === undefined || isPartial) return recorded
  const { unsettled } = planned
  const agreed = unsettled === undefined ? before : agreedObject(schema, unsettled.diff, before, recorded?.attributes)
  const isNew = (change?.causes ?? []).flatMap(({ path, cause }) => (cause === 'new' ? [path] : []))
  const kept = keptUnread(recorded, planned.unread)
  const neverAgreed = [...[...isNew, ...(unsettled?.fresh ?? [])].map(toPointer), ...kept.neverAgreed]
  const known = { ...kept.attributes, ...seenFixed(input, before), ...agreed }
  const parents = parentsOf(input, known, before)
  return {
    ...describe(desired, { ...input, ...defined({ lastApplied: recorded?.lastApplied, parents }) }),
    dependsOn: needsOf(desired, recorded, change !== undefined),
    attributes: rememberNulls(rootOf(schema), planned.desired ?? {}, known),
    ...defined({
      sent: unlessEmpty({
        ...kept.sent,
        ...recordSent(writeOnlyValues(schema, planned.desired ?? {}), before, recorded?.sent),
      }),
      neverAgreed: unlessEmpty(neverAgreed),
      awaited: recorded?.awaited && unlessEmpty(stillAwaited(recorded, before)),
      shownInstead: recorded?.shownInstead,
      tainted: recorded?.tainted,
    }),
  }
}

/** The record as if what is observed had been agreed: the answers are read otherwise than when it was made. */
export const agreedAnew = (recorded: RecordedResource, observed: JsonObject): RecordedResource => ({
  ...recorded,
  attributes: { ...recorded.attributes, ...observed },
})

/** The ids of what contains it, as the record names these: one that it was moved into, which nobody agreed to, is none of them. */
const parentsOf = (
  { parents, recorded }: RecordInput,
  known: JsonObject,
  before: JsonObject,
): RecordInput['parents'] => {
  const isAgreed = (attribute: string): boolean => isEqual(known[attribute] ?? null, before[attribute] ?? null)
  const former = mapMembers(recorded?.parents ?? {}, (id, key) => (isAgreed(namingAttribute(key)) ? undefined : id))
  const kept = Object.keys(former).map(namingAttribute)
  const own = parents && mapMembers(parents, (id, key) => (kept.includes(namingAttribute(key)) ? undefined : id))
  return own && { ...own, ...former }
}

/** What was sent is waited for as long as the former value is there. */
const stillAwaited = ({ awaited = {}, attributes }: RecordedResource, before: JsonObject): JsonObject =>
  mapMembers(awaited, (value, name) => (isEqual(before[name] ?? null, attributes[name] ?? null) ? value : undefined))

/** What was agreed about attributes that cannot be read now; it is the base again when they can be read. */
export const keptUnread = (
  recorded: RecordedResource | undefined,
  unread: readonly string[] = [],
): Required<Pick<RecordedResource, 'attributes' | 'sent' | 'neverAgreed'>> => {
  const isUnread = (pointer: string): boolean => unread.includes(String(fromPointer(pointer)[0]))
  return {
    attributes: pick(recorded?.attributes ?? {}, unread),
    sent: mapMembers(recorded?.sent ?? {}, (each, pointer) => (isUnread(pointer) ? each : undefined)),
    neverAgreed: (recorded?.neverAgreed ?? []).filter(isUnread),
  }
}

/**
 * The rules for the time after the resource leaves the configuration. They are recorded even if the object could not be
 * read before that.
 */
const withLifecycle = (recorded: RecordedResource | undefined, desired: DesiredResource | undefined) =>
  recorded === undefined || desired === undefined ? recorded : { ...recorded, lifecycle: desired.lifecycle }

/** Until a change is sent, the object also needs its previous dependencies. */
const needsOf = (
  { dependsOn }: DesiredResource,
  recorded: RecordedResource | undefined,
  isPending: boolean,
): readonly Address[] => (isPending ? [...new Set([...dependsOn, ...(recorded?.dependsOn ?? [])])] : dependsOn)

/** The values that distinguish the object from one that may replace it, whether they were agreed or not. */
const seenFixed = ({ schema, refersBy = [] }: RecordInput, before: JsonObject): JsonObject =>
  mapMembers(before, (value, name) => {
    const isFixed = schema.attributes[name]?.immutable === true || refersBy.includes(name)
    return isFixed && isPlain(value) ? value : undefined
  })

/**
 * The record of a create, or of a new name, before the request is sent: it identifies the object if the answer is never
 * recorded.
 */
export const recordBeforeCreate = (
  input: Pick<RecordInput, 'ids' | 'seenBy' | 'refs' | 'refersBy'> & {
    readonly desired: DesiredResource
    readonly sentBy: string
    /** Canonical, with all values that are known so far. */
    readonly knownAttributes: JsonObject
    /** Attributes that distinguish the object from others. */
    readonly identifying: readonly string[]
  },
): RecordedResource => {
  const { desired, sentBy, knownAttributes, identifying, refersBy = [] } = input
  const known = pick(knownAttributes, [...identifying, ...refersBy])
  const attributes = mapMembers(known, (value) => (isPlain(value) ? value : undefined))
  return { ...describe(desired, input), attributes, doubted: 'sent', sentBy }
}

/** Replaces seals of an earlier key in the record by seals of the current key. */
export const renewed = ({ schema, recorded }: RecordInput, observed: JsonObject | null, desired: JsonObject) =>
  recorded === undefined ? undefined : renewRecord(schema, recorded, observed, desired)

/** The record of a resource without its values. */
export const describe = (
  { address, type, name, module, provider, dependsOn, lifecycle }: DesiredResource,
  {
    ids,
    parents,
    seenBy,
    refs,
    refersBy,
    lastApplied,
  }: Pick<RecordInput, 'ids' | 'parents' | 'seenBy' | 'refs' | 'refersBy' | 'lastApplied'>,
) => ({
  ...defined({ address, type, name, module, provider, ids, parents, seenBy, lastApplied }),
  ...defined({ refs: refs && isPlain(refs) ? refs : undefined, refersBy: unlessEmpty(refersBy) }),
  dependsOn,
  lifecycle,
})

/**
 * Whether the value contains neither a value that only a command will produce, nor a secret that must not be stored.
 */
export const isPlain = (value: Json): boolean =>
  !isMark(value) && (typeof value !== 'object' || value === null || Object.values(value).every(isPlain))

export const agreedObject = (
  schema: ObjectSchema,
  diff: Diff,
  observed: JsonObject,
  recorded: JsonObject | undefined,
): JsonObject => {
  const agreed = agreedValue(rootOf(schema), diff, observed, recorded)
  return isObject(agreed) ? agreed : {}
}

const agreedValue = (facts: Attribute, diff: Diff, observed: MaybeJson, recorded: MaybeJson): MaybeJson => {
  if (isSame(diff)) return observed
  if (diff.action !== 'update') return recorded
  if (diff.kind === 'object' || diff.kind === 'map') return agreedMembers(facts, diff, observed, recorded)
  if (diff.kind !== 'set' || !isKeyed(facts)) return recorded
  const now = byKey(facts, isArray(observed) ? sortSet(facts, observed) : [])
  const then = byKey(facts, isArray(recorded) ? sortSet(facts, recorded) : [])
  return diff.elements.flatMap(({ key = '', diff: inner }) => {
    const element = agreedValue(elementFacts(facts), inner, now.get(key), then.get(key))
    return element === undefined ? [] : [element]
  })
}

const agreedMembers = (facts: Attribute, { members }: ObjectDiff, observed: MaybeJson, recorded: MaybeJson): Json =>
  mapMembers(members, (inner, name) =>
    agreedValue(memberFacts(facts, name) ?? plainAny, inner, memberOf(observed, name), memberOf(recorded, name)),
  )

/** Records a null that was agreed because the value is missing, so that a value that appears later counts as drift. */
export const rememberNulls = (facts: Attribute, desired: JsonObject, agreed: JsonObject): JsonObject => {
  const added = mapMembers(desired, (inDesired, name): MaybeJson => {
    const value = memberOf(agreed, name)
    if (inDesired === null) return value === undefined ? null : undefined
    const inner = memberFacts(facts, name)
    if (inner?.type !== 'object' || !isObject(inDesired) || !isObject(value)) return undefined
    return rememberNulls(inner, inDesired, value)
  })
  return { ...agreed, ...added }
}
