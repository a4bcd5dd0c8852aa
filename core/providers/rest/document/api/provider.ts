import * as z from 'zod'
import { described, name, objectChapter, optional } from '../../../../engine/schema/described.ts'
import { conditional, operation } from '../operation/operation.ts'
import { pagination } from '../operation/pages.ts'
import { absences, bodyRule, envelope, errors, rate, unknowns } from '../shared/answers.ts'
import { count, place, scalar, several, template, withMembers } from '../shared/words.ts'
import { auth, tls } from './auth.ts'
import { limits } from './limits.ts'

const given = z.strictObject({
  description: optional(z.string(), 'For people.'),
  default: optional(scalar, 'The value if a workspace gives none. Without a default the workspace must give a value.'),
  values: optional(several(scalar), 'The only values that it takes. A body can choose by them (`$choose`).', [
    'text',
    'object',
  ]),
  secret: optional(z.boolean(), '`true`: the value must be a reference to a secret.'),
  optional: optional(z.boolean(), '`true`: a workspace may leave it out. What needs it then has no value.'),
  place: optional(
    z.literal(false),
    '`false`: it chooses no part of the target, as a tenant does: with another value the objects are the same. User names, versions, languages and page sizes are known to choose none.',
  ),
})

const reads = z.strictObject({
  absent: described(
    absences.default([404]),
    'What means "not there" when an object is read: statuses, in JSON answers unless `type` says otherwise, and `null` for a success whose body is `null` or empty.',
    [404, 410],
  ),
  lag: described(
    z.number().min(0).max(300).default(15),
    'Seconds for which reads may still show what was there before a write. After a write they are repeated, with growing pauses, as long as all that is still missing is as it was; 0 for a target that shows each write at once.',
    60,
  ),
  leftOut: optional(
    z.boolean(),
    '`true`: answers leave out attributes without a value (`leftOut` of an attribute). This does not apply to identity keys and `required` attributes.',
  ),
  list: described(
    z.strictObject({
      bytes: described(count.default(134_217_728), 'Largest size of all its pages, in bytes after decompression.'),
      seconds: described(
        count.default(300),
        'Longest time for all its pages, in seconds; then a request in progress is cancelled.',
      ),
    }),
    'Limits of one list. A list with more bytes is unknown (*budget*), and so is a list that takes longer (*deadline*).',
    { bytes: 134_217_728, seconds: 300 },
  ).default({ bytes: 134_217_728, seconds: 300 }),
  unknown: described(
    unknowns.default({}),
    'Statuses that have another reason. A status that is not listed is unknown too: 401 is *unauthorised*, 403 *forbidden*, 429 *rate_limited*, 5xx *server_error*, others *unexpected_status*.',
    { 423: 'rate_limited' },
  ),
  conditional: optional(
    conditional.exclude(['none']),
    'Keeps the answers of reads, encrypted, and asks the server by their ETag whether they are still valid. A 304 means yes, and many APIs do not count it. `strong`: strong ETags only; `weak`: weak ones too, for a server whose weak ETag changes with every value. Answers about types with a `sensitive` attribute that can be read are never kept.',
    'strong',
  ),
  emptyWhen: optional(
    several(bodyRule),
    'For lists whose operation does not say it: rules for answers that leave out an empty list.',
    [{ place: 'count', is: [0] }],
  ),
})

const sight = z.strictObject({
  read: described(operation, 'The read that must succeed.', { method: 'GET', path: '/users/me' }),
  sees: described(z.array(bodyRule), 'Rules for its answer, with places within `answer`; all must hold.', [
    { place: 'is_staff', is: [true] },
  ]).default([]),
})

const me = z.strictObject({
  read: described(operation, 'The read that returns the caller. It can use the same variables as `sight.read`.', {
    method: 'GET',
    path: '/users/me',
  }),
  as: described(
    withMembers(z.record(name, place.min(1)), 'name at least one value'),
    'Names of the values, with their places within `answer`. Each value is a text, a number or a boolean, and must exist.',
    { uuid: 'uuid' },
  ),
})

export const provider = objectChapter('provider', 'Provider', 'The API as a whole.', {
  id: described(name, 'The name of the API in messages.', 'powerdns'),
  description: optional(z.string(), 'For people.'),
  openapi: optional(
    z.string().min(1),
    "Where the API's OpenAPI description is: a path beside the document, or a URL. Only `plumbline provider check` reads it.",
    './openapi.json',
  ),
  waive: optional(
    several(
      z.strictObject({
        warning: described(z.string().min(1), 'The name of the warning, which stands in brackets.', 'notRead'),
        at: described(place.default(''), 'The part of this document that it is about.', 'resources.acme_thing'),
        reason: described(z.string().min(1), 'Why the document is right.', 'the server answers it'),
      }),
    ),
    'Warnings of `plumbline provider check` that are answered, because the description is wrong. A waiver without a warning is a warning itself.',
    [{ warning: 'notRead', at: 'resources.acme_thing', reason: 'the server answers it' }],
  ),
  with: optional(z.record(name, given), 'The inputs that a workspace gives under `with`, by name.', {
    apiKey: { description: 'Key of the API.', secret: true },
  }),
  baseUrl: described(template, 'Address of the API: http or https, without credentials and query.', '{with.baseUrl}'),
  graphql: optional(
    template,
    'Where the operations with `graphql` go: a URL of the same origin, or a path from the base URL, as a link on a page there would lead. `../graphql` is `/graphql` for a host alone, and `/api/graphql` for a base URL that ends with `/api/v3`.',
    '../graphql',
  ),
  socket: optional(
    template,
    'The Unix socket of the API: an absolute path, or a path below the folder of the workspace. All requests go there; the host of `baseUrl` is only sent as `Host`. An empty text means no socket.',
    '/run/api.sock',
  ),
  auth: optional(
    auth,
    'How requests sign in. Of a list the workspace chooses one way by the settings that it gives: the one whose variables all have a value.',
    { header: { name: 'X-API-Key', secret: '{with.apiKey}' } },
  ),
  tls: optional(
    tls,
    'Which authority is trusted, and the client certificate. Each is the path of a PEM file from the folder of the workspace, or a secret. Verification cannot be switched off.',
  ),
  params: optional(z.record(name, template), 'Constants for path variables.', {
    server_id: 'localhost',
  }),
  headers: optional(
    z.record(z.string(), z.string()),
    'Headers of every request, in addition to `Accept` and `Content-Type`. They take `{with.name}` of what is no secret; a secret belongs in `auth`.',
    {
      'API-Version': '2024-11-01',
      'X-Tenant': '{with.tenant}',
    },
  ),
  pagination: optional(
    pagination,
    'How lists are split into pages. When left out, a list is one answer; one that says of itself that more is to come is unknown. `style: none` says that it is all.',
    { style: 'page', param: 'page', size: { param: 'per_page', value: 100 } },
  ),
  reads: described(
    reads.default({ absent: [404], unknown: {}, lag: 15, list: { bytes: 134_217_728, seconds: 300 } }),
    'What the statuses of reads mean.',
  ),
  permissionLevels: optional(
    z.array(z.string().min(1)).min(1),
    'The levels of permissions, from the one that allows the least; `read`, `write` and `admin` when left out.',
    ['pull', 'push', 'admin'],
  ),
  sight: optional(
    sight,
    'A read that proves that the credentials still have their rights, for an API that answers 404 for objects that its caller may not see, or leaves them out of its lists. It is sent if an object is not found. If it fails, every object that is not found is unchecked. With and without it, this also happens if of two or more recorded objects, or of those in one place, more are missing than seen.',
  ),
  me: optional(
    me,
    'The owner of the credentials, for an API that also shows objects of other users. `{me.uuid}` can be used in requests, in `where` and `whereNot` of a lookup, in `ignore` and in the `scope` of a reference. It is read once in a run; if the read fails, the types that use it are unchecked. Records name it: what another caller is not shown is unchecked too. A command is approved for this caller, and is not sent for another one.',
    { read: { method: 'GET', path: '/users/me' }, as: { uuid: 'uuid' } },
  ),
  errors: optional(errors, 'How bodies report failures.'),
  envelope: optional(
    envelope,
    'What encloses every object. An operation can override it with its own `body` and `answer`. `body` applies only to POST, PUT and PATCH requests that write.',
  ),
  encodePath: described(
    z.enum(['full', 'plain']).default('full'),
    '`full` encodes all but letters, digits and `-_.~` in a segment of a path; `plain` leaves what RFC 3986 allows there. `/` and `%` are always encoded.',
  ),
  redirects: described(
    z.enum(['sameOrigin', 'anyOrigin']).default('sameOrigin'),
    'Where a read may be redirected to. `anyOrigin` is for an API that needs no credentials and redirects reads to other hosts; a request with credentials always stays at its origin.',
  ),
  maxBodyBytes: optional(count, 'Largest answer that is read, in bytes.', 67_108_864),
  timeoutMs: optional(count, 'Time for one request, in milliseconds.', 30_000),
  concurrency: optional(count, 'Largest number of requests at the same time.', 4),
  writeConcurrency: described(
    count.default(1),
    'Largest number of commands of an apply at the same time, up to `concurrency`. `1`: one after the other. Commands that may meet at one object are never sent at the same time.',
    4,
  ),
  limits: optional(limits, 'How the API limits requests, and what of that is left to others.', {
    headers: { remaining: 'X-RateLimit-Remaining', reset: 'X-RateLimit-Reset' },
  }),
  rate: optional(
    rate,
    'The largest number of requests in a time; further requests wait. After a 429 a request always waits as long as `Retry-After` or the reset header of a rate limit says.',
    { requests: 60, per: 'minute', burst: 5 },
  ),
})
export type RestSettings = z.infer<typeof provider>
