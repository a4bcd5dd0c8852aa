import { isEqual } from '../../../diff/matching/canonical.ts'
import { normaliseRead } from '../../../diff/normalise-read.ts'
import { AppError } from '../../../errors/errors.ts'
import { pathText } from '../../../json/pointer.ts'
import { elementMoved } from '../../../plan/commands/element-address.ts'
import { movedBesides, nothingWritten, type OwnWrites, withCommand } from '../../../plan/commands/own-writes.ts'
import { seenDigest } from '../../../plan/commands/seen-digest.ts'
import type { ObjectSchema } from '../../../schema/attribute.ts'
import type { Command } from '../../../schema/command.ts'
import type { JsonObject } from '../../../schema/json.ts'
import type { AbsentResult, Address, PresentResult, ReadResult } from '../../../schema/resource.ts'
import type { Change } from '../../../schema/stored/plan.ts'
import type { Sight } from '../../../state/applies/sights.ts'
import { successorTo } from '../../../values/addresses/successor.ts'
import { defined } from '../../../values/defined.ts'
import { holdsUnknown } from '../../../values/marks/marks.ts'
import { mapMembers } from '../../../values/members.ts'
import { withManage } from '../../../values/with-manage.ts'
import type { Deps } from '../../deps.ts'
import type { Session } from '../../session/open-session.ts'
import type { Execution } from '../execution/apply-run.ts'
import { doneIn } from '../execution/execute-commands.ts'
import { broken, targetChanges } from '../execution/words.ts'
import { isAboutSame, lastSights } from './last-sights.ts'
import { type ExpectedObject, knownIn, lookAgain, plannedOf } from './look-again.ts'
import { lookPatiently } from './look-until-shown.ts'
import { readFor, unreadIn } from './read-for.ts'

type MaybeDone = 'maybe done'

/** `unread`: the attributes that the read was not about. `sent`: whether the command may have been done. */
interface GuardRead {
  readonly read: JsonObject
  readonly unread?: readonly string[] | undefined
  readonly sent?: MaybeDone | undefined
}

export interface Guard {
  /**
   * Reads the object again. `undefined`: it is as last observed, except for our own commands. `sent`: the command was
   * sent before, and may have been done.
   */
  readonly changedSince: (command: Command, sent?: MaybeDone) => Promise<AppError | undefined>
  /**
   * Called after a success. If the effects cannot be predicted and other commands follow, it reads and returns the
   * object.
   */
  readonly done: (command: Command) => Promise<PresentResult | undefined>
}

/**
 * Compares the object of each command with its last observation, whichever worker of the apply made that. The first
 * observation is the approved plan.
 */
export const guardCommands = (run: Execution, deps: Deps): Guard => {
  const { session, approved } = run
  const done = new Set(doneIn(run.ready.outcomes))
  const changes = new Map(approved.changes.map((change) => [change.address, change]))
  const commands = new Map(approved.commands.map((command) => [command.id, command]))
  /** The old object of a replacement may have another address than in the approved plan. */
  const asApproved = (given: Command): Command =>
    withKnown({ ...(commands.get(given.id) ?? given), address: given.address }, session)
  const sights = lastSights(run, done, deps)

  const afterIn = (command: Command): JsonObject =>
    knownIn(approvedOf(command, changes).after ?? {}, command.address, session)
  /** What our commands have changed in the object since it was observed. */
  const ownSince = (command: Command, { counted }: Partial<Sight>): OwnWrites => {
    const isOurs = ({ id }: Command): boolean => done.has(id) && counted?.includes(id) !== true
    const ours = approved.commands.filter(isOurs).map((each) => withKnown(each, session))
    return ownWrites(command, schemaOf(command.address, session), afterIn(command), ours)
  }

  const movedSince = (command: Command, seen: Partial<Sight>, reading: GuardRead) => {
    const own = ownSince(command, seen)
    return movedBy(command, { own, seen, after: afterIn(command), schema: schemaOf(command.address, session) }, reading)
  }

  const differsNow = (
    command: Command,
    now: PresentResult,
    seen: Awaited<ReturnType<typeof sights.of>>,
    { only, sent }: { readonly only: readonly string[] | undefined; readonly sent: MaybeDone | undefined },
  ): string | undefined => {
    const other = otherObject(command, now, session)
    if (other !== undefined) return other
    const read = normalised(command.address, now, session)
    const schema = schemaOf(command.address, session)
    const elsewhere = command.about && elementMoved(schema, command.about, read, seen.first ?? {})
    if (elsewhere !== undefined) return elsewhere
    const unread = only && unreadIn(schema, now.attributes, only)
    const moved = movedSince(command, seen, { read, unread, sent })
    if (moved.length > 0) return moved.map((path) => pathText(path)).join(', ')
    if (only === undefined) sights.keep(command, read)
    return undefined
  }

  const changedSince: Guard['changedSince'] = async (given, sent) => {
    const command = asApproved(given)
    const { address } = command
    const meant = expectedObject(command)
    const seen = await sights.of(command)
    const state = { own: ownSince(command, seen), seen, after: afterIn(command) }
    const only = readFor(command, state.own, session.known.of(address))
    const look = () => lookAgain(address, session, deps, meant, only)
    const isLate = (read: ReadResult) => isBeforeOurs(command, read, { ...state, only }, session)
    const now = await lookPatiently(plannedOf(address, session), deps, look, isLate)
    // A read that did not fit into the time says nothing about the object.
    if (now.kind === 'unknown' && now.reason === 'deadline') throw deps.deadline?.signal.reason
    if (now.kind === 'unknown') return unreadBefore(command, now.detail)
    if (now.kind === 'present')
      return changedBy(command, meant === 'any' ? targetChanges.made : differsNow(command, now, seen, { only, sent }))
    return changedBy(command, meant === 'any' ? archivedSince(command, now, session) : goneSince(command, sent))
  }

  const doneWith: Guard['done'] = async (given) => {
    const command = asApproved(given)
    done.add(command.id)
    const next = approved.commands.find((each) => !done.has(each.id) && isAboutSame(command, each))
    if (next === undefined || !leavesUnseen(command)) return undefined
    const { address } = next
    const now = await lookAgain(address, session, deps, expectedObject(next))
    if (now.kind !== 'present' || otherObject(next, now, session) !== undefined) return undefined
    const read = normalised(address, now, session)
    // A foreign change must not become part of our observation: the next command reports it.
    if (movedSince(next, await sights.of(next), { read }).length > 0) return undefined
    await sights.save(next, read)
    return now
  }
  return { changedSince, done: doneWith }
}

const changedBy = ({ address, id }: Command, detail: string | undefined): AppError | undefined =>
  detail === undefined ? undefined : new AppError('TARGET_CHANGED', { address, command: id, detail })

/** Whether a read shows the object exactly as it was before our own commands: the target may show them later. */
const isBeforeOurs = (
  command: Command,
  now: ReadResult,
  { own, seen, only, after }: Omit<ExpectedState, 'schema'> & { readonly only: readonly string[] | undefined },
  session: Session,
): boolean => {
  const meant = expectedObject(command)
  if (now.kind !== 'present' || meant === 'any') return now.kind === 'absent' && meant === 'made'
  if (own === nothingWritten || otherObject(command, now, session) !== undefined) return false
  const schema = schemaOf(command.address, session)
  const unread = only && unreadIn(schema, now.attributes, only)
  const moved = (ours: OwnWrites) =>
    movedBy(command, { own: ours, seen, after, schema }, { read: normalised(command.address, now, session), unread })
  return moved(own).length > 0 && moved(nothingWritten).length === 0
}

interface ExpectedState {
  readonly own: OwnWrites
  readonly seen: Partial<Sight>
  readonly after: JsonObject
  readonly schema: ObjectSchema
}

/** Where an object is not as it was seen, but for what our commands did, with or without the one that may have been done. */
const movedBy = (
  command: Command,
  { own: whole, seen, after, schema }: ExpectedState,
  { read, unread, sent }: GuardRead,
) => {
  const { attributes, counted } = seen
  const own = unread === undefined ? whole : { ...whole, affected: new Set([...whole.affected, ...unread]) }
  if (counted === undefined && own === nothingWritten && isAsSeen(command, seenDigest(schema, read))) return []
  const moved = movedBesides(schema, attributes, own, read)
  if (sent === undefined || moved.length === 0) return moved
  const withIt = withCommand(schema, own, command.footprint, after)
  return movedBesides(schema, attributes, withIt, read).length === 0 ? [] : moved
}

const approvedOf = ({ address }: Command, changes: ReadonlyMap<Address, Change>): Change => {
  const change = changes.get(address) ?? changes.get(successorTo(address))
  if (change === undefined) throw new AppError('INTERNAL', { detail: broken.notApproved(address) })
  return change
}

/** Whether the target may add values to a new object, or change more than what was sent; that cannot be predicted. */
const leavesUnseen = ({ action, footprint, wait }: Command): boolean =>
  action === 'create' || wait !== undefined || (action === 'call' && (footprint?.affects ?? []).length > 0)

/** A repeated delete may find nothing to delete, because the first one was done. */
const goneSince = ({ action }: Command, sent?: MaybeDone): string | undefined =>
  action === 'delete' && sent !== undefined ? undefined : targetChanges.gone

const unreadBefore = ({ address, id }: Command, detail: string): AppError =>
  new AppError(
    'TARGET_UNREAD',
    { address, detail, more: 0, sent: 0 },
    { told: targetChanges.unread(address, id, detail) },
  )

const expectedObject = ({ precondition }: Command): ExpectedObject => {
  if (precondition?.kind === 'absent') return 'any'
  return precondition?.kind === 'made' ? 'made' : 'seen'
}

const isAsSeen = ({ precondition }: Command, digest: string): boolean =>
  precondition !== undefined && 'digest' in precondition && precondition.digest === digest

/**
 * An archived object that is revived must be the approved one. For any other create, no archived object may have
 * appeared.
 */
const archivedSince = ({ address, precondition }: Command, now: AbsentResult, session: Session): string | undefined => {
  const was = precondition?.kind === 'absent' ? precondition.archived : undefined
  const is = now.archived
  if (was === undefined) return is === undefined ? undefined : targetChanges.archived
  if (is === undefined) return targetChanges.unarchived
  const { type } = plannedOf(address, session)
  const digest = seenDigest(type.schema, normalised(address, { kind: 'present', ...is }, session))
  const isSame = digest === was.digest && isEqual(was.identity.ids ?? {}, is.ids ?? {})
  return isSame ? undefined : targetChanges.otherArchived
}

/** Compares server ids and keys; the precondition of a delete names both. */
const otherObject = (command: Command, now: PresentResult, session: Session): string | undefined => {
  const { precondition, address } = command
  if (expectedObject(command) !== 'seen') return undefined
  const { result } = plannedOf(address, session).observed
  const seen = result.kind === 'present' ? (result.ids ?? {}) : {}
  const told = precondition !== undefined && 'identity' in precondition ? precondition.identity : undefined
  const ids = differing({ ...seen, ...told?.ids }, now.ids ?? {})
  const read = normalised(address, now, session)
  const keys = differing(
    told?.keys ?? {},
    mapMembers(told?.keys ?? {}, (_, name) => read[name] ?? null),
  )
  const names = [...ids, ...keys]
  return names.length === 0 ? undefined : targetChanges.otherObject(names)
}

const differing = (expected: JsonObject, observed: JsonObject): readonly string[] =>
  Object.entries(expected).flatMap(([name, value]) =>
    observed[name] === undefined || isEqual(observed[name], value) ? [] : [name],
  )

/** A command with the values that earlier commands produced: an element may be named by an id that was just made. */
const withKnown = (command: Command, session: Session): Command => {
  const { footprint, about, address } = command
  const filled = defined({ footprint, about }) as unknown as JsonObject
  return holdsUnknown(filled) ? { ...command, ...knownIn(filled, address, session) } : command
}

const ownWrites = (command: Command, schema: ObjectSchema, after: JsonObject, ours: readonly Command[]): OwnWrites =>
  ours
    .filter((each) => each.action !== 'delete' && isAboutSame(each, command))
    .reduce((own, each) => withCommand(schema, own, each.footprint, after), nothingWritten)

const schemaOf = (address: Address, session: Session) => {
  const { type, desired, recorded } = plannedOf(address, session)
  return withManage(type.schema, (desired ?? recorded)?.lifecycle.manage)
}

const normalised = (address: Address, result: PresentResult, session: Session): JsonObject => {
  const { desired, recorded } = plannedOf(address, session)
  const own = knownIn((desired ?? recorded)?.attributes ?? {}, address, session)
  return normaliseRead(schemaOf(address, session), result, own)
}
