import * as z from 'zod'
import { grades } from '../../../../engine/schema/command.ts'
import { described, json, name, objectChapter, optional } from '../../../../engine/schema/described.ts'
import { absences, bodyRule, errors, unknowns } from '../shared/answers.ts'
import { names } from '../shared/template.ts'
import {
  graphqlWords,
  idPlace,
  permissions,
  place,
  scalar,
  several,
  status,
  template,
  withMembers,
} from '../shared/words.ts'
import { bulk } from './bulk.ts'
import { asHttp, kindOf, undeclaredIn } from './graphql.ts'
import { pagination } from './pages.ts'
import { sealedBox } from './sealed-box.ts'
import { wait } from './wait.ts'

export const conditional = z.enum(['strong', 'weak', 'none'])

const members = {
  method: optional(z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']), 'The method.'),
  path: optional(
    template.regex(/^\//, 'a path starts with /'),
    'The path below the base URL. A variable is one segment, and its value is encoded.',
    '/zones/{id}',
  ),
  graphql: optional(
    z.union([z.string().min(1), several(z.string().min(1)).transform((texts) => texts.join('\n'))]),
    'Instead of `method` and `path`: a GraphQL query, which is a read, or a mutation, which is a write; a list of texts is one text, for fragments that several operations have. It is sent as it is written, to `graphql` of the provider. `answer` and the places of `pagination` begin with `data`. An answer with `errors` is a failure, also if it has data: *NOT_FOUND* at `answer` or above it counts as 404, *FORBIDDEN* and *INSUFFICIENT_SCOPES* as 403, *RATE_LIMITED* as a limit. Each list in pages (`nodes` or `edges`) must have `pageInfo { hasNextPage }` beside it: an answer in which one is cut off is unknown, except the list that `pagination` reads on.',
    'query ($id: ID!) { node(id: $id) { id } }',
  ),
  variables: optional(
    z.record(z.string(), json),
    'The variables of `graphql`. `"...": "{fields}"` puts the members of an object between the others.',
    { id: '{id}' },
  ),
  query: optional(z.record(z.string(), scalar), 'Query parameters.', { zone: '{name}' }),
  escape: optional(
    withMembers(z.record(z.string().regex(/^.$/su, 'one character'), z.string()), 'name at least one character'),
    "How characters of a value are written inside of other text of the query and the body: for a filter such as `name eq '{name}'`. A text that is only a variable is sent as it is.",
    { "'": "''" },
    { '"': '\\"', '\\': '\\\\' },
  ),
  headers: optional(
    z.record(z.string(), z.string()),
    'Headers of this request. They take `{with.name}` of what is no secret.',
  ),
  body: optional(
    json,
    'The body, with `{fields}` for the attributes; when left out, the body is `{fields}` alone. `"...": "{fields}"` puts the members of an object between those of the template. `none`: no body is sent. For a POST that reads: the query.',
    { zone: '{fields}' },
  ),
  contentType: optional(
    z.string(),
    'The media type of the body, if it is not JSON (or the one of `send`); `application/x-www-form-urlencoded` makes it a form.',
    'application/x-www-form-urlencoded',
  ),
  sealedBox: optional(sealedBox, 'Values of the body that are encrypted right before it is sent.'),
  lock: optional(
    z.boolean(),
    'Whether the request carries the lock of the resource. When left out: if its path is the path of a read.',
  ),
  affects: optional(
    several(name),
    'Attributes that it may change in addition to those that it writes: for example, a stop changes the state. If any other attribute changes between two commands of one change, the apply stops.',
    ['state'],
  ),
  success: optional(several(status), 'Statuses of a success; 200-299 when left out.', [201]),
  effect: optional(z.enum(['read', 'write']), '`read` for a POST that only reads.'),
  grade: optional(z.enum(grades), 'The grade, if the computed one is wrong.'),
  answer: optional(place, 'Where the answer has the object, if it is not the whole answer.', 'data'),
  absent: optional(
    absences,
    'What means "not there" for this operation: statuses, and `null`. It overrides the `absent` of where the operation is used.',
    [404, null],
  ),
  unknown: optional(unknowns, 'Statuses that prove nothing, with their reason, instead of those of the provider.', {
    423: 'rate_limited',
  }),
  emptyWhen: optional(
    several(bodyRule),
    'For a list: rules for an answer that leaves out an empty list; all must hold. Any other answer without the list is *bad_body*.',
    [{ place: 'total', is: [0] }],
    [{ place: '', is: [{}] }],
  ),
  conditional: optional(
    conditional,
    'For a GET: instead of `reads.conditional`. `none`: its ETag does not tell all changes, or there is none.',
  ),
  bulk,
  existence: optional(
    z.literal(true),
    'For a read: a success means only that the object exists, as with HEAD, or a GET that answers 204. All attributes are then in the URL (`in: path`).',
  ),
  errors: optional(errors, 'Instead of the `errors` of the provider.'),
  pagination: optional(pagination, 'For a list whose pages differ from `pagination` of the provider.'),
  permissions: optional(
    permissions,
    'What the credentials must be allowed to do for this request, if it is not what `permissions` of its type says. `{}`: nothing.',
    { administration: 'write' },
  ),
  produces: optional(
    z.record(name, idPlace),
    'Server ids in the answer of a create, with their places within `answer`, or their headers.',
    { id: 'id' },
    { id: { header: 'Location' } },
  ),
  wait: optional(
    z.union([z.literal('none'), wait]),
    'How to wait after its success, instead of `wait` of the resource: a waiter, several in sequence, or `none`.',
  ),
}

const written = z.strictObject(members).superRefine((given, context) => {
  for (const { path, message } of lacksOf(given)) context.addIssue({ code: 'custom', path, message })
})
type WrittenOperation = z.infer<typeof written>

/** What the POST of a GraphQL operation has, or cannot have. */
const ofRequests = ['query', 'body', 'contentType', 'effect', 'conditional', 'existence'] as const

/** An operation is either a request by method and path, or one of GraphQL. */
const lacksOf = ({ method, path, graphql, ...rest }: WrittenOperation) => {
  const missing = Object.entries({ method, path }).filter(([, value]) => value === undefined)
  if (graphql === undefined) {
    const needless = rest.variables === undefined ? [] : [{ path: ['variables'], message: graphqlWords.withoutText }]
    return [...missing.map(([name]) => ({ path: [name], message: graphqlWords.missing })), ...needless]
  }
  const other = ['method', 'path', ...ofRequests] as const
  const both = { method, path, ...rest }
  return [
    ...other.filter((name) => both[name] !== undefined).map((name) => ({ path: [name], message: graphqlWords.both })),
    ...(kindOf(graphql) === undefined ? [{ path: ['graphql'], message: graphqlWords.notOne }] : []),
    ...undeclaredIn(graphql, rest.variables ?? {}).map((name) => ({
      path: ['variables', name],
      message: graphqlWords.undeclared,
    })),
  ]
}

type Complete = Omit<WrittenOperation, 'method' | 'path' | 'graphql' | 'variables'> &
  Required<Pick<WrittenOperation, 'method' | 'path'>>
/** One request of the API. A GraphQL operation is the POST that it is sent as. */
export interface Operation extends Complete {
  /** It goes to the GraphQL endpoint; its path is none of a URL, but the values that tell its object. */
  readonly graphql?: true
}

/** A request by method and path, or one of GraphQL: what the checks above say, for editors. */
const oneOfBoth = {
  if: { required: ['graphql'] },
  // biome-ignore lint/suspicious/noThenProperty: the key of JSON Schema
  then: { propertyNames: { not: { enum: ['method', 'path', ...ofRequests] } } },
  else: { required: ['method', 'path'], propertyNames: { not: { enum: ['variables'] } } },
}

export const operation = written
  .meta({
    id: 'operation',
    title: 'Operation',
    description:
      'One request of the API: `{ method: GET, path: "/things/{id}" }`, or `{ graphql: "query { viewer { login } }" }`.',
    ...oneOfBoth,
  })
  .transform(
    ({ method = 'POST', path = '', graphql, variables = {}, ...rest }): Operation =>
      graphql === undefined ? { method, path, ...rest } : { ...rest, ...asHttp(graphql, variables, rest) },
  )

/** A list beside another one, whose items count as items of that one. */
const beside = z.strictObject({
  op: described(name, 'The operation.', 'invitations'),
  items: described(place.default(''), 'Where the answer has the list.', 'results'),
  as: described(
    z.record(name, place.min(1)),
    'The members of an item of the first list, and where an item of this one has them. An item with null there stands for nobody that is known, and is left out.',
    { login: 'invitee.login' },
  ),
  set: optional(z.record(name, json), 'Further members, with the same value for each item.', { pending: true }),
})
export type Beside = z.infer<typeof beside>

/** Where lists beside a list are named. */
export const also = optional(
  z.array(beside).min(1),
  'More lists whose items count too, each in the form of the first one: what is only invited, queued or planned. They are read before it, because their items become items of the first list. An item that both have is that of the first list. If one of them is not there and the first one is, the whole list is unknown.',
  [{ op: 'invitations', as: { login: 'invitee.login' } }],
)

export const listing = objectChapter(
  'listing',
  'Listing',
  'How a list is requested, and where its items are in the answer.',
  {
    op: described(name.default('list'), 'The operation.'),
    query: optional(z.record(z.string(), scalar), 'More query parameters.', {
      name_exact: '{name}',
    }),
    items: described(place.default(''), 'Where the answer has the list.', 'results'),
    keyed: optional(
      name,
      'The items are the members of an object. Each item gets the name of its member under this name.',
    ),
    plain: optional(name, 'The items are texts or numbers and no objects: each is the member with this name.'),
    absent: described(absences.default([]), 'What means that the list is empty: statuses, and `null`.', [404]),
    also,
  },
)
export type Listing = z.infer<typeof listing>

export const isRead = (operation: Operation): boolean =>
  operation.effect === 'read' || (operation.effect === undefined && ['GET', 'HEAD'].includes(operation.method))

/** Whether the request of an operation contains the position of an element. */
export const takesPosition = (
  { operations }: { readonly operations: Readonly<Record<string, Operation>> },
  op: string | undefined,
): boolean => {
  const { path = '', query = {}, body = null } = operations[op ?? ''] ?? {}
  return names([path, query, body], 'to')
}

/** A success means that the object exists; its body does not describe it. */
export const tellsExistence = ({ method, existence }: Operation): boolean => method === 'HEAD' || existence === true
