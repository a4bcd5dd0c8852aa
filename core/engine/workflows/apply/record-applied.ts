import { hasSameKeys, namesIn } from '../../binding/sight.ts'
import { normaliseRead } from '../../diff/normalise-read.ts'
import { recordAfterApply } from '../../plan/record/record-after-apply.ts'
import type { ObjectSchema } from '../../schema/attribute.ts'
import type { Command } from '../../schema/command.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { AbsentResult, Address, LastApplied, PresentResult, RecordedResource } from '../../schema/resource.ts'
import type { Apply } from '../../schema/stored/records.ts'
import { type RecordedChange, saveRecorded } from '../../state/runs/recorded.ts'
import { successorTo } from '../../values/addresses/successor.ts'
import { defined, present } from '../../values/defined.ts'
import { pick } from '../../values/members.ts'
import type { Deps } from '../deps.ts'
import type { Session } from '../session/open-session.ts'
import { atHome } from '../session/shared/loaded-workspace.ts'
import type { Execution } from './execution/apply-run.ts'
import { knownIn, plannedOf } from './guard/look-again.ts'
import { lookUntilShown } from './guard/look-until-shown.ts'
import { isSameObject } from './guard/same-object.ts'

type CertainResult = PresentResult | AbsentResult

interface Since {
  /** The only command that was sent so far, if others follow. */
  readonly by?: Command
  readonly beside?: readonly Address[]
}

interface Done extends Since {
  readonly lastApplied: LastApplied
}

export const lastAppliedBy = ({ id, runId, actor }: Apply, { clock }: Pick<Deps, 'clock'>): LastApplied => ({
  applyId: id,
  runId,
  actor,
  at: clock.now().toISOString(),
})

/**
 * Writes the records of resources while their commands are executed. Each change is one transaction, under the lock.
 */
export const recordApplied = (execution: Execution, deps: Deps) => {
  const { apply, session, log } = execution
  let recorded = session.recorded
  const save = async (change: RecordedChange | undefined): Promise<void> => {
    if (change === undefined) return
    await log.inTurn(async () => {
      recorded = await saveRecorded(deps.store, recorded, change, { lineage: apply.id, lock: log.lock() })
    })
  }
  /** What has the name of an object after its delete may be another one. */
  const stillDoubted = (change: RecordedChange | undefined): RecordedChange | undefined =>
    change && {
      ...change,
      put: change.put.map((each) => {
        const { desired } = session.resources.get(each.address) ?? {}
        const known = recorded.resources.find(({ address }) => address === each.address)
        const isKept = known?.doubted === 'deleted' && (desired === undefined || desired.absent)
        return isKept ? known : each
      }),
    }
  const read = async (address: Address, now: CertainResult, since: Since): Promise<void> =>
    save(stillDoubted(changeOf(address, now, { ...since, lastApplied: lastAppliedBy(apply, deps) }, execution)))
  return {
    save,
    read,
    /**
     * Reads a resource after its last command. If the read fails, or does not find the object that was changed, the record keeps
     * what it says, and the check that follows decides.
     */
    readAgain: async (address: Address, beside: readonly Address[]): Promise<void> => {
      const { desired } = plannedOf(address, session)
      const isMade = session.known.of(address).isMade === true
      const shallGo = desired === undefined || desired.absent
      const now = await lookUntilShown(address, execution, deps, isMade ? 'made' : shallGo ? 'seen' : 'wanted')
      const isOurs = isMade || shallGo || isSameObject(address, now, session)
      if (now.kind !== 'unknown' && isOurs) return read(address, now, { beside })
      const known = recorded.resources.find((each) => each.address === address)
      await save(known && { put: [{ ...known, lastApplied: lastAppliedBy(apply, deps) }], remove: [] })
    },
  }
}

const changeOf = (
  address: Address,
  now: CertainResult,
  { by, beside = [], lastApplied }: Done,
  { session, waited }: Execution,
): RecordedChange | undefined => {
  const { type, planned, target, desired, recorded, refs, refersBy } = plannedOf(address, session)
  const { seenBy = recorded?.seenBy } = plannedOf(address, session)
  const applied = waited.find((change) => change.address === address) ?? planned.change
  if (applied === undefined) return undefined
  const shallGo = desired === undefined || desired.absent
  // After our delete, an object with the same id but other keys is another object.
  const isAnother = shallGo && now.kind === 'present' && !isNamed(type.schema, target.attributes, now.attributes)
  const own = now.kind === 'present' && !isAnother ? now : undefined
  const next = recordAfterApply({
    schema: type.schema,
    sentAttributes: sentOnly(planned.desired ?? {}, by),
    observed: own === undefined ? null : normaliseRead(type.schema, own, desired?.attributes),
    change: applied,
    ignored: planned.ignored.map(({ path }) => path),
    lastApplied,
    ...defined({
      desired: shallGo ? undefined : desired,
      recorded,
      ids: own?.ids,
      parents: own?.parents,
      seenBy,
      unread: own?.unread && Object.keys(own.unread),
      refs: refs && knownIn(refs, address, session),
      refersBy,
    }),
  })
  const { previousAddress } = planned
  const moved = present(...beside, previousAddress)
  if (next !== undefined) return { put: [atHome(session.loaded, next)], remove: moved }
  return recorded === undefined ? undefined : { put: ownerOf(address, session), remove: [address, ...moved] }
}

/** If the record of the old object of a replacement is removed, its successor gets the address of that record. */
const ownerOf = (address: Address, { resources }: Pick<Session, 'resources'>): readonly RecordedResource[] =>
  successorTo(address) === address ? [] : present(resources.get(successorTo(address))?.recorded)

const isNamed = (schema: ObjectSchema, desired: JsonObject, observed: JsonObject): boolean =>
  hasSameKeys(schema, desired, namesIn(schema, observed))

/** A value that cannot be read counts as sent only if this command sets it. */
const sentOnly = (desired: JsonObject, by: Command | undefined): JsonObject => {
  const { footprint } = by ?? {}
  if (footprint === undefined) return desired
  return pick(desired, footprint.sets ?? [])
}
