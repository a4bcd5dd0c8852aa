import { canonicalJson } from '../../../engine/json/canonical.ts'
import { normaliserNames } from '../../../engine/schema/attribute.ts'
import { isArray, type Json } from '../../../engine/schema/json.ts'
import { applyNormalisers } from '../../../engine/values/normalise/normalisers.ts'
import type { AttributeEntry } from '../../../providers/rest/document/attribute.ts'
import { sameValue } from '../../../providers/rest/document/attributes.ts'
import { settable } from './settable.ts'
import { type Proposal, proposals } from './words.ts'

const isSame = (left: Json, right: Json): boolean => canonicalJson(left) === canonicalJson(right)

export type Origin = keyof typeof proposals.kept

/** Compares a sent value with the values read before and after. `undefined`: the document is right. */
export const proposeForSent = (
  entry: AttributeEntry,
  sent: Json,
  read: Json | undefined,
  before: Json | undefined,
  origin: Origin,
): Proposal | undefined => {
  if (sameValue(entry, sent, read)) return undefined
  const wasThere = before !== undefined && before !== null
  if (read === undefined || read === null) return wasThere ? proposals.gone : proposals.hidden
  const normalised = findNormaliser(entry, sent, read)
  if (normalised !== undefined) return normalised
  if (isReordered(entry, sent, read)) return proposals.reordered
  return before !== undefined && sameValue(entry, before, read)
    ? proposals.kept[origin]
    : proposals.otherValue(sent, read)
}

/**
 * Finds a normaliser under which both values are equal; one that gives the read value is preferred, because it is also
 * the form to send.
 */
const findNormaliser = (entry: AttributeEntry, sent: Json, read: Json): Proposal | undefined => {
  const { normalise = [], compareAs = [] } = entry
  const apply = (value: Json, name: (typeof normaliserNames)[number]): Json =>
    applyNormalisers(value, [...normalise, name])
  const alike = normaliserNames.filter((name) => isSame(apply(sent, name), apply(read, name)))
  const shown = alike.find((name) => isSame(apply(sent, name), read))
  const [first] = alike
  if (first === undefined) return undefined
  return proposals.respelled(
    shown === undefined ? { compareAs: [...compareAs, first] } : { normalise: [...normalise, shown] },
  )
}

const isReordered = ({ type }: AttributeEntry, sent: Json, read: Json): boolean =>
  type === 'list' &&
  isArray(sent) &&
  isArray(read) &&
  isSame(sent.map(canonicalJson).toSorted(), read.map(canonicalJson).toSorted())

export const proposeForUnset = (
  entry: AttributeEntry,
  [first, again, other]: readonly [Json, Json | undefined, Json | undefined],
): Proposal | undefined => {
  if (entry.computed) return undefined
  if (!sameValue(entry, first, again)) return proposals.moves
  if (entry.default !== undefined && sameValue(entry, first, entry.default)) return undefined
  if (other !== undefined && !sameValue(entry, first, other)) return proposals.perObject
  return proposals.filledIn(settable(entry, first), entry.default !== undefined)
}
