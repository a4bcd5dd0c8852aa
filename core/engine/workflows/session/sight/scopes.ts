import { keysOf } from '../../../binding/sight.ts'
import type { Lead } from '../../../provider/references.ts'
import type { Address } from '../../../schema/resource.ts'
import { pick } from '../../../values/members.ts'
import type { ObservedResource } from '../plan/observation.ts'
import { meets } from '../shared/leads.ts'
import { sightFaults } from '../shared/words.ts'
import { isMissing, vanishedAmong } from './missing.ts'

/**
 * Missing objects of the places in which more objects are gone than seen, with the reason. A role may be lost for one
 * project alone: then all else is seen, and all that is in this one is missing. The object that makes the place counts with what
 * is in it. A link is in none of its ends.
 */
export const hiddenScopes = (group: readonly ObservedResource[]): ReadonlyMap<Address, string> => {
  const inside = Map.groupBy(
    group.flatMap((one) => (one.type?.isLink ? [] : leadsOf(one).map((lead) => ({ one, lead })))),
    ({ lead }) => JSON.stringify([lead.type, lead.at, lead.value, lead.within]),
  )
  const hidden = new Map<Address, string>()
  for (const found of inside.values()) {
    const lead = found[0]?.lead
    const members = found.map(({ one }) => one)
    if (lead === undefined || !members.some(isMissing)) continue
    const owner = group.find((one) => isOwner(one, lead, members))
    const all = [...new Set([...(owner === undefined ? [] : [owner]), ...members])]
    const vanished = vanishedAmong(all)
    if (vanished === undefined) continue
    const why = sightFaults.vanished(owner?.address ?? placeText(lead), vanished)
    for (const { address } of all.filter(isMissing)) hidden.set(address, why)
  }
  return hidden
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
