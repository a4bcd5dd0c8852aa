import { blocks } from '../../../plan/words.ts'
import type { Address } from '../../../schema/resource.ts'
import type { Change } from '../../../schema/stored/plan.ts'
import { successorTo } from '../../../values/addresses/successor.ts'
import type { BoundResource } from './observation.ts'

/** A replacement whose create was sent without an answer is not sent again as long as its object may be one of several. */
export const keepUnanswered = (changes: readonly Change[], resources: Iterable<BoundResource>): readonly Change[] => {
  const open = new Map<Address, BoundResource>()
  for (const one of resources) {
    const { address, recorded, observed } = one
    if (recorded?.doubted === 'sent' && successorTo(address) !== address && observed.result.kind === 'unknown')
      open.set(successorTo(address), one)
  }
  return changes.map((change) => {
    const beside = open.get(change.address)
    const isMade = change.action === 'create' || change.action === 'replace'
    if (beside === undefined || !isMade || change.blocked !== undefined) return change
    const isNamed = beside.type?.identity?.ids === 'stable'
    return { ...change, blocked: { reason: 'unanswered', detail: blocks.unanswered(beside.address, isNamed) } }
  })
}
