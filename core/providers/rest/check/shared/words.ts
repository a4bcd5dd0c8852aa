import { said } from '../../../../engine/values/diagnose.ts'
import { suggest } from '../../../../engine/values/texts/nearest-word.ts'
import { kindWords } from '../../../../engine/values/words.ts'
import { partSentences } from './parts/words.ts'

const declare = 'declare it under operations'
const oneOfTwo = 'keep it in one of the two'
const seeReference = 'see docs/provider-reference.md'

/** Settings always exist, and some objects are only referred to: this tool makes neither. */
const keptKinds = { settings: 'settings are', reference: 'an object that is only referred to is' } as const

export type KeptKind = keyof typeof keptKinds

export const noSuchValue = 'there is no such value'

/** What to do about a value that its shape rejects. */
export const fixes = {
  move: (place: string) => `move it to ${place}`,
  remove: 'remove it',
  rename: 'rename it',
  correct: `correct it; ${seeReference}`,
}

/**
 * All problems of a provider document by code: the problem, and what to do. The other files of this folder contain no prose.
 */
export const sentences = {
  // Shape
  unknownKey: (key: string, fix: string) => said(`unknown key "${key}"`, fix),
  isDescription: (file: string) =>
    said(
      'this is an API description, and no provider document',
      `draft one of it with \`plumbline provider init ${file}\``,
    ),
  missing: (key: string, shape?: string) =>
    said(`"${key}" is missing`, `add it${shape === undefined ? '' : `: ${key}: ${shape}`}; ${seeReference}`),
  otherKind: (place: string, type: string, kind: string, shape?: string) =>
    said(
      `${place} must be ${kindWords(type) ?? type}, not ${kind}`,
      `write ${kindWords(type) ?? type}${shape === undefined ? '' : `: ${shape}`}`,
    ),
  invalid: (place: string, why: string, fix: string) => said(`${place}: ${why}`, fix),
  noSuchForm: (place: string) => said(`${place}: no such form`, seeReference),

  // Operations
  noOperation: (op: string, operations: object) =>
    said(`there is no operation "${op}"`, suggest(op, Object.keys(operations), declare)),
  mayWrite: (op: string) =>
    said(`the operation "${op}" may write`, 'use a GET, or set effect: read if the API only reads'),
  onlyReads: (op: string) => said(`the operation "${op}" only reads`, 'name an operation that writes'),
  answersNoList: (op: string) => said(`"${op}" answers no list`, 'use an operation that lists'),
  noValueInPath: (variable: string, op: string) =>
    said(
      `the path variable {${variable}} has no value when ${op} is called`,
      'use an identity key, an attribute with in: path, a serverId (once the object is found), a provider.params name or {with.<name>}',
    ),
  noLastingId: () =>
    said('no id stays when the object gets another name', 'declare one under serverId, or remove follows'),
  noGraphql: () =>
    said('the provider does not say where GraphQL operations go', 'add graphql to provider, for example ../graphql'),
  overridesMethod: (name: string) =>
    said(
      `servers take "${name}" for another method than that of the read, so that a check could write`,
      'leave it out, or use it in an operation that writes',
    ),
  readsByAWrite: (op: string) =>
    said(
      `this is the request of "${op}", so that a check could write`,
      'name the request that only reads; if their bodies tell them apart, write both',
    ),
  queryInPath: () => said('the path holds a ? or a #', 'put the query under query'),
  lostSegment: () => said('an empty, "." or ".." segment of a path is lost on the way', 'write the path without it'),
  proofNotStable: (id: string) =>
    said(
      `another object may get the ${id}, or it changes with the name`,
      'name an id that proves the object: ids: stable, and not follows',
    ),
  containerById: (id: string) =>
    said(`what is in an object does not know its ${id}`, 'name an operation that reads it by its keys'),
  containerByOther: (type: string, name: string, id: string) =>
    said(
      `the ${type} that contains it is read by its ${name}, which this does not say`,
      `refer to it by its ${name}, or by its ${id}`,
    ),
  createdIn: (type: string) =>
    said(
      `what only a create uses is in no record, so nothing tells later in which ${type} the object is`,
      'set immutable instead if answers show it; else name it in the path or the keys of the object, or leave out the reference',
    ),
  bulkOfOther: (op: string) =>
    said(`"${op}" answers nothing that a list could show`, 'remove bulk: it is for a read with a body'),
  bulkOfItself: (op: string) => said(`"${op}" would answer itself`, 'name an operation that lists many objects'),
  listOfOne: (op: string, variable: string) =>
    said(
      `"${op}" is another list for each {${variable}}`,
      'name an operation whose variables are provider.params or {with.<name>}',
    ),
  notReadBy: (attribute: string, op: string) =>
    said(`no part reads "${attribute}" by "${op}"`, 'name an attribute of a part with this read'),
  noServerId: (id: string) => said(`"${id}" is no serverId`, 'declare it under serverId'),
  bodyOfGet: (method: string) => said(`a ${method} sends no body`, 'put it under query, or use another method'),
  noBodyToAskIn: (method: string) =>
    said(`a ${method} that lists has no body to ask in`, 'use a POST with effect: read'),
  keyByOther: (op: string, method: string) =>
    said(`"${op}" is a ${method}, and a public key is read by a GET`, 'name an operation with GET'),
  sealedRead: () => said('a read encrypts nothing', 'give sealedBox to the operation that writes'),
  absentAndUnknown: (status: string) => said(`status ${status} is both absent and unknown`, oneOfTwo),
  emptyRule: () => said('the rule has no condition on the value', 'add exists, is, has or not'),
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
  secretHeader: (name: string, header: string) =>
    said(
      `"{with.${name}}" is a secret, and this header is shown in plans`,
      `sign in with auth: { header: { name: ${header}, secret: "{with.${name}}" } }`,
    ),
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
  keyNotAsked: (key: string, op: string) =>
    said(
      `"${op}" does not ask for the key "${key}": each resource would read the same object`,
      `put {${key}} into its path, query or body, find the object in a list, or set lifecycle.single: true if there is only one`,
    ),
  noAttribute: (name: string, entries: object) =>
    said(`"${name}" is no attribute`, suggest(name, Object.keys(entries), 'declare it in a part')),
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

  ...partSentences,
}

export type Code = keyof typeof sentences
