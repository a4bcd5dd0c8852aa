import type { Json } from '../../../engine/schema/json.ts'
import type { Schema } from '../description/description.ts'

export const reasons = {
  noCreate: 'no operation creates it',
  noRead: 'no operation reads it',
  hasQuery: 'its path has a query',
  noKey: 'it is a single object without a key',
  noIdentity: 'no attribute of the request can identify an object',
  noServerId: (key: string) => `the server makes {${key}}, but no member of its responses can hold it`,
  noList: 'the server names the objects, but the description has no list of them',
  noRequest: (method: string) => `the description has no request schema for ${method}`,
  otherBody: (method: string, mediaType: string) => `the request body of ${method} is ${mediaType}`,
  createdElsewhere: (path: string) => `no operation creates it there; POST ${path} returns the same schema`,
}

const typesText = ({ types }: Schema): string => types.join(' or ')
const decide = (question: string): string => `decide: ${question}`

/** Comments of a draft: decisions for the author of a document. */
export const questions = {
  unique: (key: string, property: string) =>
    decide(`the server makes {${key}}; is "${property}" unique among these objects?`),
  serverId: (key: string) => decide(`which member of a response is {${key}}? (serverId)`),
  onlyLocation: (key: string) => decide(`only Location seems to have {${key}}; does a member of a response have it?`),
  notProduced: (key: string) => decide(`a create does not return {${key}}: a new object is found by its keys`),
  shared: (owners: readonly string[]) =>
    decide(
      `the list may hold objects of others (${owners.join(', ')}): add the owner to the keys, or filter by {me.<name>} (provider.me), and remove adopt`,
    ),
  itemsUntold: decide('the description has no schema for this response; where is the list in it? (items)'),
  readUntold: decide(
    'the description has no schema for this response: the attributes are those of the requests; which does it have, and where? (`path`, `writeOnly`, `computed`)',
  ),
  keyPlace: decide('which member of a response is it? (`path`)'),
  otherShape: (written: Schema, read: Schema) =>
    decide(`written as ${typesText(written)}, but read as ${typesText(read)}`),
  defaults: (values: readonly Json[]) =>
    decide(
      `its default is ${values.map((value) => JSON.stringify(value)).join(' or ')}; what has an object that was created without it? (default)`,
    ),
  shownSecret: decide('set writeOnly: true if the API does not return it in clear'),
  list: (isSet: boolean) => decide(isSet ? 'a set (no order), or a list' : 'a list (in order), or a set'),
  accepted: decide('202 means that the work is not done yet; see `wait`'),
  empty: (member: string) =>
    decide(`a response may leave out "${member}"; which response means an empty list? (emptyWhen)`),
  queryRequired: (name: string) => decide(`the query parameter "${name}" is required`),
  pageSize: (name: string) => decide(`\`size: { param: ${name}, value: ... }\` for larger pages`),
  cursor: (name: string) =>
    decide(
      `the list accepts "${name}" and may come in parts: which member has the next one? (pagination, style: cursor)`,
    ),
  pages: (sign: string) =>
    decide(
      `"${sign}" suggests that the list comes in pages: how is the next one requested? (pagination; style: none if it is whole)`,
    ),
  replaces: (method: string) =>
    decide(`${method} replaces the whole object (full), or keeps what is not sent (changed)`),
  alsoPut: decide('there is also a PUT; each may accept what the other does not'),
  noSigning: decide('the description has no authentication scheme'),
  otherSigning: decide('a document cannot use the authentication schemes of the description'),
  moreSigning: (others: readonly string[]) => decide(`the description also has ${others.join(', ')}`),
  tokenForm: decide('what comes before the token: "Bearer", "token" or nothing'),
  oauth: decide('an existing token, or `oauth2` with client credentials'),
}

export const inputs = {
  baseUrl: (path: string | undefined) => `Address of the API${path === undefined ? '' : `, with ${path} at its end`}.`,
  user: 'The user name.',
  password: 'The password of that user.',
  token: 'A token.',
  parameter: (kind: string, name: string) => `The value of the ${kind} ${name}.`,
}

export const header = (origin: string): readonly string[] => [
  `A first document, made by \`plumbline provider init\` from ${origin}.`,
  'A line with "decide:" needs a person who knows the API. docs/provider-reference.md explains every key.',
]
