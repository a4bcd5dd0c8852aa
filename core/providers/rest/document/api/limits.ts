import * as z from 'zod'
import { chapter, described, optional } from '../../../../engine/schema/described.ts'
import { count, headerName as header, several } from '../shared/words.ts'

/** How an API tells its limits, and what it does beyond them. */
export const limits = chapter(
  'limits',
  'Limits of requests',
  'How the API limits requests. What it would refuse is not sent: a short time is waited for, and beyond that resources are unchecked (*budget*), never absent.',
  z.strictObject({
    headers: optional(
      z.strictObject({
        limit: optional(header, 'The header that has the number of requests in a time.', 'X-RateLimit-Limit'),
        remaining: described(
          header,
          'The header that has the number of requests that are left.',
          'X-RateLimit-Remaining',
        ),
        reset: described(
          header,
          'The header that has the time when the limit begins anew: seconds from now, or seconds or milliseconds since 1970.',
          'X-RateLimit-Reset',
        ),
        resource: optional(header, 'The header that names the limit, for an API with several.', 'X-RateLimit-Resource'),
      }),
      'The headers of answers that tell what is left. The first request of a run is sent alone, to learn it.',
    ),
    refused: optional(
      z.strictObject({
        statuses: described(
          z.array(z.number().int().min(400).max(599)).min(1),
          'Statuses of such answers besides 429. They count only with `Retry-After`, with nothing left, or with one of `words`.',
          [403],
        ),
        words: optional(several(z.string().min(1)), 'A text in the body of such an answer, in any case.', [
          'secondary rate limit',
        ]),
      }),
      'Answers that mean a limit, and not that something is forbidden.',
    ),
    reserve: described(
      z.number().min(0).max(0.9).default(0.1),
      'The share of the limit that a check leaves to others. An apply may use it.',
    ),
    points: optional(
      z.strictObject({
        perMinute: described(count, 'The number of points in any 60 seconds.', 900),
        read: described(count.default(1), 'The points of a read.'),
        write: described(count.default(1), 'The points of a write.', 5),
      }),
      'A limit that no header tells.',
    ),
    writePauseMs: optional(count, 'The shortest time between the starts of two writes, in milliseconds.', 1_000),
  }),
)
export type LimitsEntry = z.infer<typeof limits>
