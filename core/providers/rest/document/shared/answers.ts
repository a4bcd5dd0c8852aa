import * as z from 'zod'
import { described, json, objectChapter, optional } from '../../../../engine/schema/described.ts'
import { mediaType, place, places, several, status, statusKey } from './words.ts'

/** The meaning of answers, beyond their statuses. */

const absence = z
  .strictObject({
    status: described(status, 'The status.', 404),
    type: described(
      z.union([mediaType, several(mediaType)]),
      'What the answer must be: `json`, `none` (no body), a media type such as `text/plain`, one of several, or `any`.',
      ['json', 'none'],
    ),
  })
  .meta({
    id: 'absence',
    description:
      'A status that means "not there" also in answers that are not JSON. A status alone means it in JSON only: an error page of a proxy, or an answer without a body, proves nothing about an object.',
  })

export const absences = z.array(z.union([status, absence, z.null()]))
export type Absences = readonly z.infer<typeof absences>[number][]

const reason = z
  .enum(['unauthorised', 'not_offered', 'forbidden', 'rate_limited', 'server_error', 'timeout', 'unexpected_status'])
  .meta({ id: 'reason', description: 'Why an answer proves nothing.' })

export const unknowns = z.record(statusKey, reason)

export const bodyRule = objectChapter(
  'rule',
  'A rule for bodies',
  'A rule holds if all its conditions hold for the value at `place`.',
  {
    place: described(place, 'Where the value is.', 'error.code'),
    exists: optional(z.boolean(), 'Whether there is a value at the place; null is no value.'),
    is: optional(several(json), 'The value is one of these.', ['NotFound']),
    has: optional(
      several(z.string().min(1)),
      'The value is a text that contains one of these, in capital or small letters.',
      ['must be enabled'],
    ),
    not: optional(
      several(json),
      'The value is none of these. Under `errors.when` a missing value is none of them, so that an answer without it is a failure; elsewhere the value must be there.',
      ['ok'],
    ),
  },
)

export type BodyRuleEntry = z.infer<typeof bodyRule>

const errorRule = bodyRule.extend({
  status: optional(
    several(status),
    'The statuses to which the rule applies, instead of those that mean success: for an API that answers every failure with 500.',
    [500],
  ),
  and: optional(several(bodyRule), 'Rules for other places of the body; all must hold, too.', [
    { place: 'result', exists: false },
  ]),
  means: described(
    status.default(400),
    'The status that the answer should have had; the answer is then treated as one with this status.',
  ),
})

export const errors = objectChapter(
  'errors',
  'Failures in bodies',
  'How bodies report failures, for reads and writes.',
  {
    message: optional(
      places,
      'Where the body of a failure has a message for people, or an object of messages by field; of several places the first that has one. It is shown with the failure, redacted and shortened. For a read of an object it is shown only if the type has no sensitive attribute, because the message could repeat its value. What a server says where it refuses a sign-in is shown without this fact.',
      ['error.message', 'detail'],
    ),
    permission: optional(
      z.strictObject({
        header: described(
          z.union([z.string().min(1), several(z.string().min(1))]),
          'The header; of several the first that says something.',
          'X-Accepted-GitHub-Permissions',
        ),
      }),
      'Where a refusal (403, 404) of a read or a write names the permission that its request needs. Without it, or if the type has a sensitive attribute, the message names what `permissions` of the operation or the type states.',
    ),
    when: optional(
      several(errorRule),
      'Rules that turn a success into a failure, or change the status of a failure. If all conditions of a rule hold, the answer counts as one with the status `means`.',
      [{ place: 'error.code', is: ['NotFound'], means: 404 }],
    ),
  },
)
export type ErrorsEntry = z.infer<typeof errors>

export const envelope = z.strictObject({
  body: optional(json, 'What encloses the body of every write, with `{fields}`.', {
    data: '{fields}',
  }),
  answer: optional(
    place,
    'The place of the object in every answer, or of the value in which `items` of a list is.',
    'data',
  ),
})

export const rate = z.strictObject({
  requests: described(z.number().int().positive(), 'The number of requests.', 60),
  per: described(z.enum(['second', 'minute', 'hour']), 'The time for this number.'),
  burst: described(z.number().int().positive().default(1), 'How many of them may be sent at once.'),
})
