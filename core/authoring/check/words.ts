import type { Json } from '../../schema/json.ts'

/*
 * Every sentence of a comparison, by its code. `call` is an operation for people: `create (POST /things)`.
 */

export interface Problem {
  readonly code: string
  readonly message: string
  readonly fix: string
}

/** What a value is on its way to or from the server. */
export type Way = 'read' | 'create' | 'update'

const problem = (code: string, message: string, fix: string): Problem => ({ code, message, fix })

const quoted = (values: readonly Json[]): string => values.map((value) => JSON.stringify(value)).join(', ')

const maxNames = 12

const listed = (names: readonly string[], none: string): string =>
  names.length === 0
    ? none
    : `the description has: ${names.slice(0, maxNames).join(', ')}${names.length > maxNames ? ', ...' : ''}`

const bodyOf = (way: Way): string => (way === 'read' ? 'response' : 'request')

export const noPath = (path: string, nearest: string | undefined): Problem =>
  problem(
    'noPath',
    `the description has no path ${path}`,
    nearest === undefined ? 'correct the path, or the base path in baseUrl' : `the closest path is ${nearest}`,
  )

export const noMethod = (method: string, path: string, methods: readonly string[]): Problem =>
  problem('noMethod', `the description has no ${method} for ${path}`, listed(methods, 'it has no method'))

export const otherSlash = (path: string): Problem =>
  problem(
    'otherSlash',
    `the description spells this path ${path}`,
    'write the same final slash: servers treat the two as different paths',
  )

export const unknownSuccess = (call: string, statuses: readonly number[], described: readonly string[]): Problem =>
  problem(
    'unknownSuccess',
    `${call} does not answer ${statuses.join(', ')} in the description`,
    listed(described, 'the description has no success response'),
  )

export const missedSuccess = (call: string, statuses: readonly string[]): Problem =>
  problem(
    'missedSuccess',
    `${call} may answer ${statuses.join(', ')} in the description, which is a failure in this document`,
    'add the status to success if it is one',
  )

export const headerRequired = (call: string, name: string): Problem =>
  problem('headerRequired', `${call} requires the header ${name}`, 'add it under headers')

export const otherMediaType = (call: string, described: string, sent: string): Problem =>
  problem(
    'otherMediaType',
    `${call} accepts ${described}, but this document sends ${sent}`,
    'set contentType, or use another operation',
  )

export const bodyRequired = (call: string): Problem =>
  problem('bodyRequired', `${call} requires a request body`, 'set body')

export const unknownQuery = (call: string, name: string, known: readonly string[]): Problem =>
  problem(
    'unknownQuery',
    `${call} has no query parameter "${name}"`,
    `correct it, because servers ignore unknown parameters; ${listed(known, 'the description has none')}`,
  )

export const queryRequired = (call: string, name: string): Problem =>
  problem('queryRequired', `${call} requires the query parameter "${name}"`, 'add it under query')

export const noPlace = (call: string, place: string, members: readonly string[]): Problem =>
  problem(
    'noPlace',
    `the response of ${call} has no "${place}"`,
    listed(members, 'the description has no object at this place'),
  )

export const noList = (call: string, place: string, lists: readonly string[]): Problem =>
  problem(
    'noList',
    `the response of ${call}${place === '' ? '' : ` at "${place}"`} is not a list in the description`,
    lists.length === 0 ? 'set items to the place of the list' : `items may be: ${lists.join(', ')}`,
  )

const fixOf: Readonly<Record<Way, string>> = {
  read: 'correct `path`, or set writeOnly: true if the server never returns it',
  create: 'correct `send`, or set computed: true or sendOn: update',
  update: 'correct `send`, or set computed: true, immutable: true or sendOn: create',
}

export const noMember = (call: string, way: Way, place: string, members: readonly string[]): Problem =>
  problem(
    way === 'read' ? 'notRead' : 'notSent',
    `the ${bodyOf(way)} of ${call} has no "${place}"`,
    [fixOf[way], ...(members.length === 0 ? [] : [listed(members, '')])].join('; '),
  )

export const noBodyMember = (call: string, member: string, members: readonly string[]): Problem =>
  problem('noBodyMember', `the request of ${call} has no "${member}"`, listed(members, 'remove it from body'))

export const oneWay = (call: string, way: Way, place: string): Problem =>
  way === 'read'
    ? problem('writeOnly', `"${place}" is write-only in the response of ${call}`, 'set writeOnly: true')
    : problem('readOnly', `"${place}" is read-only in the request of ${call}`, 'set computed: true')

export const nothingGives = (call: string, name: string): Problem =>
  problem(
    'nothingGives',
    `${call} requires "${name}", but no attribute sends it`,
    'add an attribute, or a constant to the body',
  )

export const notRequired = (call: string, name: string): Problem =>
  problem('notRequired', `${call} requires "${name}", but the attribute is optional here`, 'set required: true')

export const onlyChanged = (call: string, names: readonly string[]): Problem =>
  problem('onlyChanged', `${call} requires ${quoted(names)}, but only changed attributes are sent`, 'set send: full')

export const otherType = (name: string, own: string, way: Way, described: readonly string[]): Problem =>
  problem(
    'otherType',
    `"${name}" is ${own} here, but ${described.join(' or ')} in the ${bodyOf(way)}`,
    way === 'read'
      ? 'use the type of the response, or convert the value with `normalise`'
      : 'use the type of the request, or convert the value with `as`',
  )

export const unknownValues = (name: string, values: readonly Json[], described: readonly Json[]): Problem =>
  problem(
    'unknownValues',
    `"${name}" cannot be ${quoted(values)} in the description`,
    `the description has: ${quoted(described)}`,
  )

export const missedValues = (name: string, values: readonly Json[]): Problem =>
  problem(
    'missedValues',
    `"${name}" may be ${quoted(values)} in the description, but not here`,
    'add the values that the server accepts',
  )

export const otherDefault = (name: string, own: Json, described: Json): Problem =>
  problem(
    'otherDefault',
    `the default of "${name}" is ${JSON.stringify(own)} here and ${JSON.stringify(described)} in the description`,
    'check what the server returns for an object created without it',
  )

export const unknownStates = (
  call: string,
  place: string,
  states: readonly string[],
  described: readonly Json[],
): Problem =>
  problem(
    'unknownStates',
    `"${place}" is never ${quoted(states)} in the response of ${call}`,
    `the description has: ${quoted(described)}`,
  )

/** Reasons why something was not compared. */
export const noResponse = (call: string): string => `the description has no response schema for ${call}`
export const noRequest = (call: string): string => `the description has no request schema for ${call}`
