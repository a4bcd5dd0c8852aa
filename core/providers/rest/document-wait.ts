import * as z from 'zod'
import { bodyRule } from './document-answers.ts'
import { json, name, place, scalar, status } from './document-words.ts'

/* What a write that only begins something is waited for with. */

const places = z.union([place, z.array(place).min(1)])

const waiter = z.strictObject({
  /** An operation; with `from`, path variables that the answer before gives; or where the Location header points. */
  poll: z.union([
    name,
    z.strictObject({ op: name, from: z.record(name, place.min(1)).exactOptional() }),
    z.strictObject({ location: z.literal(true) }),
  ]),
  /** Statuses of the write's answer that ask to wait; a state in it that is not in `ok` does too. */
  when: z.array(status).min(1).default([202]),
  /** Where an answer tells the state. Without it, a success that is no 202 is the end. */
  state: place.min(1).exactOptional(),
  ok: z.array(scalar).min(1).exactOptional(),
  error: z.array(scalar).min(1).exactOptional(),
  /** What an answer holds that says that it failed: Google's operations are done, and have an error. */
  failed: z.array(bodyRule).min(1).exactOptional(),
  /** The end is that there is nothing any more, or an object with these values at these places. */
  gone: z.union([z.literal('success'), z.strictObject({ where: z.record(z.string(), json) })]).exactOptional(),
  /** Where an `error` has its reason. */
  message: places.exactOptional(),
  intervalSeconds: z.number().positive().default(5),
  backoff: z.number().min(1).max(10).default(1),
  timeoutSeconds: z.number().positive().default(1_800),
  /** Server ids that the last answer holds. */
  produces: z.record(name, place.min(1)).exactOptional(),
})
export type WaiterEntry = z.infer<typeof waiter>

/** One after the other: an order, then what was ordered. */
export const wait = z.union([waiter, z.array(waiter).min(1)])
export type WaitEntry = z.infer<typeof wait>

/** States in which an object says more of itself than its attributes do. */
export const states = z.strictObject({
  at: place.min(1),
  /** Another change is under way: nothing is known until it ends. */
  busy: z.array(scalar).min(1).exactOptional(),
  error: z.array(scalar).min(1).exactOptional(),
  message: places.exactOptional(),
})
export type StatesEntry = z.infer<typeof states>
