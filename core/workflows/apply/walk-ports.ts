import { hasSameKeys, namesIn } from '../../binding/sight.ts'
import { normalise } from '../../diff/normalise.ts'
import { recordAfterApply } from '../../plan/record/record.ts'
import type { ObjectSchema } from '../../schema/attribute.ts'
import { type Command, isSuccess, type PlannedRequest, type Request, type Response } from '../../schema/command.ts'
import type { JsonObject } from '../../schema/json.ts'
import { fromPointer, valueAt } from '../../schema/json.ts'
import type { Change, Plan } from '../../schema/plan.ts'
import type { Apply, CommandOutcome } from '../../schema/records.ts'
import type { Address, ReadResult } from '../../schema/resource.ts'
import { urlParts } from '../../schema/url.ts'
import { holdsLive } from '../../schema/value.ts'
import { type Recorded, type RecordedChange, saveRecorded } from '../../state/recorded.ts'
import { meantStatus } from '../../transport/answer/answer-errors.ts'
import { toldInHeader } from '../../transport/answer/told-in-header.ts'
import { learnAll } from '../../transport/secrets/resolve-secrets.ts'
import type { WireRequest } from '../../transport/transport.ts'
import { defined } from '../../values/defined.ts'
import type { Deps } from '../deps.ts'
import { forget, type Session } from '../session/open-session.ts'
import { fillAll } from './approved/fill-known.ts'
import { valuesFor } from './guard/after-values.ts'
import { guardCommands } from './guard/guard-commands.ts'
import { knownIn, lookAgain, lookUpMade, plannedOf } from './guard/look-again.ts'
import { seenFor } from './guard/seen-for.ts'
import { withVersion } from './guard/with-version.ts'
import type { HeldLock } from './lock/hold-lock.ts'
import type { ApplyFence } from './lock/open-fence.ts'
import { recordCreates } from './record-creates.ts'
import { waitPorts } from './wait-ports.ts'
import { isFailure, type WalkPorts } from './walk-commands.ts'
import { writeLedger } from './write-ledger.ts'

export interface Walking {
  readonly apply: Apply
  readonly session: Session
  readonly lock: HeldLock
  /** What every write passes; only commands with an intent are let through. */
  readonly fence: ApplyFence
  /** Of each command, by earlier workers. */
  readonly attempts: ReadonlyMap<string, number>
  readonly total: number
  readonly shouldStop: () => boolean
  /** Approved changes whose commands an earlier worker sent: the plan has them no more. */
  readonly waited: readonly Change[]
  readonly approved: Plan
  /** What is known already of the approved commands. */
  readonly outcomes: readonly CommandOutcome[]
}

/** What a walk touches for real: ledger, targets and record, each under the lock. */
export const walkPorts = (walking: Walking, deps: Deps): WalkPorts => {
  const { apply, session, lock, total } = walking
  let recorded: Recorded = session.recorded
  let n = 0
  const lookUp = ({ url, body = null }: PlannedRequest): Promise<void> =>
    lookUpMade([...urlParts(url), body], undefined, session, deps)
  const before = walking.outcomes.flatMap((outcome) => (isFailure(outcome) ? [] : [outcome.command]))
  const guard = guardCommands({ apply, lock, session, approved: walking.approved, before }, deps)
  const creates = recordCreates(session, deps)
  const save = async (change: RecordedChange | undefined): Promise<void> => {
    if (change === undefined) return
    recorded = await saveRecorded(deps.store, recorded, change, { lineage: apply.id, lock: lock.current() })
  }
  return {
    ...waitPorts({ apply, opened: session, lock, shouldStop: walking.shouldStop, lookUp }, deps),
    intent: async (command) => {
      n += 1
      deps.progress?.({ step: 'command', id: command.id, description: command.description, n, of: total })
      await writeLedger(apply, [{ kind: 'intent', command }], lock.current(), deps)
      await save(await creates.sending(command))
    },
    changedSince: async (command) => (await guard.changedSince(command))?.message,
    send: async (command) => {
      await lookUp(command.request)
      const build = () => fillAll(withVersion(command, session), valuesFor(command.address, session))
      const { request, still } = seenFor({ command, guard, session, build }, deps)
      walking.fence.admit(command, walking.attempts.get(command.id) ?? 0, still)
      return sendCommand(command, request, session)
    },
    isOut: (command) => walking.fence.stateOf(command) === 'out',
    unsent: async (command) => {
      if (walking.fence.stateOf(command) === 'new') return
      await writeLedger(apply, [{ kind: 'intent', command }], lock.current(), deps)
    },
    result: async (command, outcome) => {
      await writeLedger(apply, [{ kind: 'result', command, outcome }], lock.current(), deps)
      await save(creates.ended(command, outcome))
      const { status, detail } = outcome
      deps.progress?.({ step: 'outcome', id: command.id, status, ...defined({ detail }) })
      if (isFailure(outcome)) return
      const made = await guard.done(command)
      if (made !== undefined && isFirstSight(command, walking)) {
        recorded = await record({ address: command.address, now: made, by: command }, walking, recorded, deps)
      }
    },
    settled: async (address) => {
      recorded = await settle(address, walking, recorded, creates.beside(address), deps)
    },
  }
}

/** What was made is known by its ids from now on, whatever becomes of the rest; unless one that is to go is still known by its own. */
const isFirstSight = ({ action, address }: Command, { approved }: Walking): boolean =>
  action === 'create' && approved.changes.some((change) => change.address === address && change.action === 'create')

const sendCommand = async (command: Command, filled: Request, session: Session): Promise<Response> => {
  const { provider } = plannedOf(command.address, session)
  const request: WireRequest = { ...filled, command: command.id }
  const response = await session.channels.of(provider).write.send(request)
  if (!isSuccess(command, meantStatus(command, response))) learnLive(command, session)
  if (command.action === 'create') forget(command.address, session.produced)
  const answers = Object.entries(command.produces ?? {}).flatMap(([name, place]) => {
    const value =
      typeof place === 'string'
        ? valueAt(response.body, fromPointer(place))
        : withoutSecrets(toldInHeader(response, place, filled.url), session)
    return value === undefined ? [] : [[name, value] as const]
  })
  if (answers.length > 0) session.produced.answers.set(command.address, Object.fromEntries(answers))
  return response
}

/** An id of a header goes into the record without a read that could seal it. */
const withoutSecrets = (id: string | undefined, { channels: { redactor } }: Session): string | undefined =>
  id !== undefined && redactor.text(id) === id ? id : undefined

/** A target that refuses an object may repeat parts of it, and nobody knows which of them are secrets. */
const learnLive = ({ address, request }: Command, { produced, channels }: Session): void => {
  if (!holdsLive(request.body)) return
  for (const object of Object.values(produced.objects.get(address) ?? {})) {
    learnAll(object, (text) => {
      if (text.length >= 4) channels.redactor.learn(text)
    })
  }
}

const isNamed = (schema: ObjectSchema, wanted: JsonObject, observed: JsonObject): boolean =>
  hasSameKeys(schema, wanted, namesIn(schema, observed))

/** Reads what a resource is after its last command; a read that fails leaves the record to the check that follows. */
const settle = async (
  address: Address,
  walking: Walking,
  base: Recorded,
  beside: readonly Address[],
  deps: Deps,
): Promise<Recorded> => {
  const { session } = walking
  const { desired } = plannedOf(address, session)
  const isMade = session.produced.made.has(address)
  const shallGo = desired === undefined || desired.absent
  const now = await lookAgain(address, session, deps, isMade ? 'made' : shallGo ? 'seen' : 'wanted')
  return now.kind === 'unknown' ? base : record({ address, now, beside }, walking, base, deps)
}

interface Found {
  readonly address: Address
  readonly now: Exclude<ReadResult, { readonly kind: 'unknown' }>
  /** The only command that was sent yet: the others follow. */
  readonly by?: Command
  /** Records that this one takes the place of. */
  readonly beside?: readonly Address[]
}

const record = async (
  { address, now, by, beside = [] }: Found,
  { apply, session, lock, waited }: Walking,
  base: Recorded,
  deps: Deps,
): Promise<Recorded> => {
  const { type, planned, target, desired, recorded, refs, refersBy } = plannedOf(address, session)
  const applied = waited.find((change) => change.address === address) ?? planned.change
  if (applied === undefined) return base
  const shallGo = desired === undefined || desired.absent
  // What has its id after our delete is another object, unless it is the very one.
  const isAnother = shallGo && now.kind === 'present' && !isNamed(type.schema, target.attributes, now.attributes)
  const present = now.kind === 'present' && !isAnother ? now : undefined
  const next = recordAfterApply({
    schema: type.schema,
    wanted: sentOnly(planned.desired ?? {}, by),
    observed:
      present === undefined ? null : normalise(type.schema, present.attributes, 'observed', desired?.attributes),
    change: applied,
    ignored: planned.ignored.map(({ path }) => path),
    ...defined({
      desired: desired === undefined || desired.absent ? undefined : desired,
      recorded,
      ids: present?.ids && present.ids,
      refs: refs && knownIn(refs, address, session),
      refersBy,
    }),
  })
  const { previousAddress } = planned
  const moved = [...beside, ...(previousAddress === undefined ? [] : [previousAddress])]
  const change = next === undefined ? { put: [], remove: [address, ...moved] } : { put: [next], remove: moved }
  if (next === undefined && recorded === undefined) return base
  return saveRecorded(deps.store, base, change, { lineage: apply.id, lock: lock.current() })
}

/** What nobody can read was sent only by the command that sets it. */
const sentOnly = (wanted: JsonObject, by: Command | undefined): JsonObject => {
  const { footprint } = by ?? {}
  if (footprint === undefined) return wanted
  return Object.fromEntries(Object.entries(wanted).filter(([name]) => footprint.sets?.includes(name)))
}
