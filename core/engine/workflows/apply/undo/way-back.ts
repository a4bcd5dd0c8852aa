import { keysOf } from '../../../binding/sight.ts'
import { isEqual } from '../../../diff/matching/canonical.ts'
import type { CommandDraft } from '../../../schema/command.ts'
import type { Seal } from '../../../schema/ports.ts'
import type { Address } from '../../../schema/resource.ts'
import type { Change } from '../../../schema/stored/plan.ts'
import type { TakenAlong } from '../../session/contents.ts'
import type { Session } from '../../session/open-session.ts'
import { keepManaged } from '../../session/plan/keep-managed.ts'
import type { ResourcePlan } from '../../session/plan/observation.ts'
import type { KnownValue } from '../approved/fill-known.ts'
import type { UndoneApply } from './done-by.ts'
import { backTo, draftUndo } from './draft-undo.ts'
import { judgeResource, type UndoProgress, type UndoVerdict } from './judge-resource.ts'
import { partFaults } from './words.ts'

export interface UndoFacts {
  readonly undone: UndoneApply
  readonly known: KnownValue
  /** What is in the objects that the apply made, and belongs to no resource. */
  readonly contents: TakenAlong
  /** Present when the undo itself is applied. */
  readonly progress?: UndoProgress
}

/** What is undone of one resource, or why nothing is. */
export interface WayBack {
  readonly verdict: UndoVerdict
  /** Absent: nothing is known of the resource any more. */
  readonly back?: ReturnType<typeof backTo>
  /** One for each step. */
  readonly drafts?: readonly CommandDraft[]
}

export const findWayBack = (
  address: Address,
  session: Session,
  { undone, known, contents, progress }: UndoFacts,
  seal: Seal,
): WayBack => {
  const one = session.resources.get(address)
  const change = changeIn(undone, address)
  const verdict = judgeResource(address, undone, one, progress, one !== undefined && isFollowed(one))
  if (one === undefined || change === undefined) return { verdict }
  const isRecorded = session.recorded.resources.some((each) => each.address === address)
  const back = backTo(change, one, isRecorded)
  if (verdict.steps === undefined || verdict.steps.length === 0) return { verdict, back }
  const inside = change.action === 'create' ? contents.get(address) : undefined
  if (inside !== undefined) return { verdict: { refused: partFaults.holds(inside) }, back }
  const { steps, beside = [] } = verdict
  const drafts = draftUndo(steps, back, known, seal, beside.length > 0)
  if (drafts === undefined)
    return { verdict: { refused: beside.length > 0 ? partFaults.moved(beside) : partFaults.otherPlace }, back }
  const held = heldByOthers(back.change, drafts, session)
  return held === undefined ? { verdict, back, drafts } : { verdict: { refused: held }, back }
}

/** Settings follow their keys; in a parent that others made again nothing is read of them. */
const isFollowed = ({ type, recorded, planned: { before } }: ResourcePlan): boolean =>
  type?.identity?.followsKeys === true &&
  recorded !== undefined &&
  before !== undefined &&
  before !== null &&
  keysOf(type.schema).every((name) => isEqual(recorded.attributes[name], before[name]))

export const changeIn = ({ plan }: UndoneApply, address: Address): Change | undefined =>
  plan.changes.find((each) => each.address === address)

/** Why other workspaces keep an object from being destroyed, or a request from being sent. */
const heldByOthers = (
  change: Change,
  drafts: readonly CommandDraft[],
  { others: { elsewhere, heldAt } = {} }: Session,
): string | undefined => {
  const kept = elsewhere && keepManaged([change], elsewhere)[0]
  return kept?.blocked?.detail ?? drafts.map(({ request }) => heldAt?.(request)).find((found) => found !== undefined)
}
