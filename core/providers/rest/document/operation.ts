import * as z from 'zod'
import { grades } from '../../../schema/command.ts'
import { described, json, name, objectChapter, optional } from '../../../schema/described.ts'
import { absences, bodyRule, errors, unknowns } from './answers.ts'
import { pagination } from './pages.ts'
import { names } from './template.ts'
import { wait } from './wait.ts'
import { idPlace, place, scalar, several, status, template } from './words.ts'

export const operation = objectChapter(
  'operation',
  'Operation',
  'One request of the API: `{ method: GET, path: "/things/{id}" }`.',
  {
    method: described(z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']), 'The method.'),
    path: described(
      template.regex(/^\//, 'a path starts with /'),
      'The path below the base URL. A variable is one segment: what it holds is encoded.',
      '/zones/{id}',
    ),
    query: optional(z.record(z.string(), scalar), 'Parameters of the query.', { zone: '{name}' }),
    headers: optional(z.record(z.string(), z.string()), 'Headers of this request.'),
    body: optional(
      json,
      'The body, with `{fields}` for what the attributes give, which are the body when it is left out; `none`: nothing is sent. Of a POST that reads, what it asks.',
      { zone: '{fields}' },
    ),
    contentType: optional(
      z.string(),
      'Of the body, where it is not JSON (or what `send` says): `application/x-www-form-urlencoded` makes it a form.',
      'application/x-www-form-urlencoded',
    ),
    lock: optional(
      z.boolean(),
      'Whether the lock of the resource goes along; when left out, it does where the path is that of the read.',
    ),
    affects: optional(
      several(name),
      'Attributes that it may change besides those that it writes: a stop changes the state. Whatever else moves between two commands of one change stops the apply.',
      ['state'],
    ),
    success: optional(several(status), 'Statuses of a success; 200-299 when left out.', [201]),
    effect: optional(z.enum(['read', 'write']), '`read` for a POST that only reads.'),
    grade: optional(z.enum(grades), "Where the engine's own grade is wrong."),
    answer: optional(place, 'Where the answer holds the object, where it is not the whole.', 'data'),
    absent: optional(
      absences,
      'What means "not there", in the place of what the use of the operation says: statuses, and `null`.',
      [404, null],
    ),
    unknown: optional(unknowns, "Statuses that tell nothing, with their reason, in the place of the provider's.", {
      423: 'rate_limited',
    }),
    emptyWhen: optional(
      several(bodyRule),
      'Of a list: what an answer holds that leaves the list out because nothing is in it, all of these rules. Any other answer without the list is *bad_body*.',
      [{ place: 'total', is: [0] }],
      [{ place: '', is: [{}] }],
    ),
    existence: optional(
      z.literal(true),
      'Of a read: its success says that the object is there, and nothing more, as a HEAD does, or a GET that answers 204. All that is known of the object then stands in its URL (`in: path`).',
    ),
    errors: optional(errors, "In the place of the provider's."),
    pagination: optional(pagination, "For a list that comes in other pages than the provider's lists."),
    produces: optional(
      z.record(name, idPlace),
      'Server ids that the answer of a create holds, with their places, within `answer`, or their headers.',
      { id: 'id' },
      { id: { header: 'Location' } },
    ),
    wait: optional(
      z.union([z.literal('none'), wait]),
      "What its success is waited for with, in the place of the resource's: a waiter, several in sequence, or `none`.",
    ),
  },
)
export type Operation = z.infer<typeof operation>

export const listing = objectChapter(
  'listing',
  'Listing',
  'How a list is asked for, and where its items are in the answer.',
  {
    op: described(name.default('list'), 'The operation.'),
    query: optional(z.record(z.string(), scalar), 'Further parameters of the query.', {
      name_exact: '{name}',
    }),
    items: described(place.default(''), 'Where the answer holds the list.', 'results'),
    keyed: optional(
      name,
      'The items are the members of an object; an item takes the name of its member under this one.',
    ),
    absent: described(absences.default([]), 'What means an empty list: statuses, and `null`.', [404]),
  },
)
export type Listing = z.infer<typeof listing>

export const isRead = (operation: Operation): boolean =>
  operation.effect === 'read' || (operation.effect === undefined && ['GET', 'HEAD'].includes(operation.method))

/** Whether the request of an operation says where an element goes. */
export const takesPosition = (
  { operations }: { readonly operations: Readonly<Record<string, Operation>> },
  op: string | undefined,
): boolean => {
  const { path = '', query = {}, body = null } = operations[op ?? ''] ?? {}
  return names([path, query, body], 'to')
}

/** A success says that the object is there; no body says what it is like. */
export const tellsExistence = ({ method, existence }: Operation): boolean => method === 'HEAD' || existence === true
