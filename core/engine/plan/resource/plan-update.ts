import { compare } from '../../diff/compare.ts'
import { isEqual } from '../../diff/matching/canonical.ts'
import { factsAlong } from '../../diff/matching/facts.ts'
import { overlay } from '../../diff/overlay.ts'
import { withValueAt, withValuesOf } from '../../diff/paths.ts'
import { project } from '../../diff/project.ts'
import { fromPointer, pathText } from '../../json/pointer.ts'
import type { ObjectSchema } from '../../schema/attribute.ts'
import { type Diff, isSame } from '../../schema/diff.ts'
import type { JsonObject, Path } from '../../schema/json.ts'
import type { ImmutableFate } from '../../schema/resource.ts'
import type { Cause, Change, Ignored } from '../../schema/stored/plan.ts'
import { changedPaths } from '../../values/changed-paths.ts'
import { defined } from '../../values/defined.ts'
import { mapMembers } from '../../values/members.ts'
import type { PlanFinding, Planning } from '../planning.ts'
import { planWriteOnly, type WriteOnlyPlan, writeOnlyValues } from '../record/write-only.ts'
import { blocks } from '../words.ts'
import { blockDestroy, causeIn, makeChange, orderOf } from './make-change.ts'

/**
 * Plans the update of an object. A resource has at most one change, and a block applies to the whole change: if an
 * immutable attribute differs, the object may be another one than intended, so nothing of it is changed. To allow the
 * other differences, name the path in `lifecycle.ignoreChanges`.
 */
export const planUpdate = (planning: Planning, desired: JsonObject, before: JsonObject): PlanFinding => {
  const { subject, schema, record, facts } = planning
  const { address } = subject
  const sending = planWriteOnly(writeOnlyValues(schema, desired), before, record?.sent, facts.lifecycle?.isUnkept)
  const readable = sending.unobserved.reduce<JsonObject>(
    (value, path) => withValueAt(schema, value, path, undefined),
    desired,
  )
  const found = leaveIgnored(planning, before, overlay(schema, readable, before))
  const { after, ignored, unsettled, diff } = found
  return defined({
    after,
    unobserved: sending.unobserved.map((path) => ({ address, path, reason: 'write_only' as const })),
    ignored,
    unsettled,
    drift: driftOf(planning, desired, before, ignored, sending),
    change: planning.isTainted
      ? replaceTainted(planning, before, found, sending.changed)
      : diff && changeOf(planning, before, { ...found, diff }, sending.changed),
  })
}

interface Unignored {
  readonly after: JsonObject
  /** Absent if nothing differs. */
  readonly diff?: Diff
  readonly ignored: readonly Ignored[]
  readonly unsettled?: NonNullable<PlanFinding['unsettled']>
}

const leaveIgnored = (planning: Planning, before: JsonObject, desired: JsonObject): Unignored => {
  const { schema, subject } = planning
  if (desired === before) return { after: before, ignored: [] }
  const diff = compare(schema, before, desired)
  const ignored = changedPaths(diff).flatMap((path) => {
    const destructive = isImmutable(schema, path) && modeOf(planning) === 'replace'
    const rule = planning.ignoring(path, destructive)
    return rule === undefined ? [] : [{ address: subject.address, path, rule }]
  })
  const own = ignored.map(({ path }) => path)
  const after = withValuesOf(schema, desired, own, before)
  const left = ignored.length === 0 ? diff : compare(schema, before, after)
  const fresh = ignored.flatMap(({ path }) => (causeIn(planning, before, desired, path) === 'new' ? [path] : []))
  const unsettled = isSame(diff) ? undefined : { diff, fresh }
  return defined({ after: isSame(left) ? before : after, diff: isSame(left) ? undefined : left, ignored, unsettled })
}

const changeOf = (
  planning: Planning,
  before: JsonObject,
  { after, diff }: Unignored & { readonly diff: Diff },
  sentCauses: ReadonlyMap<string, Cause>,
): Change => {
  const fixed = changedPaths(diff).filter((path) => isImmutable(planning.schema, path))
  const draft = { before, after, diff, sentCauses }
  if (fixed.length === 0) return makeChange(planning, { ...draft, action: 'update' })
  const replacing = modeOf(planning) === 'replace'
  const blocked = replacing
    ? (blockDestroy(planning, 'replaced') ?? blockSameKeys(planning, diff))
    : blockFixed(planning, fixed)
  return makeChange(planning, {
    ...draft,
    ...(replacing
      ? { action: 'replace', reason: 'replace_because_cannot_update', replacePaths: fixed }
      : { action: 'update' }),
    blocked,
  })
}

/** It is replaced also where nothing differs. */
const replaceTainted = (
  planning: Planning,
  before: JsonObject,
  { after, diff = compare(planning.schema, before, after) }: Unignored,
  sentCauses: ReadonlyMap<string, Cause>,
): Change =>
  makeChange(planning, {
    before,
    after,
    diff,
    sentCauses,
    action: 'replace',
    reason: 'replace_because_tainted',
    replacePaths: changedPaths(diff).filter((path) => isImmutable(planning.schema, path)),
    blocked: blockDestroy(planning, 'replaced') ?? blockSetting(planning) ?? blockSameKeys(planning, diff),
  })

/** What exists with another object can neither be made nor deleted. */
const blockSetting = ({ facts }: Planning): Change['blocked'] =>
  facts.identity?.followsKeys ? { reason: 'immutable', detail: blocks.notReplaced } : undefined

/**
 * A create under the same keys would address the old object itself, which would then be deleted; of two objects whose ids are given
 * again, nothing would tell which is the new one.
 */
const blockSameKeys = (planning: Planning, diff: Diff): Change['blocked'] => {
  const { facts, schema } = planning
  const isByKeys = facts.identity?.ids === undefined || facts.lifecycle?.createsByKeys === true
  const isReused = facts.identity?.ids === 'reused'
  if (orderOf(planning) === 'deleteFirst' || !(isByKeys || isReused)) return undefined
  // Without keys, the immutable attributes distinguish objects, and one of them differs.
  const keys = Object.keys(schema.attributes).filter((name) => schema.attributes[name]?.identity === true)
  const isOther = changedPaths(diff).some(([name]) => keys.includes(String(name)))
  if (keys.length === 0 || isOther) return undefined
  return { reason: 'same_keys', detail: isReused ? blocks.reusedIds(keys) : blocks.sameKeys(keys) }
}

const modeOf = ({ subject, facts }: Planning): ImmutableFate =>
  subject.lifecycle.onImmutable ?? facts.lifecycle?.onImmutable ?? 'report'

export const isImmutable = (schema: ObjectSchema, path: Path): boolean =>
  factsAlong(schema, path).some(({ immutable }) => immutable === true)

/** `report` leaves the resource out of every apply; `error` refuses an apply that would change it. */
export const blockFixed = (planning: Planning, fixed: readonly Path[]): NonNullable<Change['blocked']> => ({
  reason: 'immutable',
  // Settings that always exist are never replaced.
  detail: blocks[planning.facts.identity?.followsKeys ? 'byHand' : 'immutable'](fixed.map((path) => pathText(path))),
  ...defined({ refuse: modeOf(planning) === 'error' ? true : undefined }),
})

const driftOf = (
  { subject, schema, record }: Planning,
  desired: JsonObject,
  observed: JsonObject,
  ignored: readonly Ignored[],
  { moved }: WriteOnlyPlan,
): PlanFinding['drift'] => {
  if (record === undefined) return undefined
  const except = [...record.neverAgreed.map(fromPointer), ...ignored.map(({ path }) => path)]
  const diff = compareWithRecord({ schema, desired, recorded: record.attributes, observed, except, moved })
  const { address, type, name } = subject
  return diff && { address, type, name, kind: 'changed', diff }
}

/** What changed outside: recorded -> observed. `moved`: the attribute of a witness -> digest of its former value. */
const compareWithRecord = (input: {
  readonly schema: ObjectSchema
  readonly desired: JsonObject
  readonly recorded: JsonObject
  readonly observed: JsonObject
  readonly except: readonly Path[]
  readonly moved: ReadonlyMap<string, string>
}): Diff | undefined => {
  const { schema, recorded, observed } = input
  if (input.moved.size === 0 && isEqual(recorded, observed)) return undefined
  const managed = overlay(schema, project(schema, input.desired, recorded), observed)
  const base = withValuesOf(schema, managed, input.except, observed)
  const witnesses = mapMembers(Object.fromEntries(input.moved), (digest) => ({ $sealed: digest }))
  const diff = compare(schema, { ...base, ...witnesses }, observed)
  return isSame(diff) ? undefined : diff
}
