import * as z from 'zod'
import { optional } from '../described.ts'

const count = z.number().int().nonnegative()

export const stateChangeKinds = ['forgotten', 'moved', 'imported', 'tainted', 'untainted'] as const
export type StateChangeKind = (typeof stateChangeKinds)[number]

/** What the ledger stores of a change of the recorded state. */
export const stateChangeShape = z.object({
  lineage: z.string(),
  before: count.meta({ description: 'Serial before the change.' }),
  after: count.meta({ description: 'Serial after it.' }),
  addresses: optional(
    z.array(z.string()),
    'The addresses that it is about; of a move, the former one and the new one.',
  ),
  digest: optional(z.string(), 'Of the imported document.'),
  backup: optional(z.string(), 'Id of the copy of what was recorded before; absent if nothing was.'),
})
export type StateChange = z.infer<typeof stateChangeShape>
