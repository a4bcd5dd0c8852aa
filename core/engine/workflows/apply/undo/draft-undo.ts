import { rootOf } from '../../../diff/matching/facts.ts'
import { isAppError } from '../../../errors/errors.ts'
import { canonicalJson } from '../../../json/canonical.ts'
import { mapValue } from '../../../json/pointer.ts'
import { hasElement } from '../../../plan/commands/own-writes.ts'
import { withoutComputed } from '../../../plan/commands/seen-digest.ts'
import { makeChange } from '../../../plan/resource/make-change.ts'
import type { ObjectSchema } from '../../../schema/attribute.ts'
import type { Command, CommandAction, CommandDraft, Footprint, Grade, PlannedRequest } from '../../../schema/command.ts'
import { isArray, isObject, type Json, type JsonObject } from '../../../schema/json.ts'
import type { Seal } from '../../../schema/ports.ts'
import type { DesiredResource } from '../../../schema/resource.ts'
import type { Action, Change } from '../../../schema/stored/plan.ts'
import { isLive, type LiveMark } from '../../../schema/value.ts'
import { changedPaths } from '../../../values/changed-paths.ts'
import { defined } from '../../../values/defined.ts'
import { partsOf } from '../../../values/marks/marks.ts'
import { mapMembers, withoutMembers } from '../../../values/members.ts'
import { plannedChange } from '../../session/plan/build-commands.ts'
import type { ResourcePlan } from '../../session/plan/observation.ts'
import { comparable, fillKnown, type KnownValue } from '../approved/fill-known.ts'
import { schemaOf } from './judge-resource.ts'
import { addressBack } from './order-back.ts'
import { undoOf } from './words.ts'

export const backwards = {
  create: 'delete',
  delete: 'create',
  update: 'update',
  replace: 'replace',
  call: 'call',
} as const

/**
 * The resource as the undo plans it: from what is read now to what the apply found, whatever the configuration says of it.
 * `isRecorded`: its record was not made for this plan alone.
 */
export const backTo = (
  change: Change,
  one: ResourcePlan,
  isRecorded: boolean,
): ResourcePlan & { readonly change: Change } => {
  const { planned, desired, recorded, type, isOwn } = one
  const now = planned.before ?? null
  const after = formerOf(change, now, schemaOf(one))
  const subject = desired ?? recorded
  const facts = type ?? { schema: { attributes: {} } }
  const { attributes = {} } = recorded ?? {}
  const record = { attributes, neverAgreed: [], sent: {} }
  const planning = { facts, schema: schemaOf(one), ignoring: () => undefined, isOwn, record }
  const action: Action = backwards[change.action]
  const made = makeChange(
    { ...planning, subject: subject ?? { ...change, attributes, dependsOn: [], lifecycle: {} } },
    { action, before: now, after },
  )
  const { recorded: _, desired: __, ...rest } = one
  const { refs, refersBy } = desired === undefined ? { ...recorded } : one
  return {
    ...rest,
    ...defined({ recorded: isRecorded ? recorded : undefined, desired: wantedBy(one, after), refs, refersBy }),
    change: made,
    planned: { ...planned, change: made, after, desired: after ?? planned.desired ?? {} },
  }
}

/** What is sent and recorded is what the undo wants, also of a resource that is declared absent, or not at all. */
const wantedBy = ({ desired, recorded }: ResourcePlan, after: JsonObject | null): DesiredResource | undefined => {
  if (after === null) return desired && { ...desired, absent: true }
  const subject = desired ?? recorded
  if (subject === undefined || desired?.absent === false) return desired
  const { address, type, name, module, provider, dependsOn, lifecycle } = subject
  const position = desired?.position ?? { file: '', line: 0, column: 0 }
  const named = { ...defined({ address, type, name, module, provider }), dependsOn, lifecycle }
  return { ...named, position, absent: false, attributes: after }
}

/**
 * The attributes that the apply changed have their former values, and all others those of now. What was deleted comes back without
 * what the server gave to it.
 */
const formerOf = (
  { before, action, diff }: Change,
  now: JsonObject | null,
  schema: ObjectSchema,
): JsonObject | null => {
  if (before === null) return null
  if (action === 'delete') return withoutComputed(rootOf(schema), before) as JsonObject
  if (now === null) return before
  const names = new Set(changedPaths(diff).map(([name]) => String(name)))
  const former = Object.fromEntries(Object.entries(before).filter(([name]) => names.has(name)))
  return { ...withoutMembers(now, [...names]), ...former }
}

/**
 * The requests that undo the steps. The provider plans the same way back: an inverse is sent only where a request of the provider
 * would go today, because a former place may be that of another object by now; and that request says how the answer is judged
 * and what the command can lose. `undefined` if one goes elsewhere, or, for `isExact`, has other values than the provider would send
 * today: then it may write over what has moved.
 */
export const draftUndo = (
  steps: readonly Command[],
  back: ReturnType<typeof backTo>,
  known: KnownValue,
  seal: Seal,
  isExact: boolean,
): readonly CommandDraft[] | undefined => {
  const own = ownDrafts(back, seal)
  const drafts = steps.flatMap((command, index): readonly CommandDraft[] => {
    // The first write changes the version, so the others take it from a new read.
    const filled = fillKnown(command.inverse ?? command.request, (mark) =>
      index > 0 && mark.pointer.startsWith('/versions/') ? undefined : known(mark),
    )
    const action: CommandAction = backwards[command.action]
    const alike = own.filter((draft) => draft.action === action && isSamePlace(draft.request, filled))
    const same = alike.find((draft) => isSameButSeen(draft.request, filled))
    const like = same ?? (isExact ? undefined : alike[0])
    if (like === undefined) return []
    const footprint = footprintBack(command.footprint, back)
    // What nobody declares is sent back as it is now, and not as the apply found it.
    const stored = asSeenNow(withIdsOfNow(filled, like.request, back), like.request)
    const request = { ...(same?.request ?? stored), ...defined({ as: back.as }) }
    const grade = gradeBack(command.grade, like.grade)
    const about = addressBack(steps, index, own)
    return [{ ...like, grade, description: undoOf(command.description), request, ...defined({ footprint, about }) }]
  })
  return drafts.length === steps.length ? drafts : undefined
}

/** An undo that brings not everything back says so, as the command did: no undo follows an undo, so it is no promise of another one. */
const gradeBack = (of: Grade, own: Grade): Grade => (own === 'reversible' && of !== 'reversible' ? 'lossy' : own)

/** A server may give a changed object a new id; then the inverse has the id of an object that is no more. */
const withIdsOfNow = (
  inverse: PlannedRequest,
  { body: now }: PlannedRequest,
  { recorded }: ResourcePlan,
): PlannedRequest => {
  const ids = new Set(Object.values(recorded?.ids ?? {}))
  const { body } = inverse
  return body === undefined || now === undefined || ids.size === 0
    ? inverse
    : { ...inverse, body: idsFrom(now, body, ids) }
}

const idsFrom = (now: Json, then: Json, ids: ReadonlySet<string>): Json => {
  if (isArray(now) && isArray(then)) return then.map((each, index) => idsFrom(now[index] ?? null, each, ids))
  if (isObject(now) && isObject(then))
    return mapMembers(then, (each, name) => (Object.hasOwn(now, name) ? idsFrom(now[name] ?? null, each, ids) : each))
  return (typeof now === 'string' || typeof now === 'number') && ids.has(String(now)) ? now : then
}

/** What nobody declares is proved to be as it is now: the stored request has the proof of how the apply found it. */
const asSeenNow = (inverse: PlannedRequest, { body: now }: PlannedRequest): PlannedRequest => {
  const { body } = inverse
  const keyOf = ({ $live, except }: LiveMark): string => canonicalJson([$live, except])
  const seen = new Map(
    partsOf(now).flatMap((mark) => (isLive(mark) && mark.digest !== undefined ? [[keyOf(mark), mark.digest]] : [])),
  )
  if (body === undefined || seen.size === 0) return inverse
  const renewed = (mark: LiveMark): Json => ({ ...mark, ...defined({ digest: seen.get(keyOf(mark)) ?? mark.digest }) })
  return { ...inverse, body: mapValue(body, (value) => (isLive(value) ? renewed(value) : undefined)) }
}

const ownDrafts = (back: ReturnType<typeof backTo>, seal: Seal): readonly CommandDraft[] => {
  try {
    return back.type?.commands(plannedChange(back.change, back, seal)) ?? []
  } catch (error) {
    // The stored inverse has its values: only what the provider would have said about it is missing.
    if (!isAppError(error, 'TEMPLATE_VALUE_MISSING') && !isAppError(error, 'PROVIDER_PACKAGE_FAILED')) throw error
    return []
  }
}

const isSamePlace = ({ method, url }: PlannedRequest, other: PlannedRequest): boolean =>
  method === other.method &&
  comparable({ method, url, effect: 'write' }) === comparable({ method, url: other.url, effect: 'write' })

/** Whether two requests differ at most in what was seen of the object that a part of them is read from. */
const isSameButSeen = (request: PlannedRequest, other: PlannedRequest): boolean =>
  comparable(withoutSeen(request)) === comparable(withoutSeen(other))

const withoutSeen = ({ as: _, body, ...request }: PlannedRequest): PlannedRequest => {
  if (body === undefined) return request
  return {
    ...request,
    body: mapValue(body, (value) => (isLive(value) ? withoutMembers(value, ['digest']) : undefined)),
  }
}

/** An element that the command added is removed, and every other one gets its former value. */
const footprintBack = (footprint: Footprint | undefined, back: ReturnType<typeof backTo>): Footprint | undefined => {
  const { before, after } = back.planned
  if (!before || !after) return undefined
  if (footprint?.elements === undefined) return footprint
  const elements = footprint.elements.map(({ of, written, removed }) => {
    const was = Map.groupBy(written, (element) => hasElement(schemaOf(back), of, after, element))
    return { of, written: [...(was.get(true) ?? []), ...removed], removed: was.get(false) ?? [] }
  })
  return { ...footprint, elements }
}
