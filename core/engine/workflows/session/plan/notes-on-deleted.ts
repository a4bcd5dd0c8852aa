import { stillUsed } from '../../../plan/words.ts'
import type { Note } from '../../../schema/issue.ts'
import type { Address } from '../../../schema/resource.ts'
import type { Change } from '../../../schema/stored/plan.ts'
import { meets } from './leads.ts'
import type { ResourcePlan } from './observation.ts'

/**
 * Tells of each object that is deleted while declared resources are in it, or refer to it in another way: their values decide, and
 * not the dependencies, because a literal makes none. What another declared object has too leads to that one.
 */
export const notesOnDeleted = (changes: readonly Change[], all: readonly ResourcePlan[]): readonly Note[] => {
  const deleted = new Set(
    changes.flatMap(({ action, blocked, address }) => (action === 'delete' && blocked === undefined ? [address] : [])),
  )
  if (deleted.size === 0) return []
  const kindOf = (provider: string, type: string | undefined): string => JSON.stringify([provider, type])
  const owners = Map.groupBy(all, ({ provider, type }) => kindOf(provider, type?.name))
  const kinds = new Set(
    [...owners].flatMap(([kind, each]) => (each.some(({ address }) => deleted.has(address)) ? [kind] : [])),
  )
  const users = new Map<Address, ResourcePlan[]>()
  for (const one of all) {
    const { desired, type, provider, desiredAttributes = {} } = one
    if (desired === undefined || desired.absent) continue
    const leads = (type?.uses?.(desiredAttributes) ?? []).filter((lead) => kinds.has(kindOf(provider, lead.type)))
    const used = leads.flatMap((lead): readonly Address[] => {
      const met = (owners.get(kindOf(provider, lead.type)) ?? []).filter((owner) => meets(lead, owner) === 'yes')
      return met.every(({ address }) => deleted.has(address)) ? met.map(({ address }) => address) : []
    })
    for (const address of new Set(used)) users.set(address, [...(users.get(address) ?? []), one])
  }
  return [...users].flatMap(([address, by]): readonly Note[] => {
    const position = all.find((each) => each.address === address)?.desired?.position ?? by[0]?.desired?.position
    if (position === undefined) return []
    const words = stillUsed(
      address,
      by.map((each) => each.address),
    )
    return [{ level: 'warning', ...position, ...words, value: address }]
  })
}
