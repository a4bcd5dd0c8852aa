import { asAppError } from '../../errors/errors.ts'
import { duePartitions } from '../../state/store/keys.ts'
import type { Key } from '../../state/store/store.ts'
import { dropDue, listDue, listQuarantined, type Quarantined } from '../../state/workspaces/due-list.ts'
import { defined } from '../../values/defined.ts'
import type { Deps } from '../deps.ts'
import { createSender, type Tally } from './send-due.ts'

export interface DueReport extends Readonly<Tally> {
  /** Entries whose workspace or time does not exist any more; they were removed from the due list. */
  readonly dropped: readonly Key[]
  readonly quarantined: readonly Quarantined[]
}

const pageSize = 100

/**
 * Queues a check for each due workspace, and moves the workspace to its next time. Each workspace is processed
 * separately: one that cannot be queued goes into quarantine, and does not delay the others. It is marked before its
 * check is queued and moved afterwards. So if two callers do this at the same time, one of them queues the check. If a
 * caller dies in between, nothing is lost: its marked checks are queued again, and each time is checked once. Starts
 * nothing after `deadline`.
 */
export const enqueueDue = async ({ deadline }: { readonly deadline?: Date }, deps: Deps): Promise<DueReport> => {
  const { store, clock } = deps
  const now = clock.now()
  const tally: Tally = { enqueued: [], failures: [], covered: 0, silent: 0, refused: 0, left: 0 }
  const isOver = (): boolean => deadline !== undefined && clock.now() >= deadline
  const dropped: Key[] = []
  const sendAll = createSender(tally, isOver, deps)

  const walk = async (partition: string): Promise<void> => {
    let after: string | undefined
    do {
      const page = await listDue(store, partition, { now, limit: pageSize, ...defined({ after }) })
      if (page.unreadable.length > 0) await dropDue(store, page.unreadable)
      dropped.push(...page.unreadable)
      await sendAll(page.entries)
      after = page.next
    } while (after !== undefined && !isOver())
    if (after !== undefined) tally.left += 1
  }
  const tryAgain = async (): Promise<void> => {
    const aside = await listQuarantined(store)
    await sendAll(aside.filter(({ again }) => again <= now.toISOString()))
  }
  /** An error in one part of the list does not delay the other parts. */
  const part = (walking: Promise<void>): Promise<unknown> =>
    walking.catch((cause: unknown) => tally.failures.push({ error: asAppError(cause) }))

  await Promise.all([...duePartitions.map((partition) => part(walk(partition))), part(tryAgain())])
  let quarantined: readonly Quarantined[] = []
  await part(
    listQuarantined(store).then((all) => {
      quarantined = all
    }),
  )
  return { ...tally, dropped, quarantined }
}
