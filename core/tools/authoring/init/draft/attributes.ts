import { defined } from '../../../../engine/values/defined.ts'
import { soundsCreated } from '../../../../engine/values/texts/name-words.ts'
import { timesIn } from '../../check/proof.ts'
import { isScalar } from '../../description/look-into.ts'
import type { OuterType, OuterTypes } from '../find/containers.ts'
import type { Identity } from '../find/identity.ts'
import { attributeName, nameMembers } from '../find/names.ts'
import type { ResourceParts } from '../find/resource-parts.ts'
import { type AttributeDraft, type DraftSides, draftAttribute, isWritten, memberNames } from './attribute.ts'
import { type Entry, entry, map } from './yaml.ts'

/** With more entries in a resource, its deeper members become `any`. */
const maxEntries = 250

/** Returns the attributes of the URL first, then the others in the order of requests and responses. */
export const draftAttributes = (parts: ResourceParts, containers: OuterTypes): readonly AttributeDraft[] => {
  const { candidate, schemas, identity, own, keys, parents, ids } = parts
  const sides: DraftSides = {
    create: schemas.request,
    ...defined({ update: schemas.change, read: schemas.read ?? schemas.item }),
  }
  const properties = memberNames(sides).filter((property) => property !== identity.shownAs)
  const inUrl = [...parents, ...(identity.chosenBy === 'client' && own !== undefined ? [own] : [])]
  const carriers = new Map(inUrl.map((name) => [name, carrierOf(name, properties, sides, identity)]))
  const urlOnly = inUrl.filter((name) => carriers.get(name) === undefined)
  const rest = (left: number): readonly AttributeDraft[] => {
    // A name of the URL that only a response repeats is not a separate attribute.
    const shown = properties.filter((one) => !urlOnly.includes(attributeName(one)) || isWritten(sides, one))
    const first = [identity.property, ...carriers.values()].filter((one) => one !== undefined)
    return [...nameMembers(shown, new Set(urlOnly), first)].map(([property, name]) => {
      const isKey = keys.includes(name)
      const role = {
        isKey,
        isId: !isKey && (property === identity.idProperty || Object.hasOwn(ids, name)),
        isInUrl: inUrl.includes(name),
        isSentWhole: candidate.update?.operation.method === 'PUT',
        isProof: Object.keys(ids).length === 0 && soundsCreated(property),
      }
      return draftAttribute(property, sides, { name, depth: { left, around: [] }, role })
    })
  }
  const drafts = [4, 3, 2, 1].map(rest).find((some) => sizeOf(some.map((one) => one.entry)) <= maxEntries) ?? rest(0)
  const shown = Object.keys(ids).length === 0 && sides.read !== undefined ? timesIn(sides.read) : []
  return [
    ...urlOnly.map((name) => urlAttribute(name, name === own ? identity : {}, containers.get(name))),
    ...drafts,
    ...(shown.every((place) => place.includes('.')) ? shown.slice(0, 1).map(timeAttribute) : []),
  ]
}

/** A time inside of another member proves an object only as an attribute of its own. */
const timeAttribute = (place: string): AttributeDraft => {
  const node = map(entry('computed', true), entry('immutable', true), entry('path', place))
  return { entry: { key: attributeName(place.split('.').at(-1) ?? place), node }, writable: false }
}

const carrierOf = (
  name: string,
  properties: readonly string[],
  sides: DraftSides,
  { property: chosen }: Identity,
): string | undefined => {
  const meant = properties.filter((property) => attributeName(property) === name && canBeInUrl(sides, property))
  return meant.find((property) => property === chosen) ?? meant.find((property) => property === name) ?? meant[0]
}

const canBeInUrl = (sides: DraftSides, property: string): boolean =>
  isWritten(sides, property) &&
  [sides.create, sides.update].every((side) => {
    const schema = side?.properties().get(property)
    return schema === undefined || schema.types.length === 0 || isScalar(schema)
  })

/** A key that is only in the URL, or also at a place in the object; another object may be meant by it. */
const urlAttribute = (
  name: string,
  { place, shownAs }: Pick<Identity, 'place' | 'shownAs'>,
  container: OuterType | undefined,
): AttributeDraft => {
  const inside = [entry('immutable', true), entry('path', place), entry('send', place)]
  const shown = shownAs === name ? undefined : shownAs
  const outside = [entry('in', 'path'), entry('path', shown), entry('refersTo', container && { ...container })]
  const node = map(entry('required', true), ...(place === undefined ? outside : inside))
  return { entry: { key: name, node }, writable: false }
}

const sizeOf = (entries: readonly Entry[]): number =>
  entries.reduce((sum, { node }) => sum + 1 + (node.kind === 'map' ? sizeOf(node.entries) : 0), 0)
