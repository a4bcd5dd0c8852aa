import { canonicalText } from '../../../diff/matching/canonical.ts'
import { normalise } from '../../../diff/normalise.ts'
import { pathText } from '../../../json/pointer.ts'
import { movedBesides, nothingWritten, type OwnWrites, withCommand } from '../../../plan/commands/own-writes.ts'
import { stillThere } from '../../../plan/commands/still-there.ts'
import type { Command } from '../../../schema/command.ts'
import type { JsonObject, Path } from '../../../schema/json.ts'
import type { Address } from '../../../schema/resource.ts'
import type { Change } from '../../../schema/stored/plan.ts'
import type { Apply } from '../../../schema/stored/records.ts'
import { withoutPlaces } from '../../../transport/secrets/live-places.ts'
import { addressOf } from '../../../values/addresses/address.ts'
import { changedPaths } from '../../../values/changed-paths.ts'
import { withManage } from '../../../values/with-manage.ts'
import type { ResourcePlan } from '../../session/plan/observation.ts'
import { doneBy, type UndoneApply, uncertainOf } from './done-by.ts'
import { partFaults } from './words.ts'

/** How far an apply that undoes another one has come, if it has begun. */
export interface UndoProgress {
  readonly applyId: string
  /** Ids of its commands that are done. */
  readonly done: ReadonlySet<string>
}

/**
 * What one resource needs: `steps` are the commands of the apply to undo now, the last one first. `beside`: what nobody declares
 * and is not as the apply found it: it has to stay as it is now.
 */
export type UndoVerdict =
  | { readonly steps: readonly Command[]; readonly beside?: readonly string[]; readonly refused?: never }
  | { readonly refused: string; readonly steps?: never; readonly beside?: never }

/**
 * What to undo of one resource, by what the apply did and by what is read now. Its object must be as the apply left it, or as an
 * undo that has begun left it; an object that is as before the apply needs nothing. `isFollowed`: settings at the place of the
 * record.
 */
export const judgeResource = (
  address: Address,
  { apply, plan }: UndoneApply,
  one: ResourcePlan | undefined,
  progress?: UndoProgress,
  isFollowed = false,
): UndoVerdict => {
  const change = plan.changes.find((each) => each.address === address)
  const all = doneBy({ apply, plan }).filter((each) => each.address === address)
  // What a delete of the new object takes with it needs no command.
  const own = change?.action === 'create' ? all.slice(0, 1) : all
  const open = uncertainOf({ apply, plan }).find(({ command }) => addressOf(command) === address)
  if (open?.status === 'unknown') return { refused: partFaults.unknown(open.command) }
  if (change === undefined || (change.action === 'replace' && all.length > 0)) return { refused: partFaults.replaced }
  const final = own.find(({ inverse }) => inverse === undefined)
  if (final !== undefined) return { refused: partFaults.noInverse(final, placesThere(final, one)) }
  if (one === undefined) return { refused: partFaults.noRecord }
  if (one.type === undefined) return { refused: partFaults.noType }
  const { result } = one.observed
  if (result.kind === 'unknown') return { refused: partFaults.unread(result.detail) }
  const verdict = judgeObject({ address, change, all, own, isFollowed }, one, apply, progress)
  // Nothing is known to be done: what is not as before may be its late effect.
  const isOpen = open !== undefined && all.length === 0 && !isBefore(change, one)
  return isOpen ? { refused: partFaults.unknown(open.command) } : verdict
}

/** What a command was to lose, and a new read of the object shows. */
const placesThere = ({ loses = [] }: Command, one: ResourcePlan | undefined): readonly string[] => {
  const { result } = one?.observed ?? {}
  const objects = result?.kind === 'present' ? Object.values(result.objects ?? {}) : []
  return loses.filter((place) =>
    objects.some((object) => canonicalText(withoutPlaces(object, [place])) !== canonicalText(object)),
  )
}

interface ResourceUndo {
  readonly address: Address
  readonly change: Change
  /** Done commands of the resource, and those of them that have to be undone. */
  readonly all: readonly Command[]
  readonly own: readonly Command[]
  /** Settings, which are the object that has their keys now. */
  readonly isFollowed: boolean
}

const judgeObject = (
  part: ResourceUndo,
  one: ResourcePlan,
  apply: Apply,
  progress: UndoProgress | undefined,
): UndoVerdict => {
  const { change, own } = part
  const now = one.planned.before ?? null
  if (now === null) {
    if (change.action === 'delete') return { steps: own }
    return change.before === null ? { steps: [] } : { refused: partFaults.gone }
  }
  const isAsBefore = isBefore(change, one)
  if (change.action === 'delete') return isAsBefore ? { steps: [] } : { refused: partFaults.there }
  const since = appliedSince(one, apply, progress?.applyId)
  // Somebody has brought it back already.
  if (since !== undefined) return isAsBefore ? { steps: [] } : { refused: since }
  return identityFault(part, one) ?? stepsFor(part, { one, now, apply }, progress)
}

const isBefore = ({ before }: Change, one: ResourcePlan): boolean => {
  const now = one.planned.before ?? null
  if (before === null || now === null) return before === now
  return movedBesides(schemaOf(one), before, nothingWritten, now).length === 0
}

/** A worker that died may have recorded nothing of the apply: then the record names one of before. */
const appliedSince = ({ recorded }: ResourcePlan, { id, startedAt }: Apply, undo?: string): string | undefined => {
  const { lastApplied } = recorded ?? {}
  if (lastApplied === undefined || [id, undo].includes(lastApplied.applyId)) return undefined
  return startedAt !== undefined && lastApplied.at < startedAt ? undefined : partFaults.appliedSince(lastApplied)
}

const identityFault = (
  { change: { action }, isFollowed }: ResourceUndo,
  { recorded, desired, type, isOwn, isRemade }: ResourcePlan,
): UndoVerdict | undefined => {
  if (recorded === undefined) return { refused: partFaults.noRecord }
  if ((!isOwn && !isFollowed) || isRemade) return { refused: partFaults.otherObject }
  const isKept = (desired ?? recorded).lifecycle.preventDestroy || type?.lifecycle?.preventDelete
  return action === 'create' && isKept ? { refused: partFaults.keptFromDelete } : undefined
}

/**
 * Each step back takes one command away from what explains the object, so the largest number of commands that explains it says
 * what is left.
 */
const stepsFor = (
  { address, change, all, own }: ResourceUndo,
  seen: SeenNow,
  progress: UndoProgress | undefined,
): UndoVerdict => {
  const { before, after } = change
  const { one, now } = seen
  const schema = schemaOf(one)
  const isHeld = heldIn(one, writesOf(schema, all, after ?? {}))
  const foundWith = (count: number) =>
    movedBesides(schema, before ?? undefined, writesOf(schema, all.slice(0, count), after ?? {}), now)
  const movedWith = (count: number) => foundWith(count).filter(([name]) => before === null || isHeld(String(name)))
  const strange = before === null ? [] : strangersIn(schema, { before, after: after ?? {}, now }, all)
  if (strange.length > 0) return moved(strange)
  const undone = [...(progress?.done ?? [])].filter((id) => addressOf(id) === address).length
  const first = movedWith(all.length)
  if (before === null) {
    const others = [...first, ...movedFromRecord(one, writesOf(schema, all, after ?? {}), now)]
    return others.length === 0 ? { steps: own } : movedOrLeft(others, change, own, seen)
  }
  const most = all.length - undone
  const least = progress === undefined ? [0] : [...Array(most).keys()].toReversed()
  const count = [most, ...least].find((each) => movedWith(each).length === 0)
  if (count === undefined) return movedOrLeft(first, change, own, seen)
  return { steps: own.slice(0, count).toReversed(), beside: textsOf(foundWith(count)) }
}

/** What nobody declares, and no command has written, stays as it is now, and may have moved. */
const heldIn =
  ({ desired }: ResourcePlan, { whole, elements }: OwnWrites) =>
  (name: string): boolean =>
    desired === undefined || Object.hasOwn(desired.attributes, name) || whole.has(name) || elements.has(name)

interface SeenNow {
  readonly one: ResourcePlan
  readonly now: JsonObject
  readonly apply: Apply
}

/**
 * An object that the apply itself left otherwise than planned, and that nobody has changed since, is no damage of others. One
 * request brings it back where all of that is of attributes that it sets.
 */
const movedOrLeft = (
  paths: readonly Path[],
  { address, before, diff }: Change,
  own: readonly Command[],
  { one, now, apply }: SeenNow,
): UndoVerdict => {
  const told = [
    ...(apply.left ?? []).filter((each) => each.address === address).flatMap((each) => each.paths),
    ...(apply.resources ?? []).flatMap((each) => (each.address === address ? (each.besides ?? []) : [])),
  ].map((path) => path.split(/[.[]/, 1)[0])
  const since = new Set(movedFromRecord(one, nothingWritten, now).map(([name]) => name))
  const isOurs = ([name]: Path): boolean => told.includes(String(name)) && !since.has(name ?? '')
  const isRecorded = one.recorded?.lastApplied?.applyId === apply.id && one.recorded.doubted === undefined
  if (!isRecorded || !paths.every(isOurs)) return moved(paths)
  if (before === null) return { steps: own }
  const changed = new Set(changedPaths(diff).map(([name]) => name))
  return own.length === 1 && paths.every(([name]) => changed.has(name ?? ''))
    ? { steps: own }
    : { refused: partFaults.leftSo(textsOf(paths)) }
}

/** Where what the apply made is not as it was recorded then: also what nobody declares may have been changed by others. */
const movedFromRecord = (one: ResourcePlan, writes: OwnWrites, now: JsonObject): ReturnType<typeof movedBesides> => {
  const { recorded } = one
  const schema = schemaOf(one)
  if (recorded === undefined || recorded.doubted !== undefined) return []
  const left = { ...recorded.attributes, ...recorded.shownInstead }
  const known = normalise(schema, left, 'recorded', left)
  return movedBesides(schema, known, writes, now).filter(([name]) => Object.hasOwn(known, String(name)))
}

/**
 * Elements that came after the apply, where others' are left alone. An attribute that is written whole goes back as a whole, so that
 * a stored inverse would remove them.
 */
const strangersIn = (
  schema: ReturnType<typeof schemaOf>,
  { before, after, now }: Readonly<Record<'before' | 'after' | 'now', JsonObject>>,
  all: readonly Command[],
): readonly Path[] => {
  const { whole } = writesOf(schema, all, after)
  const known = new Set(stillThere(schema, { before: now, after: before }, now).map(pathText))
  return stillThere(schema, { before: now, after }, now).filter(
    (path) => whole.has(String(path[0])) && known.has(pathText(path)),
  )
}

const moved = (paths: ReturnType<typeof movedBesides>): UndoVerdict => ({
  refused: partFaults.moved(textsOf(paths)),
})

const textsOf = (paths: readonly Path[]): readonly string[] => [...new Set(paths.map(pathText))]

/** What done commands have changed in an object. `after`: the object as the change makes it. */
export const writesOf = (
  schema: ReturnType<typeof schemaOf>,
  commands: readonly Command[],
  after: JsonObject,
): OwnWrites => commands.reduce((own, { footprint }) => withCommand(schema, own, footprint, after), nothingWritten)

export const schemaOf = ({ type, desired, recorded }: ResourcePlan) =>
  withManage(type?.schema ?? { attributes: {} }, (desired ?? recorded)?.lifecycle.manage)
