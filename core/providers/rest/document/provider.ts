import * as z from 'zod'
import { described, name, objectChapter, optional } from '../../../schema/described.ts'
import { absences, bodyRule, envelope, errors, rate, unknowns } from './answers.ts'
import { auth, tls } from './auth.ts'
import { operation } from './operation.ts'
import { pagination } from './pages.ts'
import { count, place, scalar, several, template } from './words.ts'

const given = z.strictObject({
  description: optional(z.string(), 'For people.'),
  default: optional(scalar, 'Its value where a workspace gives none; without it, it is demanded.'),
  secret: optional(z.boolean(), 'With `true` it takes references to secrets only.'),
})

const reads = z.strictObject({
  absent: described(
    absences.default([404]),
    'What means "not there" when an object is read: statuses, in answers that are JSON unless `type` says otherwise, and `null` for a success that answers `null` or nothing at all.',
    [404, 410],
  ),
  leftOut: optional(
    z.boolean(),
    'With `true`, for all attributes but the identity keys and the `required` ones: answers leave out what has no value (`leftOut` of an attribute).',
  ),
  list: described(
    z.strictObject({
      bytes: described(count.default(134_217_728), 'Most bytes of all its pages, after decompression.'),
      seconds: described(count.default(300), 'Longest time for all of them; the request under way may still end.'),
    }),
    'What one list may cost. A list that takes more is unknown (*budget*).',
    { bytes: 134_217_728, seconds: 300 },
  ).default({ bytes: 134_217_728, seconds: 300 }),
  unknown: described(
    unknowns.default({}),
    'Other statuses with their reason. What is not listed is unknown all the same: 401 is *unauthorised*, 403 *forbidden*, 429 *rate_limited*, 5xx *server_error*, others *unexpected_status*.',
    { 423: 'rate_limited' },
  ),
  emptyWhen: optional(
    several(bodyRule),
    'For all lists that do not say it themselves: what an answer holds that leaves its list out because nothing is in it.',
    [{ place: 'count', is: [0] }],
  ),
})

const sight = z.strictObject({
  read: described(operation, 'The read that must succeed.', { method: 'GET', path: '/users/me' }),
  sees: described(z.array(bodyRule), 'What its answer must hold, all of these rules.', [
    { place: 'is_staff', is: [true] },
  ]).default([]),
})

const me = z.strictObject({
  read: described(operation, 'The read that tells it. Its variables are those of `sight.read`.', {
    method: 'GET',
    path: '/users/me',
  }),
  as: described(
    z.record(name, place.min(1)).refine((places) => Object.keys(places).length > 0, 'name at least one value'),
    'Names of its values, with their places within `answer`. Each is a text, a number or a boolean, and must be there.',
    { uuid: 'uuid' },
  ),
})

export const provider = objectChapter('provider', 'Provider', 'The API as a whole.', {
  id: described(name, 'For messages.', 'powerdns'),
  description: optional(z.string(), 'For people.'),
  openapi: optional(
    z.string().min(1),
    "Where the API's OpenAPI description is: a path beside the document, or a URL. Only `plumbline provider check` reads it.",
    './openapi.json',
  ),
  with: optional(z.record(name, given), 'What a workspace gives under `with`, by name.', {
    apiKey: { description: 'Key of the API.', secret: true },
  }),
  baseUrl: described(template, 'Address of the API: http or https, without credentials and query.', '{with.baseUrl}'),
  socket: optional(
    template,
    'The Unix socket that the API listens at: an absolute path, or one below the folder of the workspace. Everything goes there; the host of `baseUrl` is sent as `Host` and asks nobody. An empty text is none.',
    '/run/api.sock',
  ),
  auth: optional(auth, 'How requests sign in.', {
    header: { name: 'X-API-Key', secret: '{with.apiKey}' },
  }),
  tls: optional(
    tls,
    'Whom to trust, and who we are. Each is the path of a PEM file from the folder of the workspace, or a secret. Nothing turns verification off.',
  ),
  params: optional(z.record(name, template), 'Constants for path variables.', {
    server_id: 'localhost',
  }),
  headers: optional(z.record(z.string(), z.string()), 'Sent with every request, besides `Accept` and `Content-Type`.', {
    'API-Version': '2024-11-01',
  }),
  pagination: described(pagination.default({ style: 'none' }), 'How lists come.', {
    style: 'page',
    param: 'page',
    size: { param: 'per_page', value: 100 },
  }),
  reads: described(
    reads.default({ absent: [404], unknown: {}, list: { bytes: 134_217_728, seconds: 300 } }),
    'What the statuses of reads mean.',
  ),
  sight: optional(
    sight,
    'What shows that the credentials still see what they must see, for an API that answers 404 for what its caller may not see, or leaves it out of its lists. It is read where an object is not found; where it fails, everything that is not found is unchecked. Without it, recorded objects that are gone together (all of several, or most of them) are unchecked.',
  ),
  me: optional(
    me,
    'Who the credentials belong to, for an API that shows the objects of others too. `{me.uuid}` stands in requests, in `where` and `whereNot` of a lookup, in `ignore` and in the `scope` of a reference. It is read once in a run, where something needs it; where it fails, that is unchecked. An approved command is for this caller: as another one it is not sent.',
    { read: { method: 'GET', path: '/users/me' }, as: { uuid: 'uuid' } },
  ),
  errors: optional(errors, 'What a body says of a failure.'),
  envelope: optional(
    envelope,
    'What stands around every object. What an operation says itself wins; a delete and a read have no envelope.',
  ),
  encodePath: described(
    z.enum(['full', 'plain']).default('full'),
    '`full` encodes all but letters, digits and `-_.~` in a segment of a path; `plain` leaves what RFC 3986 allows there. `/` and `%` are always encoded.',
  ),
  redirects: described(
    z.enum(['sameOrigin', 'anyOrigin']).default('sameOrigin'),
    'Where a read may be redirected to. `anyOrigin` is for an API without credentials of any kind that hands its reads on to other hosts; a request that proves who we are stays at its origin all the same.',
  ),
  maxBodyBytes: optional(count, 'Longest answer that is read, in bytes.', 67_108_864),
  timeoutMs: optional(count, 'Time for one request, in milliseconds.', 30_000),
  concurrency: optional(count, 'Most requests at the same time.', 4),
  rate: optional(
    rate,
    "No more requests than that; the others wait. A 429 is waited out anyway, as long as `Retry-After` or a rate limit's reset header says.",
    { requests: 60, per: 'minute', burst: 5 },
  ),
})
export type RestSettings = z.infer<typeof provider>
