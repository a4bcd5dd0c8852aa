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
  const isDeleted = ({ address }: ResourcePlan): boolean => deleted.has(address)
  const gone = Map.groupBy(all.filter(isDeleted), ({ provider, type }) => kindOf(provider, type?.name))
  const users = new Map<Address, ResourcePlan[]>()
  for (const one of all) {
    const { desired, type, provider, desiredAttributes = {} } = one
    if (desired === undefined || desired.absent) continue
    const used = (type?.uses?.(desiredAttributes) ?? []).flatMap((lead): readonly Address[] => {
      const kind = kindOf(provider, lead.type)
      const isMet = (owner: ResourcePlan): boolean => meets(lead, owner) === 'yes'
      // Few are deleted: only what leads to one of these is compared with all others.
      const met = (gone.get(kind) ?? []).filter(isMet)
      const hasOther = met.length > 0 && owners.get(kind)?.some((owner) => !isDeleted(owner) && isMet(owner))
      return hasOther === true ? [] : met.map(({ address }) => address)
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
