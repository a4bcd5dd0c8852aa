import { defined } from '../../../values/defined.ts'
import type { Schema } from '../../description/description.ts'
import type { Identity } from '../find/identity.ts'
import { attributeName } from '../find/names.ts'
import { idsOf, keyName, type ResourceParts } from '../find/resource-parts.ts'
import type { Candidate } from '../find/resources.ts'
import {
  differInShape,
  entry,
  factsOf,
  isSensitive,
  lacks,
  leftOutEntries,
  memberNames,
  nameMembers,
  placesOf,
  type Sides,
  tells,
  withDefault,
} from './attribute.ts'
import { type Entry, map } from './yaml.ts'

export interface AttributeDraft {
  readonly entry: Entry
  readonly writable: boolean
}

/** Members that a resource may have before deeper ones are taken as they are. */
const maxLines = 250

/** The attributes of a resource: those of its URL first, then as its requests and answers name them. */
export const draftAttributes = (candidate: Candidate, parts: ResourceParts): readonly AttributeDraft[] => {
  const { naming, schemas, identity, keys } = parts
  const own = keyName(candidate, identity, naming)
  const sides: Sides = {
    create: schemas.request,
    ...defined({
      update: schemas.change,
      read: (schemas.read ?? schemas.item) === undefined ? undefined : ((schemas.read ?? schemas.item) as Schema),
    }),
  }
  const properties = memberNames(sides)
  const inUrl = [...naming.parents, ...(identity.chosenBy === 'client' && own !== undefined ? [own] : [])]
  const carriers = new Map(
    inUrl.flatMap((name) => {
      const property = carrierOf(name, properties, sides, identity)
      return property === undefined ? [] : [[name, property] as const]
    }),
  )
  const urlOnly = inUrl.filter((name) => !carriers.has(name))
  const taken = new Set(urlOnly)
  const path = urlOnly.map(
    (name): AttributeDraft => ({
      entry: {
        key: name,
        node: map([entry('required', true), ...keyEntries(name === own ? identity.place : undefined)]),
      },
      writable: false,
    }),
  )
  const rest = (left: number): readonly AttributeDraft[] => {
    // What an answer alone says under a name of the URL is that name again.
    const shown = properties.filter((property) => !taken.has(attributeName(property)) || isWritten(sides, property))
    const names = nameMembers(shown, new Set(taken), [
      ...(identity.property === undefined ? [] : [identity.property]),
      ...carriers.values(),
    ])
    return shown.map((property) =>
      attributeDraft(property, sides, {
        name: names.get(property) ?? attributeName(property),
        keys,
        left,
        inUrl,
        ids: Object.keys(idsOf(candidate, parts)),
        full: candidate.update?.operation.method === 'PUT',
        identity,
      }),
    )
  }
  const deep = [4, 3, 2, 1].map(rest).find((drafts) => sizeOf(drafts.map((one) => one.entry)) <= maxLines)
  return [...path, ...(deep ?? rest(0))]
}

/** The member that says a name of the URL: one that is written, and can be a part of an address. */
const carrierOf = (
  name: string,
  properties: readonly string[],
  sides: Sides,
  { property: chosen }: Identity,
): string | undefined => {
  const meant = properties.filter((property) => attributeName(property) === name && canBeInUrl(sides, property))
  return meant.find((property) => property === chosen) ?? meant.find((property) => property === name) ?? meant[0]
}

const canBeInUrl = (sides: Sides, property: string): boolean =>
  isWritten(sides, property) &&
  [at(sides.create, property), at(sides.update, property)].every(
    (schema) => schema === undefined || schema.types.every((type) => ['string', 'integer', 'number'].includes(type)),
  )

/** A key is in the URL alone, or also at a place of the object. */
const keyEntries = (place: string | undefined): readonly Entry[] =>
  place === undefined ? [entry('in', 'path')] : [entry('immutable', true), entry('path', place), entry('send', place)]

const sizeOf = (entries: readonly Entry[]): number =>
  entries.reduce((sum, { node }) => sum + 1 + (node.kind === 'map' ? sizeOf(node.entries) : 0), 0)

const at = (schema: Schema | undefined, property: string): Schema | undefined => schema?.properties().get(property)

const isWritten = (sides: Sides, property: string): boolean =>
  [at(sides.create, property), at(sides.update, property)].some((schema) => schema !== undefined && !schema.readOnly)

interface AttributeFacts {
  readonly name: string
  readonly keys: readonly string[]
  readonly inUrl: readonly string[]
  readonly ids: readonly string[]
  readonly identity: Identity
  readonly left: number
  /** Whether an update sends everything. */
  readonly full: boolean
}

const attributeDraft = (property: string, whole: Sides, facts: AttributeFacts): AttributeDraft => {
  const sides = sidesAt(whole, property)
  const isKey = facts.keys.includes(facts.name)
  const isId = !isKey && (property === facts.identity.idProperty || facts.ids.includes(facts.name))
  const known = factsOf(property, sides, { left: facts.left, around: [] })
  if (isId || !isWritten(whole, property)) {
    const entries = known.entries.filter(({ key }) => key !== 'default' && key !== 'values')
    return {
      entry: { key: facts.name, node: map([...entries, entry('computed', true), ...placesOf(property, facts.name)]) },
      writable: false,
    }
  }
  const flags = flagsOf(property, whole, sides, facts)
  const entries = known.entries.filter(({ key }) => !isKey || key !== 'default')
  return {
    entry: {
      key: facts.name,
      node: map([...entries, ...withDefault(entries, flags.entries), ...placesOf(property, facts.name)]),
      comments: [...known.comments, ...flags.comments],
    },
    writable: !flags.immutable,
  }
}

const sidesAt = (whole: Sides, property: string): Sides => {
  const [create, update, read] = [at(whole.create, property), at(whole.update, property), at(whole.read, property)]
  return defined({ create, update, read })
}

const words = (schema: Schema): string => schema.types.join(' or ')

interface Flags {
  readonly entries: readonly Entry[]
  readonly comments: readonly string[]
  readonly immutable: boolean
}

const flagsOf = (property: string, whole: Sides, sides: Sides, { name, keys, inUrl, full }: AttributeFacts): Flags => {
  const { create, update, read } = sides
  const isKey = keys.includes(name)
  // What an update's schema does not tell it may take all the same.
  const isFixed = whole.update === undefined || lacks(whole.update, update)
  const immutable = inUrl.includes(name) || isFixed
  const secret = isSensitive(property, sides)
  const written = create ?? update
  const otherShape = read !== undefined && written !== undefined && differInShape(written, read)
  const isUnseen = tells(whole.read) && read === undefined
  const isHidden = !isKey && (written?.writeOnly === true || isUnseen || otherShape)
  const isDemanded = isKey || whole.create?.required.has(property) === true
  const once = isFixed && full ? 'create' : lacks(whole.create, create) ? 'update' : undefined
  return {
    immutable,
    comments: [
      ...(otherShape ? [`decide: written as ${words(written)}, read as ${words(read)} of another kind`] : []),
      ...(isKey && isUnseen ? ['decide: which member of an answer is it? (`path`)'] : []),
      ...(secret && !isHidden ? ['decide: if it is not shown in clear: writeOnly: true'] : []),
    ],
    entries: [
      ...(isDemanded && once !== 'update' ? [entry('required', true)] : []),
      ...(immutable ? [entry('immutable', true)] : []),
      ...(secret && !isKey ? [entry('sensitive', true)] : []),
      ...(isHidden ? [entry('writeOnly', true)] : []),
      ...(isHidden || isKey || isDemanded ? [] : leftOutEntries(property, whole)),
      ...(once === undefined ? [] : [entry('sendOn', once)]),
    ],
  }
}
