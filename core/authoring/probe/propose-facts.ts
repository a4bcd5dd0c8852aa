import { canonicalJson } from '../../digest.ts'
import type { AttributeEntry } from '../../providers/rest/document/attribute.ts'
import { sameValue } from '../../providers/rest/document/attributes.ts'
import { normaliserNames } from '../../schema/attribute.ts'
import { isArray, type Json, type JsonObject } from '../../schema/json.ts'
import { applyNormalisers } from '../../values/normalise/normalisers.ts'

/** What is to be said of an attribute, and what to add to it. */
export interface Proposal {
  readonly message: string
  readonly add?: JsonObject
}

const isSame = (left: Json, right: Json): boolean => canonicalJson(left) === canonicalJson(right)

/** Where the value came from that was there before: a create, the server itself, or what the document says is meant. */
export type Origin = 'created' | 'server' | 'default'

/** A value that was sent beside the one that was read afterwards, and before. `undefined`: as the document says. */
export const proposeForSent = (
  entry: AttributeEntry,
  sent: Json,
  read: Json | undefined,
  before: Json | undefined,
  origin: Origin,
): Proposal | undefined => {
  if (sameValue(entry, sent, read)) return undefined
  if (read === undefined || read === null)
    return before === undefined || before === null
      ? { message: 'it is taken and never shown', add: { writeOnly: true } }
      : { message: 'it is gone after it was set' }
  const normalised = findNormaliser(entry, sent, read)
  if (normalised !== undefined) return normalised
  if (isReordered(entry, sent, read)) return { message: 'the server keeps no order', add: { type: 'set' } }
  if (before !== undefined && sameValue(entry, before, read)) return kept[origin]
  return { message: `the server made something else of it (${kindOf(sent)} became ${kindOf(read)})` }
}

/** What a value that stays in silence may mean. */
const kept: Readonly<Record<Origin, Proposal>> = {
  created: { message: 'the server takes another value in silence and keeps the old one', add: { immutable: true } },
  server: { message: 'the server takes another value in silence and keeps its own', add: { computed: true } },
  default: {
    message: 'the server takes another value in silence and keeps the default; another attribute may be needed',
  },
}

const kindOf = (value: Json): string => (isArray(value) ? 'a list' : value === null ? 'null' : typeof value)

/** The one function under which both are the same: where the server shows its result it is also the form to send. */
const findNormaliser = (entry: AttributeEntry, sent: Json, read: Json): Proposal | undefined => {
  const { normalise = [], compareAs = [] } = entry
  const apply = (value: Json, name: (typeof normaliserNames)[number]): Json =>
    applyNormalisers(value, [...normalise, name])
  const alike = normaliserNames.filter((name) => isSame(apply(sent, name), apply(read, name)))
  const shown = alike.find((name) => isSame(apply(sent, name), read))
  const [first] = alike
  const message = 'the server spells it otherwise'
  if (shown !== undefined) return { message, add: { normalise: [...normalise, shown] } }
  return first === undefined ? undefined : { message, add: { compareAs: [...compareAs, first] } }
}

const isReordered = ({ type }: AttributeEntry, sent: Json, read: Json): boolean =>
  type === 'list' &&
  isArray(sent) &&
  isArray(read) &&
  isSame(sent.map(canonicalJson).toSorted(), read.map(canonicalJson).toSorted())

/** What a server filled in for two objects that said nothing of an attribute, each read twice. */
export const proposeForUnset = (
  entry: AttributeEntry,
  [first, again, other]: readonly [Json, Json | undefined, Json | undefined],
): Proposal | undefined => {
  if (entry.computed) return undefined
  if (!sameValue(entry, first, again)) return { message: 'it moves by itself', add: { computed: true } }
  if (entry.default !== undefined && sameValue(entry, first, entry.default)) return undefined
  if (other !== undefined && !sameValue(entry, first, other))
    return { message: 'the server makes one for each object', add: { computed: true } }
  return {
    message: entry.default === undefined ? 'the server fills it in' : 'the server fills in another default',
    add: { default: first },
  }
}
