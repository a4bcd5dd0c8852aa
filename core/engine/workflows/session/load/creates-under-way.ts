import { isAppError } from '../../../errors/errors.ts'

import type { Address } from '../../../schema/resource.ts'
import { hasEnded } from '../../../schema/stored/records.ts'
import { findApply } from '../../../state/applies/applies.ts'
import type { Recorded } from '../../../state/runs/recorded.ts'
import type { Store } from '../../../state/store/store.ts'
import { addressOf } from '../../../values/addresses/address.ts'
import { successorTo } from '../../../values/addresses/successor.ts'

/**
 * Records of creates that a target accepted, and that it was still at work on when their apply ended: what they make may come
 * at any time. An apply that cannot be read tells nothing, so that its creates may be such.
 */
export const createsUnderWay = async (
  store: Store,
  workspace: string,
  { resources }: Pick<Recorded, 'resources'>,
): Promise<ReadonlySet<Address>> => {
  const open = resources.flatMap(({ address, doubted, sentBy }) =>
    doubted === 'sent' && sentBy !== undefined ? [{ address, sentBy }] : [],
  )
  const bySender = [...Map.groupBy(open, ({ sentBy }) => sentBy)]
  const found = bySender.map(async ([apply, sent]) => {
    const running = await runningIn(store, workspace, apply)
    return sent.flatMap(({ address }) => (running?.has(successorTo(address)) === false ? [] : [address]))
  })
  return new Set((await Promise.all(found)).flat())
}

/** `undefined` if the record of the apply cannot be read. */
const runningIn = async (store: Store, workspace: string, id: string): Promise<ReadonlySet<Address> | undefined> => {
  try {
    const apply = await findApply(store, workspace, id)
    const outcomes = apply !== undefined && hasEnded(apply) ? apply.outcomes : []
    return new Set(outcomes.flatMap(({ command, running }) => (running ? [addressOf(command)] : [])))
  } catch (error) {
    if (isAppError(error, 'STORE_CORRUPT')) return undefined
    throw error
  }
}
