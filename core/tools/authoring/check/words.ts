import type { Json } from '../../../engine/schema/json.ts'
import { present } from '../../../engine/values/defined.ts'
import { diagnostics, said } from '../../../engine/values/diagnose.ts'
import { firstOf } from '../../../engine/values/texts/shorten.ts'

/* The messages of a comparison, by code. `call` is an operation for people: `create (POST /things)`. */

export type Way = 'read' | 'create' | 'update'

const quoted = (values: readonly Json[]): string => values.map((value) => JSON.stringify(value)).join(', ')

const maxNames = 12

const listed = (names: readonly string[], none: string): string =>
  names.length === 0
    ? none
    : `the description has: ${names.slice(0, maxNames).join(', ')}${names.length > maxNames ? ', ...' : ''}`

const bodyOf = (way: Way): string => (way === 'read' ? 'response' : 'request')

const fixOf: Readonly<Record<Way, string>> = {
  read: 'correct `path`, or set writeOnly: true if the server never returns it',
  create: 'correct `send`, or set computed: true or sendOn: update',
  update: 'correct `send`, or set computed: true, immutable: true or sendOn: create',
}

const lacking = (way: Way, members: readonly string[]): string =>
  present(fixOf[way], members.length > 0 && listed(members, '')).join('; ')

export const say = diagnostics({
  waivesNothing: (warning: string) =>
    said(
      `there is no warning "${warning}" here that could be waived`,
      'remove the waiver, or correct its name and its place',
    ),
  nullUndecided: (call: string, place: string) =>
    said(
      `null is a value of the list or map "${place}" in the request of ${call}, and the document does not say whether a create sends it`,
      'set clearAs: null if a create sends it, default if null means a value, or leftOut: true if null and a missing value are the same',
    ),
  noPath: (path: string, nearest: string | undefined) =>
    said(
      `the description has no path ${path}`,
      nearest === undefined ? 'correct the path, or the base path in baseUrl' : `the closest path is ${nearest}`,
    ),
  noMethod: (method: string, path: string, methods: readonly string[]) =>
    said(`the description has no ${method} for ${path}`, listed(methods, 'it has no method')),
  otherSlash: (path: string) =>
    said(
      `the description spells this path ${path}`,
      'write the same final slash: servers treat the two as different paths',
    ),
  unknownSuccess: (call: string, statuses: readonly number[], described: readonly string[]) =>
    said(
      `${call} does not answer ${statuses.join(', ')} in the description`,
      listed(described, 'the description has no success response'),
    ),
  missedSuccess: (call: string, statuses: readonly string[]) =>
    said(
      `${call} may answer ${statuses.join(', ')} in the description, which is a failure in this document`,
      'add the status to success if it is one',
    ),
  headerRequired: (call: string, name: string) => said(`${call} requires the header ${name}`, 'add it under headers'),
  otherMediaType: (call: string, described: string, sent: string) =>
    said(`${call} accepts ${described}, but this document sends ${sent}`, 'set contentType, or use another operation'),
  bodyRequired: (call: string) => said(`${call} requires a request body`, 'set body'),
  unknownQuery: (call: string, name: string, known: readonly string[]) =>
    said(
      `${call} has no query parameter "${name}"`,
      `correct it, because servers ignore unknown parameters; ${listed(known, 'the description has none')}`,
    ),
  queryRequired: (call: string, name: string) =>
    said(`${call} requires the query parameter "${name}"`, 'add it under query'),
  noPlace: (call: string, place: string, members: readonly string[]) =>
    said(`the response of ${call} has no "${place}"`, listed(members, 'the description has no object at this place')),
  noList: (call: string, place: string, lists: readonly string[]) =>
    said(
      `the response of ${call}${place === '' ? '' : ` at "${place}"`} is not a list in the description`,
      lists.length === 0 ? 'set items to the place of the list' : `items may be: ${lists.join(', ')}`,
    ),
  notRead: (call: string, place: string, members: readonly string[]) =>
    said(`the response of ${call} has no "${place}"`, lacking('read', members)),
  notSent: (call: string, way: Way, place: string, members: readonly string[]) =>
    said(`the request of ${call} has no "${place}"`, lacking(way, members)),
  noBodyMember: (call: string, member: string, members: readonly string[]) =>
    said(`the request of ${call} has no "${member}"`, listed(members, 'remove it from body')),
  writeOnly: (call: string, place: string) =>
    said(`"${place}" is write-only in the response of ${call}`, 'set writeOnly: true'),
  readOnly: (call: string, place: string) =>
    said(`"${place}" is read-only in the request of ${call}`, 'set computed: true'),
  nothingGives: (call: string, name: string) =>
    said(`${call} requires "${name}", but no attribute sends it`, 'add an attribute, or a constant to the body'),
  notRequired: (call: string, name: string) =>
    said(`${call} requires "${name}", but the attribute is optional here`, 'set required: true'),
  onlyChanged: (call: string, names: readonly string[]) =>
    said(`${call} requires ${quoted(names)}, but only changed attributes are sent`, 'set send: full'),
  otherType: (name: string, own: string, way: Way, described: readonly string[]) =>
    said(
      `"${name}" is ${own} here, but ${described.join(' or ')} in the ${bodyOf(way)}`,
      way === 'read'
        ? 'use the type of the response, or convert the value with `normalise`'
        : 'use the type of the request, or convert the value with `as`',
    ),
  unknownValues: (name: string, values: readonly Json[], described: readonly Json[]) =>
    said(`"${name}" cannot be ${quoted(values)} in the description`, `the description has: ${quoted(described)}`),
  missedValues: (name: string, values: readonly Json[]) =>
    said(
      `"${name}" may be ${quoted(values)} in the description, but not here`,
      'add the values that the server accepts',
    ),
  otherDefault: (name: string, own: Json, described: Json) =>
    said(
      `the default of "${name}" is ${JSON.stringify(own)} here and ${JSON.stringify(described)} in the description`,
      'check what the server returns for an object created without it',
    ),
  sharedList: (path: string, owners: readonly string[]) =>
    said(
      `the list ${path} may hold objects of others: its items have an owner (${owners.join(', ')}), but no key and no filter uses it`,
      'add the owner to identity.keys, filter by {me.<name>} (provider.me), or set lifecycle.adopt: false',
    ),
  chosenId: (attribute: string) =>
    said(
      `clients choose the id of an object (${attribute}), so another object can have it after the first one is deleted`,
      'set identity.ids: reused, and describe a time of creation as a computed and immutable attribute if the API shows one',
    ),
  idNotRead: (ids: readonly string[]) =>
    said(
      `no read finds an object by its ${ids.join(', ')}: one that others rename is created again`,
      'use it in the path of retrieve, or say where the items of the list have it',
    ),
  nameAlone: (times: readonly string[]) =>
    said(
      'a name alone proves which object it is, so one that others delete and make again is taken for it',
      times.length === 0
        ? 'describe a time of creation as a computed and immutable attribute, or an id as serverId, if the API shows one'
        : `describe ${times.join(' or ')} as a computed and immutable attribute`,
    ),
  namedContainer: (types: readonly string[], id: string) =>
    said(
      `${types.join(', ')} ${types.length === 1 ? 'is' : 'are'} in it by its name, and another object may have the name next`,
      `set container: { id: ${id} }, so that what was recorded in one object is not looked for in another one`,
    ),
  sentOutside: (name: string, path: string) =>
    said(
      `it is read at ${path}, and sent as ${name} at the top of the body`,
      `say where the body has it: send: ${path}, or send: ${name}`,
    ),
  replacesUnknown: (path: string) =>
    said(
      `nothing tells which place of the answer PUT ${path} replaces, so what it resets besides the attributes here cannot be named`,
      'give the attributes the path that they have in the answer, or set `keeps: true` if the server keeps what the body leaves out',
    ),
  unpaged: (lists: readonly string[]) =>
    said(
      `nothing says whether these lists come in pages: ${firstOf(lists, 5)}`,
      'write `pagination: { style: none }` under provider if each answer is the whole list, or how the API gives its pages',
    ),
  unknownStates: (call: string, place: string, states: readonly string[], described: readonly Json[]) =>
    said(
      `"${place}" is never ${quoted(states)} in the response of ${call}`,
      `the description has: ${quoted(described)}`,
    ),
})

export const noResponse = (call: string) => ({ reason: `the description has no response schema for ${call}` })
export const noRequest = (call: string) => ({ reason: `the description has no request schema for ${call}` })
