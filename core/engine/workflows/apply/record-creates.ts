import { fixedOf, hasSameKeys, keysOf, unknownKeys } from '../../binding/sight.ts'
import { describe, isPlain, recordBeforeCreate } from '../../plan/record/record.ts'
import type { Command } from '../../schema/command.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { Address, LastApplied, RecordedResource } from '../../schema/resource.ts'
import { type CommandOutcome, isUncertain } from '../../schema/stored/outcome.ts'
import type { RecordedChange } from '../../state/runs/recorded.ts'
import { successorOf } from '../../values/addresses/successor.ts'
import { defined } from '../../values/defined.ts'
import { mapMembers, pick, unlessEmpty } from '../../values/members.ts'
import type { Deps } from '../deps.ts'
import type { Session } from '../session/open-session.ts'
import { atHome } from '../session/shared/loaded-workspace.ts'
import type { Execution } from './execution/apply-run.ts'
import { answeredIds, knownIn, lookUpMade, plannedOf } from './guard/look-again.ts'
import { lastAppliedBy } from './record-applied.ts'

type SentCommands = Pick<Execution, 'session' | 'apply' | 'ready'>

interface Noted {
  readonly command: string
  readonly sent: RecordedResource
  readonly earlier?: RecordedResource
}

/**
 * Records creates, renames and deletes before they are sent, so that a lost answer leaves no unknown object, and what updates are
 * to set, so that nobody else is taken for who has set it.
 */
export const recordCreates = ({ session, apply, ready }: SentCommands, deps: Deps) => {
  const before = new Map<Address, Noted>()
  const deletes = new Map<Address, Noted>()
  const gone = new Map<Address, RecordedResource | undefined>()
  const updates = new Map<Address, JsonObject>()
  const done = new Set<Address>()
  const known = new Set([...session.recorded.resources.map((each) => each.address), ...session.resources.keys()])
  return {
    sending: async (command: Command): Promise<RecordedChange | undefined> => {
      const { address } = command
      if (command.action === 'delete') {
        const noted = deletingOf(command, session, apply.id)
        if (noted !== undefined) deletes.set(address, noted)
        return putting(noted?.sent)
      }
      const { type, planned, desired, recorded, seenBy, refs, refersBy } = plannedOf(address, session)
      const isRename = !before.has(address) && isBlindRename(command, session)
      if (desired === undefined) return undefined
      if (command.action !== 'create' && !isRename) {
        if ([updates, before, deletes].some((each) => each.has(address))) return undefined
        updates.set(address, {})
        const all = ready.commands.filter((each) => each.address === address)
        return withAwaited(address, sentIn(all, session), session)
      }
      // The record of an object that still exists stays until its successor is read; the successor is recorded beside
      // it.
      const isFree = (planned.before === null || gone.has(address)) && !isRename
      const under = isFree ? address : successorOf(address, (each) => known.has(each))
      await lookUpMade([planned.desired ?? {}, refs ?? {}], address, session, deps)
      const knownAttributes = knownIn(planned.desired ?? {}, address, session)
      if (unknownKeys(type.schema, knownAttributes).length > 0) return undefined
      const made = recordBeforeCreate({
        desired: { ...desired, address: under },
        sentBy: apply.id,
        knownAttributes,
        identifying: [...keysOf(type.schema), ...fixedOf(type.schema)],
        ...defined({ seenBy, refs: refs && knownIn(refs, address, session), refersBy }),
        ...defined({ ids: isRename && type.identity?.ids !== 'position' ? recorded?.ids : undefined }),
      })
      const sent = atHome(session.loaded, made)
      const earlier = isFree ? (gone.get(address) ?? recorded) : undefined
      before.set(address, { command: command.id, sent, ...defined({ earlier }) })
      return { put: [sent], remove: [] }
    },
    /** Addresses of records that are not needed any more when the object was read after all its commands. */
    beside: (address: Address): readonly Address[] => {
      const { sent } = before.get(address) ?? {}
      return sent === undefined || sent.address === address ? [] : [sent.address]
    },
    /**
     * Called after a command. A refused create has made nothing, and a refused delete has removed nothing. An object that a
     * create made is recorded as made, with the ids in the answer.
     */
    ended: (command: Command, outcome: CommandOutcome): RecordedChange | undefined => {
      const [{ status }, { id, action, address }] = [outcome, command]
      const isRefused = status === 'failed' && !isUncertain(outcome)
      const deleted = deletes.get(address)
      if (action === 'delete' && status === 'succeeded') {
        gone.set(address, deleted && replacedBy(command, deleted, { session, ready }))
        return putting(gone.get(address))
      }
      if (deleted?.command === id) return isRefused ? backFrom(deleted) : undefined
      const noted = before.get(address)
      if (noted === undefined && deleted === undefined && action !== 'create') {
        const sent = updates.get(address) ?? {}
        if (status !== 'skipped' && !isRefused) updates.set(address, { ...sent, ...sentIn([command], session) })
        if (status === 'succeeded') return void done.add(address)
        const by = done.has(address) ? lastAppliedBy(apply, deps) : undefined
        return withAwaited(address, updates.get(address) ?? {}, session, by)
      }
      if (noted?.command !== id) return undefined
      if (status === 'succeeded' && action === 'create') {
        const told = { ...defined({ ids: toldIds(address, session) }), lastApplied: lastAppliedBy(apply, deps) }
        return { put: [{ ...noted.sent, ...told }], remove: [] }
      }
      return isRefused ? backFrom(noted) : undefined
    },
  }
}

/** What updates of one object are to set, as far as it can be read again. */
const sentIn = (commands: readonly Command[], session: Session): JsonObject => {
  const address = commands[0]?.address ?? ''
  const { planned, type } = plannedOf(address, session)
  const names = commands.flatMap(({ footprint: { sets = [], elements = [] } = {} }) => [
    ...sets,
    ...elements.map(({ of }) => of),
  ])
  return mapMembers(knownIn(pick(planned.desired ?? {}, names), address, session), (value, name) => {
    const { writeOnly, createOnly } = type.schema.attributes[name] ?? {}
    return writeOnly || createOnly || !isPlain(value) ? undefined : value
  })
}

/** With what is sent, and not read again yet: when it appears, nobody else has changed it. `by`: if a part of it is done. */
const withAwaited = (
  address: Address,
  sent: JsonObject,
  session: Session,
  by?: LastApplied,
): RecordedChange | undefined => {
  const under = plannedOf(address, session).planned.previousAddress ?? address
  const record = session.recorded.resources.find((each) => each.address === under)
  const more = defined({ awaited: unlessEmpty({ ...record?.awaited, ...sent }), lastApplied: by })
  return record && { put: [{ ...record, ...more }], remove: [] }
}

const backFrom = ({ sent, earlier }: Pick<Noted, 'sent' | 'earlier'>): RecordedChange =>
  earlier === undefined
    ? { put: [], remove: [sent.address] }
    : { put: [earlier], remove: earlier.address === sent.address ? [] : [sent.address] }

/**
 * The record of an object whose delete is about to be sent. What shall be gone is known again by all that was read of it; of what
 * is replaced, what was agreed stays.
 */
const deletingOf = ({ id, address }: Command, session: Session, applyId: string): Noted | undefined => {
  const { planned, desired, observed, refs, refersBy } = plannedOf(address, session)
  const under = planned.previousAddress ?? address
  const earlier = session.recorded.resources.find((each) => each.address === under)
  const read =
    desired === undefined || desired.absent
      ? mapMembers(planned.before ?? {}, (value) => (isPlain(value) ? value : undefined))
      : {}
  const { ids, parents } = observed.result.kind === 'present' ? observed.result : {}
  const seen = { ids, parents, refs: refs && knownIn(refs, address, session), refersBy }
  const record = earlier ?? (desired && atHome(session.loaded, { ...describe(desired, defined(seen)), attributes: {} }))
  if (record === undefined) return undefined
  const attributes = { ...record.attributes, ...read }
  return { command: id, sent: { ...record, attributes, doubted: 'deleted', sentBy: applyId }, ...defined({ earlier }) }
}

const putting = (record: RecordedResource | undefined): RecordedChange | undefined =>
  record && { put: [record], remove: [] }

/** The record of an object that was deleted to be replaced: what another one may have as well proves nothing any more. */
const replacedBy = (
  { id, address }: Command,
  { sent }: Noted,
  { session, ready }: Pick<SentCommands, 'session' | 'ready'>,
): RecordedResource | undefined => {
  const { type } = plannedOf(address, session)
  const isNext = (each: Command): boolean => each.address === address && each.action === 'create'
  if (!ready.commands.some((each) => isNext(each) && each.dependsOn.includes(id))) return undefined
  const once = fixedOf(type.schema).filter((name) => type.schema.attributes[name]?.computed === true)
  return { ...sent, attributes: pick(sent.attributes, [...keysOf(type.schema), ...once]), doubted: 'replaced' }
}

/**
 * Whether a command changes the keys of an object that cannot be found by an id: a record with the old keys would not
 * find it.
 */
const isBlindRename = ({ action, address, footprint }: Command, session: Session): boolean => {
  const { type, planned } = plannedOf(address, session)
  const { schema, identity: { ids, readable } = { readable: false } } = type
  const { before, desired = {} } = planned
  if (action !== 'update' || before === null || before === undefined) return false
  if (readable && ids !== undefined && ids !== 'position') return false
  return keysOf(schema).some((key) => footprint?.sets?.includes(key)) && !hasSameKeys(schema, before, desired)
}

/**
 * All ids of the created object, or `undefined` if one of them repeats a secret: they are recorded without a read that
 * could seal them.
 */
const toldIds = (address: Address, session: Session): RecordedResource['ids'] => {
  const { idNames = [], identity } = plannedOf(address, session).type
  const ids = answeredIds(session.known.of(address).answers) ?? {}
  const isClean = (id: string | undefined): boolean => id !== undefined && session.transports.redactor.text(id) === id
  const isWhole = idNames.length > 0 && idNames.every((name) => isClean(ids[name]))
  return isWhole && identity?.ids !== 'position' ? ids : undefined
}
