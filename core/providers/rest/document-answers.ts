import * as z from 'zod'
import { json, place, status } from './document-words.ts'

/* What answers mean, beyond their statuses. */

/** What an answer says where there is nothing: a status, or a success whose object or list is `null`. */
export const absences = z.array(z.union([status, z.null()]))
export type Absences = readonly z.infer<typeof absences>[number][]

const unknownReasons = [
  'unauthorised',
  'forbidden',
  'rate_limited',
  'server_error',
  'timeout',
  'unexpected_status',
] as const

/** Statuses by the reason for which nothing is known then. */
export const unknowns = z.record(z.string().regex(/^[1-5]\d\d$/, 'a status such as 418'), z.enum(unknownReasons))

/** Holds where all that is said of the value does. */
export const bodyRule = z.strictObject({
  place,
  /** Whether there is something at the place; null is nothing. */
  exists: z.boolean().exactOptional(),
  is: z.array(json).min(1).exactOptional(),
  not: z.array(json).min(1).exactOptional(),
})

export type BodyRuleEntry = z.infer<typeof bodyRule>

const errorRule = bodyRule.extend({
  /** The status that the answer should have had: all that statuses mean follows from it. */
  means: status.default(400),
})

export const errors = z.strictObject({
  /** Where a failure's body holds words for people; of several places the first that has some. */
  message: z.union([place, z.array(place).min(1)]).exactOptional(),
  /** What makes a failure of a success. */
  when: z.array(errorRule).min(1).exactOptional(),
})
export type ErrorsEntry = z.infer<typeof errors>

/** What stands around every object, where an operation does not say otherwise. */
export const envelope = z.strictObject({
  /** The body of a write, with `{fields}`. */
  body: json.exactOptional(),
  /** The place of the object, or of what holds the items of a list. */
  answer: place.exactOptional(),
})

/** So many requests within so much time; `burst` of them at once. */
export const rate = z.strictObject({
  requests: z.number().int().positive(),
  per: z.enum(['second', 'minute', 'hour']),
  burst: z.number().int().positive().default(1),
})
