import { present } from '../../../engine/values/defined.ts'
import { count } from '../../render/shared/words.ts'
import type { TofuDocument } from '../read/load-document.ts'
import { elementsOf } from '../read/value.ts'

/**
 * What a plan has and the page of a product leaves out, because the product has no words for it; `undefined` if it leaves nothing
 * out. `knowsActions`: the product shows deferred changes, and actions that are invoked now.
 */
export const unshownNote = ({ members, name }: TofuDocument, knowsActions: boolean): string | undefined => {
  const amount = (member: string): number => elementsOf(members.get(member)).length
  const [deferred, invoked] = knowsActions ? [0, 0] : [amount('deferred_changes'), amount('action_invocations')]
  const later = amount('deferred_action_invocations')
  const left = present(
    deferred > 0 && count(deferred, 'deferred change'),
    invoked > 0 && count(invoked, 'invoked action'),
    later > 0 && count(later, 'deferred action'),
  )
  if (left.length === 0) return undefined
  return `${name} has ${left.join(' and ')}, which the page of this product does not show; leave out --compat to see everything`
}
