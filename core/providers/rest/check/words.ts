import { said } from '../../../values/diagnose.ts'
import { kindWords, oneOf } from '../../../values/words.ts'

const declare = 'declare it under operations'
const oneOfTwo = 'keep it in one of the two'
const seeReference = 'see docs/provider-reference.md'

/** Facts of an attribute that only some types have: which, and what to do. */
const typesOfFact = {
  attributes: ['an object has attributes', 'set type: object'],
  element: ['a map, list or set has an element', 'set its type'],
  sendOnly: ['an object has a body of its own', 'remove sendOnly'],
  omit: ['a map with an element omits keys', 'set type: map and its element'],
  pairs: ['a map is written in pairs', 'set type: map'],
  as: ['a list or set is written with commas', 'set its type'],
} as const

/** Settings always exist, and some objects are only referred to: this tool makes neither. */
const keptKinds = { settings: 'settings are', reference: 'an object that is only referred to is' } as const

export type KeptKind = keyof typeof keptKinds

/** What to do about a value that its shape rejects. */
export const fixes = {
  remove: 'remove it',
  rename: 'rename it',
  write: (type: string) => `write ${kindWords(type) ?? type}`,
  correct: `correct it; ${seeReference}`,
}

/**
 * All problems of a provider document by code: the problem, and what to do. The other files of this folder contain no prose.
 */
export const sentences = {
  // Shape
  unknownKey: (key: string, fix: string) => said(`unknown key "${key}"`, fix),
  missing: (key: string) => said(`"${key}" is missing`, `add it; ${seeReference}`),
  invalid: (place: string, why: string, fix: string) => said(`${place}: ${why}`, fix),
  noSuchForm: (place: string) => said(`${place}: no such form`, seeReference),

  // Operations
  noOperation: (op: string) => said(`there is no operation "${op}"`, declare),
  mayWrite: (op: string) =>
    said(`the operation "${op}" may write`, 'use a GET, or set effect: read if the API only reads'),
  onlyReads: (op: string) => said(`the operation "${op}" only reads`, 'name an operation that writes'),
  answersNoList: (op: string) => said(`"${op}" answers no list`, 'use an operation that lists'),
  noValueInPath: (variable: string, op: string) =>
    said(
      `the path variable {${variable}} has no value when ${op} is called`,
      'use an identity key, a serverId (once the object is found), a provider.params name or {with.<name>}',
    ),
  noLastingId: () =>
    said('no id stays when the object gets another name', 'declare one under serverId, or remove follows'),
  noGraphql: () =>
    said('the provider does not say where GraphQL operations go', 'add graphql to provider, for example ../graphql'),
  queryInPath: () => said('the path holds a ? or a #', 'put the query under query'),
  lostSegment: () => said('an empty, "." or ".." segment of a path is lost on the way', 'write the path without it'),
  noServerId: (id: string) => said(`"${id}" is no serverId`, 'declare it under serverId'),
  bodyOfGet: (method: string) => said(`a ${method} sends no body`, 'put it under query, or use another method'),
  noBodyToAskIn: (method: string) =>
    said(`a ${method} that lists has no body to ask in`, 'use a POST with effect: read'),
  keyByOther: (op: string, method: string) =>
    said(`"${op}" is a ${method}, and a public key is read by a GET`, 'name an operation with GET'),
  sealedRead: () => said('a read encrypts nothing', 'give sealedBox to the operation that writes'),
  absentAndUnknown: (status: string) => said(`status ${status} is both absent and unknown`, oneOfTwo),
  emptyRule: () => said('the rule has no condition on the value', 'add exists, is or not'),
  noFailure: (status: number) => said(`status ${status} is no failure`, 'give a status of 400 or more'),
  anyAnswerIsEmpty: () =>
    said('every answer without the list would count as an empty list', 'name the value of an empty list: is'),

  // Pages
  noCursor: () => said('the cursor is either in the answer or in its last item', 'give one of next and last'),
  cursorNotSent: () => said('the last item gives a cursor, and no param takes it', 'add param'),
  cursorWithoutPlace: () => said('a body needs a place for the cursor', 'add param'),
  shortWithoutSize: () => said('shortEnds cannot recognise a short page without a size', 'add size: { param, value }'),
  conditionOfOther: (method: string) => said(`a ${method} is never conditional`, 'remove conditional'),
  countedTwice: () => said('the number of pages ends the list already', 'give one of pages and total'),

  // Provider
  noTemplateVariable: (variable: string) =>
    said(`the template has no ${variable}, so nothing would sign in`, `write ${variable} where it goes`),
  optionalDefault: () => said('an input with a default may be left out anyway', 'remove optional'),
  unsentJwt: () =>
    said('the signed token is not sent', 'put {jwt} into headers or body, for example Authorization: "Bearer {jwt}"'),
  ownClaim: (claim: string) =>
    said(`the claim ${claim} has a key of its own`, 'use issuer, subject, audience, seconds, skew or unique of jwt'),
  alwaysNothing: () => said('there is no basic that could go along', 'add basic: { user, password }'),
  alwaysTwice: () => said('the token is sent in the header that basic needs', 'send the token in another header'),
  noCertificatePair: (lacks: string) =>
    said(`a client signs in with a cert and its key, and there is no ${lacks}`, `add tls.${lacks}`),
  redirectedSocket: () => said('nothing leaves a socket, wherever it redirects to', 'remove redirects, or socket'),
  redirectedCredentials: () =>
    said(
      'a request with credentials is never redirected to another origin',
      'remove redirects, or give the address that the API redirects to as baseUrl',
    ),
  hollowEnvelope: () => said('the envelope has no {fields}, so nothing would be sent', 'add it'),
  undeclaredWith: (name: string) =>
    said(`"{with.${name}}" is used and not declared`, `add ${name} under provider.with`),
  noValueHere: (variable: string) =>
    said(
      `nothing gives {${variable}} a value here`,
      'use {with.<name>}: an object, and its values, are not known yet; "{{" is a brace',
    ),
  noSuchPart: (name: string, given: string) =>
    said(
      `{with.${name}} has no value: what the workspace gives as ${given} has no such part`,
      'give it under with, or correct the name',
    ),
  signInAtOperation: (url: string, path: string) =>
    said(
      `the address to sign in at, ${url}, is that of an operation: ${path}`,
      'sign in at a path that no operation has; if all calls have one address, write out in every body, and in that of the login, what is called',
    ),

  // Templates
  noChoice: (by: string, members: readonly string[]) =>
    said(
      `the choice by ${by} has ${members.length === 0 ? 'no members' : `the members ${members.join(', ')}`}`,
      'choose by {with.<name>}, and have a member for each of its values',
    ),
  noValue: (variable: string) =>
    said(
      `nothing gives {${variable}} a value`,
      'use an attribute, a serverId, a name of provider.params or provider.with; "{{" is a brace',
    ),

  // Identity and lookup
  noAttribute: (name: string) => said(`"${name}" is no attribute`, 'declare it in a part'),
  notExpanded: (name: string) =>
    said(
      `"${name}" cannot be expanded: it is a key, secret, write-only, or normalised`,
      'remove it from the list, or remove its normalisers',
    ),
  hiddenKey: (key: string) =>
    said(`"${key}" cannot identify: it is computed, write-only or sensitive`, 'choose a plain attribute'),
  noIdentity: () => said('nothing distinguishes the objects', 'add identity.keys, or set lifecycle.single: true'),
  noKey: (key: string) => said(`"${key}" is no identity key`, 'add it to identity.keys'),
  foundByIdAlone: () => said('an object without such a key is found by an id alone', 'add serverId and lookup.list'),
  idNotTold: (id: string) =>
    said(`no answer of the create contains the "${id}" that the lookup needs`, 'add produces to create'),
  noFollow: () =>
    said('items of another collection only lead to the object', 'name the operation that reads it: follow'),
  notMatched: (key: string) => said(`"${key}" is not matched`, 'add it to match'),
  neitherMatchedNorInPath: (key: string) =>
    said(`the identity key "${key}" is neither matched nor in the path of the list`, 'add it to match'),
  secretId: (place: string, attribute: string) =>
    said(
      `the id is read from "${place}", the place of the sensitive attribute "${attribute}"`,
      'an id is shown and stored: read it from another place, or do not call that place sensitive',
    ),
  toldIdNotStable: (id: string) =>
    said(`no read compares ${id}, and another object may get it`, 'use it with stable ids only'),
  toldIdNotListed: (id: string) =>
    said(`no item of the list contains ${id}`, 'name its place in the items: lookup.ids'),
  toldIdNotProduced: (id: string) =>
    said(`no answer contains ${id} of the created object`, `add ${id} to produces of the create`),
  noIdSegment: (id: string) => said(`it is not clear which segment is ${id}`, `write one of them as {${id}}`),

  // Life
  noCreate: () => said('there is no operation "create"', 'declare it'),
  noDelete: (op: string) => said(`there is no operation "${op}"`, 'declare it, or set lifecycle.preventDelete: true'),
  notCreateOnly: (name: string) =>
    said(`"${name}" is no attribute that only a create uses`, 'declare it with createOnly: true'),
  noReplacement: (op: string) => said(`a replacement needs an operation "${op}"`, 'declare it, or report instead'),
  everythingGone: () => said('every object would count as gone', 'name the values that mean it'),
  nothingArchived: () => said('it is not described which objects are archived', 'describe them: lifecycle.delete.gone'),
  reviveWithoutAdopt: () =>
    said(
      'no workspace records an archived object any more, and with adopt: false nothing else is taken over',
      'remove revive or adopt',
    ),
  neverMade: (kind: KeptKind) => said(`${keptKinds[kind]} never created and never deleted`, 'remove it'),
  neverReplaced: (kind: KeptKind) => said(`${keptKinds[kind]} never replaced`, 'report instead'),
  neverWritten: () => said(`${keptKinds.reference} never written`, 'remove it'),
  couldDiffer: (name: string) =>
    said(`"${name}" could differ, and ${keptKinds.reference} never written`, 'set computed: true'),

  // Waiting
  nothingToWaitFor: (op: string) => said(`"${op}" only reads, and there is nothing to wait for`, 'remove it'),
  noEnd: () => said('no state is named as its end', 'add ok, or gone'),
  noStatePlace: () => said('`state` is missing: where does the answer hold the state?', 'add state'),
  stateTwice: (state: string, left: string, right: string) =>
    said(`the state ${state} is both ${left} and ${right}`, oneOfTwo),
  goneNotForgotten: (op: string) =>
    said(`"${op}" reads the object itself: use "gone" for its absence`, 'use gone, or remove it'),
  goneAndForgotten: () => said('both gone and forgotten define what an absence means', 'keep one of the two'),
  endsBeforeFirstPoll: () => said('it ends before the first poll', 'make it longer than intervalSeconds'),
  noStateNamed: () => said('no state is named', 'add busy or error'),

  // Parts
  emptyPart: () => said('the part has neither attributes nor a collection', 'add one'),
  listAndElement: () => said('"select" chooses one element, and "list" takes all', 'keep one of them'),
  selectedInWhole: (name: string, send: string) =>
    said(
      `"${name}" is an element of a list, which "${send}" cannot write in its place`,
      'write the part with send: template, full or changed',
    ),
  notInList: (field: string, as: string) =>
    said(
      `the list becomes "${as}", and nothing else has a value for "${field}"`,
      `read "${field}" in a part of its own, or give it the path "${as}"`,
    ),
  readsList: (op: string) =>
    said(
      `"${op}" answers a list, and no element of it is the object`,
      'read the part with an operation that answers the object, select its element (select), or take all elements (list)',
    ),
  notInAnswer: (name: string, op: string) =>
    said(
      `"${name}" is in no answer: "${op}" only shows that the object exists`,
      'set in: path, or read the part with an operation that answers the object',
    ),
  noBoolean: (name: string) =>
    said(`"${name}" is no boolean of this part`, 'declare it under attributes with type: boolean'),
  alwaysExists: (name: string) => said(`no answer means that "${name}" is false`, 'name its statuses: absent'),
  existsAndElement: () => said('"exists" looks at the status only', 'remove select and list'),
  notReadBefore: (name: string) =>
    said(`"${name}" is not known when this part is read`, 'name an attribute of a part before this one'),
  noVersion: (op: string, field: string) =>
    said(`"${op}" answers no object with ${field}`, 'use a lock by etag, or none'),
  noWrite: (name: string) =>
    said(
      `"${name}" can change and the part has no write`,
      'add write or an action, or set immutable: true or computed: true',
    ),
  templateWithoutBody: () => said('send: template needs a body', 'add write.body'),
  dropsNothing: (send: string) => said(`send: ${send} sends nothing back that could be dropped`, 'remove drop'),
  needsWholeObject: (send: string, op: string) =>
    said(
      `send: ${send} needs the whole object, and "${op}" reads a list`,
      'read the part with an operation that answers the object alone',
    ),
  omitChangesNothing: (name: string) =>
    said(
      `left out of a body of what changed, "${name}" would stay as it is`,
      'set clearAs: null, or send the whole object',
    ),
  removesIgnored: (send: string, name: string) =>
    said(
      `send: ${send} sends "${name}" without its ignored keys, and so removes them`,
      'send object, mergePatch or jsonPatch',
    ),

  // Collections
  notInElement: (member: string, at: string) => said(`"${member}" is not in element`, `declare it under ${at}`),
  collectionWithoutWrite: () => said('the collection can change and has no write', 'add write, or set immutable: true'),
  afterWithoutWrite: () => said('onCreate: after needs a write', 'add write'),
  noElementKey: () => said('elements that are written one by one need a key', 'add key, or send {all}'),
  orderNotWritten: () =>
    said('the whole list must be written because its order counts', 'send {all}, or use write.each'),
  noPositions: () =>
    said('it is not described how the positions of its elements are counted', 'set positions: { first: 0 }'),
  noElementAlone: () => said('no element is addressed alone', 'remove positions, or use write.each'),
  countsUnmanaged: () =>
    said('elements that are left alone would be counted too', 'manage all elements, or address them by something else'),
  noComputedMember: (member: string) =>
    said(`"${member}" is no computed member`, 'declare it under element with computed: true'),
  positionsAreCounted: () => said('the positions of an ordered list are counted', 'set first: 0, or 1'),
  onlyOrderedIsCounted: () => said('only an ordered list is counted', 'set ordered: true, or member'),
  noTargetPosition: () =>
    said('no request contains the position of an element', 'use {to} in the operation of create or of move'),
  allRemovesIgnored: () =>
    said('a write of the whole list removes the ignored elements', 'send {changes}, or ignore nothing'),
  noChangesInBody: () => said('the body holds no changes', 'use {changes}, {upserts}, {removes} or {all}'),

  // Attributes
  declaredTwice: (name: string) => said(`the attribute "${name}" is declared twice`, 'keep it in one part'),
  needlessWitness: (name: string) =>
    said(`"${name}" can be read and needs no witness`, 'remove witness, or set writeOnly: true'),
  wrongType: (fact: keyof typeof typesOfFact, name: string, type: string) => {
    const [only, fix] = typesOfFact[fact]
    return said(`only ${only}, "${name}" is a ${type}`, fix)
  },
  notInside: (name: string) =>
    said(`createOnly and appliesWhen are about whole attributes, and not about what is in "${name}"`, 'remove them'),
  usedLater: (name: string) =>
    said(`"${name}" is not for the create alone`, 'remove createOnly, or required, computed and in'),
  noDefault: () => said('there is no default to mean', 'add default'),
  encodedSecret: (name: string) =>
    said(
      `only a text that is no secret has an encoding: "${name}"`,
      'give it as the API wants it, and leave encoding out',
    ),

  // References
  noType: (type: string, types?: readonly string[]) =>
    said(`this document has no type "${type}"`, types === undefined ? 'declare it, or use a resolver' : oneOf(types)),
  noMember: (type: string, name: string, names: readonly string[]) => said(`${type} has no "${name}"`, oneOf(names)),
  noKeyAttribute: (type: string, key: string) =>
    said(`${type} has no attribute "${key}"`, 'use one of its identity keys'),
  typeAndResolver: () => said('a reference is to a type or by a resolver', 'give one of type and resolver'),
  noResolver: (name: string) => said(`there is no resolver "${name}"`, 'declare it under resolvers'),
  refOfWhole: (type: string) => said(`a ${type} refers to nothing as a whole`, 'put ref under element or an attribute'),
  scopeOfNothing: (variable: string) => said(`"{${variable}}" is of no attribute`, 'name an attribute that has a ref'),
  severalKeys: (type: string) =>
    said(`${type} has several keys, and none is "name"`, 'name the key that identifies it: by'),
  circularScope: (name: string) => said(`the scope of "${name}" depends on itself`, 'leave one of the scopes out'),
  resolverAsksNothing: () => said('there is nothing to ask', 'add list, retrieve or both'),
  everyValueFindsSame: () => said('every value finds the same object', 'put {value} into the path'),
  meWrites: () => said('the request for the caller must be a read', 'use a GET, or set effect: read'),
  meIsToldByABody: () => said('an answer without a body does not name the caller', 'name a read with a body'),
  secretCaller: (name: string, place: string) =>
    said(
      `"${name}" is read from "${place}", which has the name of a secret`,
      'the caller is shown in requests and plans: use an id',
    ),
  twoCallers: () => said('"me" is a name of provider.params too', 'call it otherwise there'),
  sightWrites: () => said('the test of what is visible must be a read', 'use a GET, or set effect: read'),
  resolverWrites: () => said('a resolver must be a read', 'use a GET, or set effect: read'),
  oneWayReference: (type: string, emit: string) =>
    said(
      `nothing finds a ${type} by the "${emit}" that this reference gives for it`,
      `give ${type} a discover, or emit its key, its id or its URL`,
    ),
}

export type Code = keyof typeof sentences
