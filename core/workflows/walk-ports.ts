import { fillAll, fillValue } from '../apply/fill-known.ts'
import { unknownIn } from '../apply/unknown-in.ts'
import type { WalkPorts } from '../apply/walk-commands.ts'
import { meantStatus } from '../command/answer-errors.ts'
import { learnAll } from '../command/resolve-secrets.ts'
import type { WireRequest } from '../command/transport.ts'
import { normalise } from '../diff/normalise.ts'
import { changedPaths } from '../diff/paths.ts'
import { AppError } from '../errors.ts'
import { recordAfterApply } from '../plan/record.ts'
import { seenDigest } from '../plan/seen-digest.ts'
import { withManage } from '../plan/with-manage.ts'
import type { Target } from '../providers/provider.ts'
import { type Command, isSuccess, type PlannedRequest, type Response } from '../schema/command.ts'
import type { Json, JsonObject } from '../schema/json.ts'
import { fromPointer, valueAt } from '../schema/json.ts'
import type { Change } from '../schema/plan.ts'
import type { Apply } from '../schema/records.ts'
import type { Address, ReadResult } from '../schema/resource.ts'
import { urlParts } from '../schema/url.ts'
import { holdsLive } from '../schema/value.ts'
import { type Recorded, saveRecorded } from '../state/recorded.ts'
import { knownTo, valuesFor } from './after-values.ts'
import type { Deps } from './deps.ts'
import type { HeldLock } from './hold-lock.ts'
import { lookAt } from './look-at.ts'
import type { ApplyFence } from './open-fence.ts'
import { forget, remember, type Session } from './open-session.ts'
import type { PlannedOne } from './plan-one.ts'
import { waitPorts } from './wait-ports.ts'
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
}

/** What a walk touches for real: ledger, targets and record, each under the lock. */
export const walkPorts = (walking: Walking, deps: Deps): WalkPorts => {
  const { apply, session, lock, total } = walking
  let recorded: Recorded = session.recorded
  let n = 0
  const lookUp = (request: PlannedRequest): Promise<void> =>
    lookUpUnanswered([...urlParts(request.url), request.body ?? null], session, deps)
  return {
    ...waitPorts({ apply, opened: session, lock, shouldStop: walking.shouldStop, lookUp }, deps),
    intent: async (command) => {
      n += 1
      deps.progress?.({ step: 'command', id: command.id, description: command.description, n, of: total })
      await writeLedger(apply, [{ kind: 'intent', command }], lock.current(), deps)
      walking.fence.admit(command, walking.attempts.get(command.id) ?? 0)
    },
    changedSince: (command) => changedSince(command, session, deps),
    send: async (command) => {
      await lookUp(command.request)
      return sendCommand(command, session)
    },
    result: async (command, outcome) => {
      await writeLedger(apply, [{ kind: 'result', command, outcome }], lock.current(), deps)
      const { status, detail } = outcome
      deps.progress?.({ step: 'outcome', id: command.id, status, ...(detail === undefined ? {} : { detail }) })
    },
    settled: async (address) => {
      recorded = await settle(address, walking, recorded, deps)
    },
  }
}

const plannedOf = (
  address: Address,
  { resources }: Session,
): PlannedOne & { type: NonNullable<PlannedOne['type']> } => {
  const one = resources.get(address)
  if (one?.type === undefined) throw new AppError('INTERNAL', { detail: `${address} was not planned` })
  return { ...one, type: one.type }
}

/** Reads an object again, past all caches. */
const lookAgain = async (address: Address, session: Session, deps: Deps): Promise<ReadResult> => {
  const { type, target, desired, provider } = plannedOf(address, session)
  const { channels } = session
  const { ids, ...byKeys } = target
  const named = ids === undefined || session.produced.made.has(address) ? byKeys : target
  const looked = await lookAt(
    type,
    await fillTarget(named, session, deps),
    desired?.attributes,
    channels.of(provider).look,
    deps.seal,
    channels,
  )
  remember(address, looked, type, session.produced)
  return looked.result
}

/** What identifies an object, or its parent, may be what a command before has made. */
const fillTarget = async (target: Target, session: Session, deps: Deps): Promise<Target> => {
  const { address, attributes, refs = {} } = target
  await lookUpUnanswered([attributes, refs], session, deps)
  const known = valuesFor(address, session)
  const filled = { ...target, attributes: fillValue(attributes, known) as JsonObject }
  return target.refs === undefined ? filled : { ...filled, refs: fillValue(refs, known) as JsonObject }
}

const changedSince = async (command: Command, session: Session, deps: Deps): Promise<string | undefined> => {
  const { precondition, address, id } = command
  if (precondition === undefined || precondition.kind === 'etag' || precondition.kind === 'field') return undefined
  const now = await lookAgain(address, session, deps)
  if (now.kind === 'unknown') return `${address} could not be read right before ${id}: ${now.detail}`
  const moved = new AppError('TARGET_CHANGED', { address, command: id }).message
  if (precondition.kind === 'chained') return isAsLeft(address, now, session) ? undefined : moved
  if (precondition.kind === 'absent') return now.kind === 'absent' ? undefined : moved
  if (now.kind === 'absent') return moved
  return observedDigest(address, now.attributes, session) === precondition.digest ? undefined : moved
}

/** After commands of our own: what the change does not touch is as it was planned. A new object has nothing else yet. */
const isAsLeft = (address: Address, now: ReadResult, session: Session): boolean => {
  if (now.kind !== 'present') return false
  const { planned, type, desired, recorded } = plannedOf(address, session)
  const { before, change } = planned
  if (before === null || before === undefined || change === undefined) return true
  const schema = withManage(type.schema, (desired ?? recorded)?.lifecycle.manage)
  const touched = new Set(changedPaths(change.diff).map(([first]) => String(first)))
  const untouched = (attributes: JsonObject): string =>
    seenDigest(schema, Object.fromEntries(Object.entries(attributes).filter(([name]) => !touched.has(name))))
  const own = (desired ?? recorded)?.attributes
  return untouched(before) === untouched(normalise(schema, now.attributes, 'observed', own))
}

/** The same digest as the planner's: the facts of the type, with the resource's own choices in force. */
const observedDigest = (
  address: Address,
  attributes: Extract<ReadResult, { kind: 'present' }>['attributes'],
  session: Session,
): string => {
  const { type, desired, recorded } = plannedOf(address, session)
  const subject = desired ?? recorded
  const schema = withManage(type.schema, subject?.lifecycle.manage)
  return seenDigest(schema, normalise(schema, attributes, 'observed', subject?.attributes))
}

/** Ids that the answer of a create did not tell are read, once somebody needs them. */
const lookUpUnanswered = async (value: Json, session: Session, deps: Deps): Promise<void> => {
  for (const address of unknownIn(value, knownTo(session))) {
    if (session.produced.made.has(address)) await lookAgain(address, session, deps)
  }
}

const sendCommand = async (command: Command, session: Session): Promise<Response> => {
  const { provider } = plannedOf(command.address, session)
  const filled = fillAll(conditional(command, session), valuesFor(command.address, session))
  const request: WireRequest = { ...filled, command: command.id }
  const response = await session.channels.of(provider).write.send(request)
  if (!isSuccess(command, meantStatus(command, response))) learnLive(command, session)
  if (command.action === 'create') forget(command.address, session.produced)
  const answers = Object.entries(command.produces ?? {}).flatMap(([name, pointer]) => {
    const value = valueAt(response.body, fromPointer(pointer))
    return value === undefined ? [] : [[name, value] as const]
  })
  if (answers.length > 0) session.produced.answers.set(command.address, Object.fromEntries(answers))
  return response
}

/** A version goes along with the request: the target itself refuses when the object moved. */
const conditional = ({ request, precondition, address }: Command, { produced }: Session): PlannedRequest => {
  const sent = (header: string, version: Json | undefined): PlannedRequest =>
    version === undefined ? request : { ...request, headers: { ...request.headers, [header]: String(version) } }
  if (precondition?.kind === 'etag') return sent(precondition.header ?? 'if-match', precondition.etag)
  if (precondition?.kind !== 'chained' || precondition.header === undefined) return request
  return sent(precondition.header, produced.versions.get(address)?.[precondition.object ?? ''])
}

/** A target that refuses an object may repeat parts of it, and nobody knows which of them are secrets. */
const learnLive = ({ address, request }: Command, { produced, channels }: Session): void => {
  if (!holdsLive(request.body)) return
  for (const object of Object.values(produced.objects.get(address) ?? {})) {
    learnAll(object, (text) => {
      if (text.length >= 4) channels.redactor.learn(text)
    })
  }
}

/** Records what a resource is after its last command; a read that fails leaves the record to the check that follows. */
const settle = async (
  address: Address,
  { apply, session, lock, waited }: Walking,
  base: Recorded,
  deps: Deps,
): Promise<Recorded> => {
  const { type, planned, desired, recorded } = plannedOf(address, session)
  const now = await lookAgain(address, session, deps)
  const applied = waited.find((change) => change.address === address) ?? planned.change
  if (now.kind === 'unknown' || applied === undefined) return base
  const present = now.kind === 'present' ? now : undefined
  const next = recordAfterApply({
    schema: type.schema,
    wanted: planned.desired ?? {},
    observed:
      present === undefined ? null : normalise(type.schema, present.attributes, 'observed', desired?.attributes),
    change: applied,
    ...(desired === undefined || desired.absent ? {} : { desired }),
    ...(recorded === undefined ? {} : { recorded }),
    ...(present?.ids === undefined ? {} : { ids: present.ids }),
  })
  const change = next === undefined ? { put: [], remove: [address] } : { put: [next], remove: [] }
  if (next === undefined && recorded === undefined) return base
  return saveRecorded(deps.store, base, change, { lineage: apply.id, lock: lock.current() })
}
