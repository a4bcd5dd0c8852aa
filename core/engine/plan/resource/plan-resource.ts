import { compare } from '../../diff/compare.ts'
import { isEqual } from '../../diff/matching/canonical.ts'
import { ignoredInDesired, normalise } from '../../diff/normalise.ts'
import { normaliseRead } from '../../diff/normalise-read.ts'
import { AppError } from '../../errors/errors.ts'
import type { ObjectSchema } from '../../schema/attribute.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { Address, DesiredResource, RecordedResource } from '../../schema/resource.ts'
import type { Ignored, Unchecked } from '../../schema/stored/plan.ts'
import { successorTo } from '../../values/addresses/successor.ts'
import { defined } from '../../values/defined.ts'
import { mapMembers, pick, withoutMembers } from '../../values/members.ts'
import { withManage } from '../../values/with-manage.ts'
import { seenDigest } from '../commands/seen-digest.ts'
import { ignoringFor } from '../ignore-rules.ts'
import type { PlanFinding, PlannedResource, Planning, ResourceInput } from '../planning.ts'
import { agreedAnew } from '../record/record.ts'
import { renewRecord } from '../record/renew-record.ts'
import { withShown } from '../record/with-shown.ts'
import { blocks, leavesOut, noSubject, openValues } from '../words.ts'
import { applicable } from './applicable.ts'
import { lackingIn, type UnreadAttributes } from './lacking-values.ts'
import { makeChange } from './make-change.ts'
import { planCreate, planDelete, planReport, planRevival } from './plan-existence.ts'
import { planUpdate } from './plan-update.ts'
import { uncheckedBy } from './unchecked-by.ts'

/** An unknown result of a read never leads to a change. */
export const planResource = (input: ResourceInput): PlannedResource => {
  const planned = planHere(input)
  const { unchecked } = planned
  const { position } = input.desired ?? {}
  return unchecked === undefined || position === undefined
    ? planned
    : { ...planned, unchecked: { ...unchecked, position } }
}

const planHere = (input: ResourceInput): PlannedResource => {
  const planned = planRecorded(input)
  const { recorded, isReadAnew } = input
  if (!isReadAnew || recorded === undefined || planned.drift?.kind !== 'changed' || !planned.before) return planned
  return { ...planRecorded({ ...input, recorded: agreedAnew(recorded, planned.before) }), isAgreedAnew: true }
}

const planRecorded = (input: ResourceInput): PlannedResource => {
  const { desired, recorded, facts, observed } = input
  const subject = desired ?? recorded
  if (subject === undefined) throw new AppError('INTERNAL', { detail: noSubject })
  const { address, lifecycle, attributes: own } = subject
  const quiet = { address, ...defined({ previousAddress: input.previousAddress }), unobserved: [], ignored: [] }
  const [[openName, open] = []] = Object.entries(input.open ?? {})
  const { fate } = desired === undefined ? (input.orphan ?? {}) : {}
  if (fate === 'forget') return { ...quiet, forgotten: true }
  if (desired === undefined && facts.lifecycle?.preventDelete && fate !== 'report') {
    return { ...quiet, ignored: [{ address, path: [], rule: 'preventDelete' }], forgotten: true }
  }
  if (open !== undefined && (observed.kind === 'absent' || isUnresolved(observed))) {
    return { ...quiet, unchecked: { address, reason: open.reason, detail: `${openName}: ${open.detail}` } }
  }
  if (observed.kind === 'unknown') {
    return { ...quiet, unchecked: uncheckedBy(address, observed, input) }
  }
  const schema = withManage(facts.schema, lifecycle.manage)
  const before = observed.kind === 'present' ? normaliseRead(schema, observed, own) : null
  const ignoring = ignoringFor(address, lifecycle.ignoreChanges, input.ignoreRules, input.today)
  const whole = normalise(schema, own, desired === undefined ? 'recorded' : 'desired')
  const existence = desired === undefined ? (fate === 'report' ? 'reported' : 'undeclared') : existenceOf(desired)
  const hidden = observed.kind === 'present' ? (observed.unread ?? {}) : {}
  const shown = withoutMembers(whole, Object.keys(hidden))
  const lacking = existence === 'present' && before !== null ? lackingIn(schema, shown, before, ignoring) : {}
  const unread = { ...lacking, ...hidden }
  const certain = withoutMembers(whole, [...Object.keys(input.open ?? {}), ...Object.keys(unread)])
  const { archived } = observed.kind === 'absent' ? observed : {}
  const old = archived && normalise(schema, archived.attributes, 'observed', own)
  const revived = existence === 'present' ? old : undefined
  const subjectTo = { address, desired: certain, before: before ?? revived ?? null }
  const { desired: desiredAttributes, compared, ignored } = applicable(schema, subjectTo)
  const isOwn = input.isOwn ?? recorded !== undefined
  const planning: Planning = {
    subject,
    facts,
    schema,
    ignoring,
    ...defined({
      record: isOnlySent(input)
        ? undefined
        : recorded && recordOf(schema, readable(recorded, unread), own, before, compared),
    }),
    isOwn,
    ...(isOwn && recorded?.tainted !== undefined && { isTainted: true as const }),
  }
  const found =
    revived === undefined
      ? findingOf(planning, compared, before, existence)
      : leaveArchived(planning, planRevival(planning, compared, revived))
  const planned: PlannedResource = {
    ...quiet,
    before,
    ...defined({ archived: old }),
    desired: desiredAttributes,
    observedDigest: before === null ? null : seenDigest(schema, before),
    ...(input.previousAddress === undefined ? found : underNewAddress(found, input.previousAddress)),
    ignored: [
      ...(existence === 'present' ? [...ignored, ...passedOver(schema, subject)] : []),
      ...(found.ignored ?? []),
    ],
  }
  const told = input.isRemade ? tellRemade(planning, planned, input) : planned
  const known = leaveUnread(told, pick(unread, Object.keys(whole)), Object.keys(unread))
  return input.open === undefined ? known : leaveOpen(known, input.open)
}

/** Who declares an element that the type ignores would take it for kept in order. */
const passedOver = (schema: ObjectSchema, { address, attributes }: Pick<DesiredResource, 'address' | 'attributes'>) =>
  ignoredInDesired(schema, attributes).map((path): Ignored => ({ address, path, rule: leavesOut }))

/** Leaves out what was agreed about attributes that cannot be read now: it is not drift. */
const readable = (recorded: RecordedResource, unread: UnreadAttributes): RecordedResource => ({
  ...recorded,
  attributes: withoutMembers(recorded.attributes, Object.keys(unread)),
})

/**
 * Updates of the other attributes are planned as usual; other changes are blocked, because a replacement would lose
 * what could not be read.
 */
const leaveUnread = (
  planned: PlannedResource,
  configured: UnreadAttributes,
  unread: readonly string[],
): PlannedResource => {
  if (unread.length === 0) return planned
  const { address, change } = planned
  const isLosing = change !== undefined && change.action !== 'update'
  const blocked = change?.blocked ?? { reason: 'unread' as const, detail: blocks.unread(unread) }
  return {
    ...planned,
    unread,
    ...defined({
      unchecked: uncheckedIn(address, configured),
      change: isLosing ? { ...change, blocked } : change,
    }),
  }
}

/** Attributes that a resource does not declare need not be read. */
const uncheckedIn = (address: Address, unread: UnreadAttributes): Unchecked | undefined => {
  const attributes = Object.keys(unread)
  const causes = Object.values(unread)
  const [first] = causes
  const detail = [...new Set(causes.map((each) => each.detail))].join('; ')
  const permissions = [...new Set(causes.flatMap(({ permission }) => permission ?? []))]
  const permission = permissions.length === 0 ? undefined : permissions.join(', ')
  return first && { address, reason: first.reason, detail, attributes, ...defined({ permission }) }
}

/** `hasLeft`: it is no longer in the configuration. */
const isUnresolved = (observed: ResourceInput['observed']): boolean =>
  observed.kind === 'unknown' && observed.reason === 'unresolved'

/** What can be compared is reported, but nothing is sent as long as a value is not known. */
const leaveOpen = (planned: PlannedResource, open: NonNullable<ResourceInput['open']>): PlannedResource => {
  const { address, change } = planned
  const detail = openValues(Object.entries(open).map(([name, each]) => [name, each.detail]))
  const reason = Object.values(open)[0]?.reason ?? 'unresolved'
  const blocked = change?.blocked ?? { reason: 'dependency_unknown' as const, detail }
  return {
    ...planned,
    unchecked: { address, reason, detail },
    ...defined({ change: change && { ...change, blocked } }),
  }
}

/**
 * Whether a create that was sent may have made the object, about which nothing was ever agreed; or the recorded one is gone by a
 * replacement, which is no drift.
 */
const isOnlySent = ({ desired, recorded }: ResourceInput): boolean =>
  (recorded?.doubted === 'sent' || recorded?.doubted === 'replaced') && desired !== undefined && !desired.absent

const underNewAddress = (found: PlanFinding, previousAddress: Address) => ({
  ...found,
  ...defined({ change: found.change && { ...found.change, previousAddress } }),
})

type DesiredExistence = 'present' | 'absent' | 'undeclared' | 'reported'

const existenceOf = ({ absent }: DesiredResource): DesiredExistence => (absent ? 'absent' : 'present')

const findingOf = (planning: Planning, desired: JsonObject, before: JsonObject | null, shall: DesiredExistence) => {
  if (before === null) {
    return shall === 'present' ? planCreate(planning, desired) : planDelete(planning, before, shall !== 'absent')
  }
  if (shall === 'reported') return planReport(planning, before)
  if (shall === 'present') return leaveForeign(planning, planUpdate(planning, desired, before), before)
  const found = planDelete(planning, before, shall === 'undeclared')
  return found.change === undefined ? found : leaveForeign(planning, found, before)
}

/** If its type says so, an existing object without a record is not managed, even if nothing differs. */
const leaveForeign = (planning: Planning, found: PlanFinding, before: JsonObject): PlanFinding => {
  const { facts, isOwn } = planning
  const { adopt, isPreview, isUnkept } = facts.lifecycle ?? {}
  if (((adopt !== false || isUnkept) && !isPreview) || isOwn || planning.subject.lifecycle.readOnly) return found
  const change = found.change ?? makeChange(planning, { action: 'update', before, after: before })
  const detail = isPreview ? blocks.notCreated : blocks.notAdopted
  return { ...found, change: { ...change, blocked: { reason: 'not_adopted', detail } } }
}

const tellRemade = (planning: Planning, planned: PlannedResource, input: ResourceInput): PlannedResource =>
  input.observed.kind === 'present' ? leaveRemade(planning, planned, input) : tellReplaced(planning, planned, input)

/** What left the configuration is forgotten with its object. That others made another one is told this once: it is not deleted. */
const tellReplaced = (
  { schema, record, subject: { address, type, name } }: Planning,
  planned: PlannedResource,
  { orphan }: Pick<ResourceInput, 'orphan'>,
): PlannedResource => {
  if (record === undefined || orphan === undefined || successorTo(address) !== address) return planned
  const diff = compare(schema, record.attributes, null)
  return { ...planned, drift: { address, type, name, kind: 'deleted', madeAgain: true, diff } }
}

/** The object with its name is another one than the recorded one: it is shown, and taken over only where somebody says so. */
const leaveRemade = (
  planning: Planning,
  planned: PlannedResource,
  { observed, recorded, desired }: Pick<ResourceInput, 'observed' | 'recorded' | 'desired'>,
): PlannedResource => {
  const { before = null, change = makeChange(planning, { action: 'update', before, after: before }) } = planned
  const shown = observed.kind === 'present' ? (observed.ids ?? {}) : {}
  // Ids that were given again do not name the other object.
  const ids = isEqual(shown, recorded?.ids ?? {}) ? {} : shown
  const { address, type, name, attributes } = planning.subject
  const detail = blocks.madeAgain(address, ids, change.action === 'delete' ? 'delete' : 'take over', recorded?.doubted)
  const told = { ...planned, change: { ...change, blocked: { reason: 'made_again' as const, detail } } }
  // That the former one is gone is what was wanted.
  if (desired?.absent) return told
  const diff = compare(planning.schema, planning.record?.attributes ?? attributes, null)
  return {
    ...told,
    drift: { address, type, name, kind: 'deleted', diff },
  }
}

/** In a preview, an archived object is not revived, because the preview did not create it. */
const leaveArchived = (planning: Planning, found: PlanFinding): PlanFinding =>
  planning.facts.lifecycle?.isPreview && !planning.isOwn && found.change !== undefined
    ? { ...found, change: { ...found.change, blocked: { reason: 'not_adopted', detail: blocks.notCreated } } }
    : found

const recordOf = (
  schema: ObjectSchema,
  recorded: RecordedResource,
  own: JsonObject,
  before: JsonObject | null,
  desired: JsonObject,
): NonNullable<Planning['record']> => {
  const canonical = { ...recorded, attributes: normalise(schema, recorded.attributes, 'recorded', own) }
  const renewed = renewRecord(schema, canonical, before, desired)
  const { attributes, neverAgreed = [], sent = {} } = before === null ? renewed : withShown(schema, renewed, before)
  // What it has shown since the write may be the target's own form of it: nobody is blamed for that.
  const instead = normalise(schema, recorded.shownInstead ?? {}, 'recorded', own)
  const still = mapMembers(instead, (value, name) => (isEqual(before?.[name] ?? null, value) ? value : undefined))
  return { attributes: { ...attributes, ...still }, neverAgreed, sent }
}
