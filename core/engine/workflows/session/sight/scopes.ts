import { keysOf } from '../../../binding/sight.ts'
import type { Lead } from '../../../provider/references.ts'
import type { Address } from '../../../schema/resource.ts'
import { present } from '../../../values/defined.ts'
import { pick } from '../../../values/members.ts'
import { meets } from '../plan/leads.ts'
import type { ObservedResource } from '../plan/observation.ts'
import { isMissing, vanishedAmong, wasThere } from './missing.ts'
import { sightFaults } from './words.ts'

/** A place, and what is in it. */
interface OuterPlace {
  readonly lead: Lead
  /** The object that makes it, if the workspace has it. */
  readonly owner: ObservedResource | undefined
  readonly members: readonly ObservedResource[]
}

/**
 * Missing objects of the places in which more objects are gone than seen, with the reason. A role may be lost for one
 * project alone: then all else is seen, and all that is in this one is missing. The object that makes the place counts with what
 * is in it, and so does what is in it alone, and those of one type in it: a role may be about machines and not about networks. Places
 * that lost all they had are judged together, because one object of each is too little to tell a lost role from a deletion.
 */
export const hiddenScopes = (group: readonly ObservedResource[]): ReadonlyMap<Address, string> => {
  const places = placesIn(group)
  const hidden = new Map(emptied(places))
  for (const place of places) {
    const { lead, owner, members } = place
    const whole = [...new Set([...present(owner), ...members])]
    const where = owner?.address ?? placeText(lead)
    for (const { among, what } of [...partsIn(place, where), { among: whole, what: where }]) {
      const vanished = vanishedAmong(among)
      if (vanished === undefined) continue
      for (const { address } of among.filter(isMissing)) hidden.set(address, sightFaults.vanished(what, vanished))
    }
  }
  return hidden
}

/** The places in which something is missing. A link is in none of its ends. */
const placesIn = (group: readonly ObservedResource[]): readonly OuterPlace[] => {
  const inside = Map.groupBy(
    group.flatMap((one) => (one.type?.isLink ? [] : leadsOf(one).map((lead) => ({ one, lead })))),
    ({ lead }) => JSON.stringify([lead.type, lead.at, lead.value, lead.within]),
  )
  return [...inside.values()].flatMap((found) => {
    const members = found.map(({ one }) => one)
    const { lead } = found.find((each) => each.lead.isAround) ?? found[0] ?? {}
    if (lead === undefined || !members.some(isMissing)) return []
    return [{ lead, owner: group.find((one) => isOwner(one, lead, members)), members }]
  })
}

/** What a place holds, without the object that makes it, which may be seen where its contents are not. */
const partsIn = (
  { lead, members }: OuterPlace,
  where: string,
): readonly { readonly among: readonly ObservedResource[]; readonly what: string }[] => {
  if (lead.isAround === undefined) return []
  const types = [...Map.groupBy(members, ({ type }) => type?.name ?? '')]
  return [
    ...types.map(([type, among]) => ({ among, what: `type ${type} in ${where}` })),
    { among: members, what: where },
  ]
}

/**
 * Missing objects of two or more places of one kind that lost all that was recorded in them, and are not missing themselves. One such place
 * alone with a single object was emptied by somebody.
 */
const emptied = (places: readonly OuterPlace[]): readonly (readonly [Address, string])[] => {
  const lost = places.filter(({ lead, owner, members }) => {
    const recorded = members.filter(wasThere)
    const isSeen = owner === undefined || !isMissing(owner)
    return lead.isAround && isSeen && recorded.length > 0 && recorded.every(isMissing)
  })
  const kinds = Map.groupBy(lost, ({ lead: { type, at } }) => JSON.stringify([type, at]))
  return [...kinds.values()].flatMap((alike) => {
    const gone = new Set(alike.flatMap(({ members }) => members.filter(isMissing)).map(({ address }) => address))
    if (alike.length < 2 || gone.size < 2) return []
    const why = sightFaults.emptied(alike.map(({ owner, lead }) => owner?.address ?? placeText(lead)))
    return [...gone].map((address) => [address, why] as const)
  })
}

export const leadsOf = ({ type, desiredAttributes, recorded }: ObservedResource): readonly Lead[] =>
  type?.leads?.(recorded?.attributes ?? desiredAttributes ?? {}) ?? []

/** The object that makes a place. Where the document does not say what it is, the one that its contents refer to. */
export const isOwner = (one: ObservedResource, lead: Lead, members: readonly ObservedResource[]): boolean => {
  if (lead.type !== undefined) return one.type?.name === lead.type && meets(lead, one) === 'yes'
  const isNeeded = members.some((each) => (each.desired ?? each.recorded)?.dependsOn.includes(one.address))
  const { ids = {}, attributes = {} } = one.recorded ?? {}
  const keys = pick(attributes, keysOf(one.type?.schema ?? { attributes: {} }))
  return isNeeded && Object.values({ ...keys, ...ids }).some((value) => String(value) === String(lead.value))
}

const placeText = ({ type, value, at }: Lead): string =>
  type === undefined && 'attribute' in at ? `${at.attribute} ${value}` : `${type} ${value}`
