import type { Json, JsonObject, Path } from '../../../../engine/schema/json.ts'
import { withoutPlaces } from '../../../../engine/transport/secrets/live-places.ts'
import { mapMembers, pick } from '../../../../engine/values/members.ts'
import { entriesOf } from '../../document/attributes.ts'
import { readOp } from '../../document/document.ts'
import { dropsOf, isPatch, type ResourcePart } from '../../document/part.ts'
import { pathOf } from '../../document/shared/template.ts'
import { type CommandContext, onWayBack, type Transition } from '../values/command-context.ts'
import { applied, asMerged, editsOf, withFormerNulls } from '../values/edits.ts'
import { readOf } from '../values/laid-in.ts'
import { lossesOf, lossesOfPart, unrestored } from './losses.ts'
import { lostOfAttributes } from './unseen-losses.ts'

/** One request of a part: its effect, and the whole object after it, if known. */
export interface Taken extends Transition {
  readonly step: PartAction
  readonly object: JsonObject | undefined
}

/** The operation of the part that a change needs. */
export type PartAction = 'create' | 'update' | 'remove'

/** What the write and its inverse do not bring back. */
export const lossesIn = (context: CommandContext, part: ResourcePart, taken: Taken): readonly string[] => {
  const { before, after, names, step, object } = taken
  if (object === undefined || step === 'create') return []
  // What is dropped is the server's own: it makes it anew.
  const ours = (whole: JsonObject): JsonObject => withoutPlaces(whole, dropsOf(part.write)) as JsonObject
  if (step === 'remove') return lossesOfPart(entriesOf(part), ours(object), containersOf(context, part))
  const changed = objectAfter(context, part, taken, object)
  const back = { ...taken, before: after, after: before }
  const entries = pick(entriesOf(part), names)
  const sides = { read: ours(object), restored: ours(objectAfter(onWayBack(context), part, back, changed)) }
  const lost = [
    ...lossesOf(entries, sides),
    ...lostOfAttributes(part, names, back, { ...readOf(context, part), object: changed }, object),
  ]
  return lost.length === 0 ? unrestored(entries, sides) : lost
}

/** What a part that is removed takes along: all of its own answer; in an answer of several parts, the objects around its attributes. */
const containersOf = ({ resource }: CommandContext, part: ResourcePart): readonly Path[] => {
  const isShared = resource.parts.some((other) => other !== part && readOp(other) === readOp(part))
  if (!isShared) return [[]]
  const places = Object.entries(entriesOf(part)).map(([name, entry]) => pathOf(entry.path ?? name))
  return places.flatMap((place) => (place.length > 1 ? [place.slice(0, -1)] : []))
}

/** The object after the request, as far as the document says what it changes. */
export const objectAfter = (
  context: CommandContext,
  part: ResourcePart,
  { before, after, names }: Taken,
  object: JsonObject,
): JsonObject => {
  const read = { ...readOf(context, part), object }
  const edits = editsOf(readEntries(part), before, after, names, read)
  const all = withFormerNulls(edits, read)
  const made = part.write?.send === 'mergePatch' ? all.map(asMerged) : all
  return made.reduce<Json>(applied, object) as JsonObject
}

/** Attributes at the places where they are read. */
const readEntries = (part: ResourcePart) =>
  isPatch(part) ? entriesOf(part) : mapMembers(entriesOf(part), ({ send: _, ...entry }) => entry)
