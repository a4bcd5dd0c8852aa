import { isEqual } from '../diff/canonical.ts'
import { normalise } from '../diff/normalise.ts'
import { AppError } from '../errors.ts'
import { elementMoved } from '../plan/element-address.ts'
import { movedBesides, nothingWritten, type OwnWrites, withCommand } from '../plan/own-writes.ts'
import { seenDigest } from '../plan/seen-digest.ts'
import { withManage } from '../plan/with-manage.ts'
import type { Command, SeenIdentity } from '../schema/command.ts'
import { type JsonObject, pathText } from '../schema/json.ts'
import type { Change, Plan } from '../schema/plan.ts'
import type { Address, ReadResult } from '../schema/resource.ts'
import type { Deps } from './deps.ts'
import { knownIn, lookAgain, type Meant, plannedOf } from './look-again.ts'
import type { Session } from './open-session.ts'

type Present = Extract<ReadResult, { readonly kind: 'present' }>
type Absent = Extract<ReadResult, { readonly kind: 'absent' }>

export interface Guard {
  /** Reads the object of a command again. `undefined`: it is what was approved, with what our commands did to it since. */
  readonly changedSince: (command: Command) => Promise<string | undefined>
  /** A command is through with success: those after it count it in. */
  readonly done: (id: string) => void
}

interface Guarding {
  readonly session: Session
  /** What was approved: the objects as they were seen then, and the whole list. */
  readonly approved: Pick<Plan, 'changes' | 'commands'>
  /** Commands of earlier workers of the same apply. */
  readonly before: readonly string[]
}

/** Each command is about what was seen when it was approved, whichever worker of the apply sends it. */
export const guardCommands = ({ session, approved, before }: Guarding, deps: Deps): Guard => {
  const done = new Set(before)
  const changes = new Map(approved.changes.map((change) => [change.address, change]))
  const commands = new Map(approved.commands.map((command) => [command.id, command]))
  /** Objects that were made, as they were read first. */
  const firstSeen = new Map<Address, JsonObject>()

  const changedSince = async (given: Command): Promise<string | undefined> => {
    const command = commands.get(given.id) ?? given
    const { address, id } = command
    const meant = meantBy(command)
    const now = await lookAgain(address, session, deps, meant)
    if (now.kind === 'unknown') return `${address} could not be read right before ${id}: ${now.detail}`
    const changed = (detail: string): string => new AppError('TARGET_CHANGED', { address, command: id, detail }).message
    if (meant === 'any') {
      const otherwise = now.kind === 'absent' ? archivedSince(command, now, session) : 'there is one by now'
      return otherwise === undefined ? undefined : changed(otherwise)
    }
    if (now.kind === 'absent') return changed('it is not there any more')
    const other = otherObject(command, now, session)
    if (other !== undefined) return changed(other)
    const change = changes.get(address)
    if (change === undefined) throw new AppError('INTERNAL', { detail: `${address} was not approved` })
    const own = ownWrites(command, change, [...commands.values()], done, session)
    const schema = schemaOf(address, session)
    const read = normalised(address, now, session)
    const seen = meant === 'seen' ? change.before : (firstSeen.get(address) ?? plannedBefore(address, session))
    const elsewhere = command.about && elementMoved(schema, command.about, read, seen ?? {})
    if (elsewhere !== undefined) return changed(elsewhere)
    if (own === nothingWritten && isAsSeen(command, seenDigest(schema, read))) return undefined
    const moved = movedBesides(schema, seen ?? undefined, own, read)
    if (moved.length > 0) return changed(moved.map((path) => pathText(path)).join(', '))
    if (meant === 'made' && !firstSeen.has(address)) firstSeen.set(address, read)
    return undefined
  }
  return { changedSince, done: (id) => void done.add(id) }
}

const meantBy = ({ precondition }: Command): Meant => {
  if (precondition?.kind === 'absent') return 'any'
  return precondition?.kind === 'made' ? 'made' : 'seen'
}

const isAsSeen = ({ precondition }: Command, digest: string): boolean =>
  precondition !== undefined && 'digest' in precondition && precondition.digest === digest

/** An object that was made by an earlier worker was read when this one planned. */
const plannedBefore = (address: Address, session: Session): JsonObject | undefined =>
  session.produced.made.has(address) ? undefined : (plannedOf(address, session).planned.before ?? undefined)

/** What is to be revived is what was approved; and what is to be made has no archived one that came since. */
const archivedSince = ({ address, precondition }: Command, now: Absent, session: Session): string | undefined => {
  const was = precondition?.kind === 'absent' ? precondition.archived : undefined
  const is = now.archived
  if (was === undefined) return is === undefined ? undefined : 'one is archived under its name by now'
  if (is === undefined) return 'nothing is archived under its name any more'
  const { type } = plannedOf(address, session)
  const digest = seenDigest(type.schema, normalised(address, { kind: 'present', ...is }, session))
  const isSame = digest === was.digest && isEqual(was.identity.ids ?? {}, is.ids ?? {})
  return isSame ? undefined : 'what is archived under its name is another object, or was changed'
}

/** Server ids and keys tell whether it still is the same object; a delete has both with it. */
const otherObject = (command: Command, now: Present, session: Session): string | undefined => {
  const { precondition, address } = command
  if (meantBy(command) !== 'seen') return undefined
  const { result } = plannedOf(address, session).looked
  const seen = result.kind === 'present' ? (result.ids ?? {}) : {}
  const told = precondition !== undefined && 'identity' in precondition ? precondition.identity : undefined
  const ids = differing({ ...seen, ...told?.ids }, now.ids ?? {})
  const keys = differing(told?.keys ?? {}, keysOf(told, normalised(address, now, session)))
  const names = [...ids, ...keys]
  return names.length === 0 ? undefined : `it is another object, by its ${names.join(', ')}`
}

const keysOf = (told: SeenIdentity | undefined, read: JsonObject): JsonObject =>
  Object.fromEntries(Object.keys(told?.keys ?? {}).map((name) => [name, read[name] ?? null]))

const differing = (wanted: JsonObject, found: JsonObject): readonly string[] =>
  Object.entries(wanted).flatMap(([name, value]) =>
    found[name] === undefined || isEqual(found[name], value) ? [] : [name],
  )

/** Of the commands before this one, those that were about the same object. */
const ownWrites = (
  command: Command,
  change: Change,
  commands: readonly Command[],
  done: ReadonlySet<string>,
  session: Session,
): OwnWrites => {
  const { address } = command
  const schema = schemaOf(address, session)
  const after = knownIn(change.after ?? {}, address, session)
  const isMade = meantBy(command) === 'made'
  return commands
    .filter((each) => each.address === address && done.has(each.id) && each.action !== 'delete')
    .filter((each) => (each.action === 'create' || meantBy(each) === 'made') === isMade)
    .reduce((own, each) => withCommand(schema, own, each.footprint, after), nothingWritten)
}

const schemaOf = (address: Address, session: Session) => {
  const { type, desired, recorded } = plannedOf(address, session)
  return withManage(type.schema, (desired ?? recorded)?.lifecycle.manage)
}

/** In the form that the plan speaks of. */
const normalised = (address: Address, { attributes }: Present, session: Session): JsonObject => {
  const { desired, recorded } = plannedOf(address, session)
  const own = knownIn((desired ?? recorded)?.attributes ?? {}, address, session)
  return normalise(schemaOf(address, session), attributes, 'observed', own)
}
