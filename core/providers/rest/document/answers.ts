import * as z from 'zod'
import { described, json, objectChapter, optional } from '../../../schema/described.ts'
import { mediaType, place, places, several, status, statusKey } from './words.ts'

/* What answers mean, beyond their statuses. */

const absence = z
  .strictObject({
    status: described(status, 'The status.', 404),
    type: described(
      z.union([mediaType, several(mediaType)]),
      'What the answer is: `json`, `none` (no body), a media type such as `text/plain`, one of several, or `any`.',
      ['json', 'none'],
    ),
  })
  .meta({
    id: 'absence',
    description:
      'A status that means "not there" in answers that are no JSON too. A status alone means it in JSON only: a page of a proxy, or an answer without a body, says nothing about an object.',
  })

export const absences = z.array(z.union([status, absence, z.null()]))
export type Absences = readonly z.infer<typeof absences>[number][]

const reason = z
  .enum(['unauthorised', 'forbidden', 'rate_limited', 'server_error', 'timeout', 'unexpected_status'])
  .meta({ id: 'reason', description: 'Why nothing is known after an answer.' })

export const unknowns = z.record(statusKey, reason)

export const bodyRule = objectChapter('rule', 'A rule for bodies', 'Holds where all that it says of the value does.', {
  place: described(place, 'Where the value is.', 'error.code'),
  exists: optional(z.boolean(), 'Whether there is something at the place; null is nothing.'),
  is: optional(several(json), 'The value is one of these.', ['NotFound']),
  not: optional(several(json), 'The value is none of these.', ['ok']),
})

export type BodyRuleEntry = z.infer<typeof bodyRule>

const errorRule = bodyRule.extend({
  status: optional(
    several(status),
    'The statuses that the rule is about, in the place of those that mean success: for an API that says 500 to all that is wrong.',
    [500],
  ),
  means: described(
    status.default(400),
    'The status that the answer should have had: all that statuses mean follows from it.',
  ),
})

export const errors = objectChapter(
  'errors',
  'Failures in bodies',
  'What a body says of a failure, in reads and writes.',
  {
    message: optional(
      places,
      'Where the body of a failure has words for people; of several places the first that has some. They are shown with the failure, redacted and cut; of a read only where the type has no sensitive attribute, which they could repeat.',
      ['error.message', 'detail'],
    ),
    when: optional(
      several(errorRule),
      'What makes a failure of a success, or another status of a failure: the answer counts as one with the status `means` where all that a rule says holds.',
      [{ place: 'error.code', is: ['NotFound'], means: 404 }],
    ),
  },
)
export type ErrorsEntry = z.infer<typeof errors>

export const envelope = z.strictObject({
  body: optional(json, 'What stands around the body of every write, with `{fields}`.', {
    data: '{fields}',
  }),
  answer: optional(place, 'The place of the object in every answer, or of what holds the `items` of a list.', 'data'),
})

export const rate = z.strictObject({
  requests: described(z.number().int().positive(), 'So many requests.', 60),
  per: described(z.enum(['second', 'minute', 'hour']), 'Within this time.'),
  burst: described(z.number().int().positive().default(1), 'So many of them at once.'),
})
