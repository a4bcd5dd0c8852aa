import * as z from 'zod'
import { optional } from '../described.ts'

/** How to wait for an accepted command, so that another worker can continue: the write itself is never sent again. */
export const waitingShape = z.object({
  waiter: z.number().int().nonnegative().meta({ description: 'Index in the `wait` of the command, from 0.' }),
  since: z.iso.datetime(),
  location: z.string().exactOptional(),
  answers: optional(
    z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    'Values from answers that later requests use, by their JSON pointers.',
  ),
})
export type Waiting = z.infer<typeof waitingShape>
