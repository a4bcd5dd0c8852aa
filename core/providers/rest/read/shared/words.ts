import { isObject, type Json } from '../../../../engine/schema/json.ts'
import type { UnknownReason, UnknownResult } from '../../../../engine/schema/resource.ts'
import { firstOf } from '../../../../engine/values/texts/shorten.ts'
import { kindOf } from '../../request/words.ts'

const unknown = (reason: UnknownReason, detail: string): UnknownResult => ({ kind: 'unknown', reason, detail })

const isEach = (all: readonly object[]): boolean => all.every((ids) => Object.keys(ids).length > 0)

const shownObjects = 10
const spellIds = (all: readonly Readonly<Record<string, string>>[]): string =>
  firstOf(
    all.map((ids) =>
      Object.entries(ids)
        .map(([name, id]) => `${name} ${id}`)
        .join(' '),
    ),
    shownObjects,
  )

const goneWithIt = 'if what was recorded is gone, list this resource under gone:'

/** Why a read has no result, by cause. The other files of this folder contain no prose. */
export const unknowns = {
  // Finding an object
  keyOfServer: (key: string) => unknown('unresolved', `the server sets its ${key}, and no id of it is known`),
  anotherObject: (names: string) =>
    unknown('ambiguous', `the answer is about another object than the one with this ${names}`),
  elsewhere: () =>
    unknown(
      'ambiguous',
      'its list lacks it, and its name leads to it, by its id: it was moved to another place, or the list leaves it out; if it is given up, list it under `gone`',
    ),
  renamedParent: (attribute: string, name: string, called: string) =>
    unknown(
      'other_parent',
      `its ${attribute} ${name} is called ${called} now; write that name, or declare that object too`,
    ),
  otherParent: (attribute: string, name: string, was: string, is: string) =>
    unknown(
      'other_parent',
      `${name} is another ${attribute} (id ${is}) than the one that it was recorded in (id ${was}); nothing is sent there; ${goneWithIt}`,
    ),
  parentWithoutId: (attribute: string) => unknown('bad_body', `the answer about its ${attribute} has no id`),
  lostId: (attribute: string, was: string, is: string) =>
    unknown(
      'other_parent',
      `its ${attribute} is ${is} now, and ${was}, in which it was recorded, is not found; nothing is sent there; ${goneWithIt}`,
    ),
  noParent: (attribute: string) => unknown('other_parent', `its ${attribute} is not found, and it is; ${goneWithIt}`),
  noList: () => unknown('unsupported', 'no list operation'),
  /** `ids`: of each object, those that its list shows. */
  sameKeys: (keys: string, ids: readonly Readonly<Record<string, string>>[]) => {
    if (!isEach(ids)) return unknown('ambiguous', `${ids.length} objects have the same ${keys}`)
    const among = [...new Map(ids.map((each) => [spellIds([each]), each])).values()]
    const why = 'the list moved while it was read, or its ids are not those of the objects'
    if (among.length === 1) return unknown('ambiguous', `its list shows ${spellIds(among)} ${ids.length} times: ${why}`)
    return { ...unknown('ambiguous', `${among.length} objects have the same ${keys} (${spellIds(among)})`), among }
  },
  noIdYet: (id: string) => unknown('busy', `it is listed, and has no ${id} yet`),
  neverDeleted: () =>
    unknown(
      'unsupported',
      'objects of this type are never deleted; remove it from the configuration to leave it alone',
    ),
  neverCreated: () => unknown('unresolved', 'it does not exist, and objects of this type are never created'),

  noVariables: ({ reason, detail }: UnknownResult) =>
    unknown(reason, `it uses variables of the target, and these could not be read: ${detail}`),
  othersObject: (places: string) =>
    unknown('ambiguous', `what is recorded is not the caller's: its ${places} is another one`),

  // Its parts and its state
  doubtfulPart: (part: string, doubt: string) => unknown('bad_body', `${part}: ${doubt}`),
  hiddenAttribute: (name: string, permission: string): UnknownResult => ({
    ...unknown('forbidden', `the answer does not show ${name}, and needs ${permission} for it`),
    permission,
  }),
  hiddenPart: (part: string, detail: string) =>
    unknown('out_of_sight', `${part} is not shown, which proves nothing: ${detail}`),
  hiddenList: (container: string) =>
    unknown(
      'out_of_sight',
      `the ${container} is there, and the list of what is in it is not shown, which proves nothing`,
    ),
  mistyped: (detail: string) => unknown('bad_body', detail),
  notListed: () => unknown('bad_body', 'it can be read by its id, and is not in the list'),
  severalElements: (count: number, values: string) => unknown('ambiguous', `${count} elements match ${values}`),
  movedList: (field: string) => unknown('busy', `the list of ${field} changed while its pages were read`),
  missingBeside: (op: string) =>
    unknown('out_of_sight', `the list of ${op} is not there, and the list that it belongs to is`),
  strangeItem: (op: string) => unknown('bad_body', `an item of ${op} lacks what the document says that each has`),
  notPlain: (field: string) =>
    unknown(
      'bad_body',
      `the list of ${field} holds objects, and the provider document says that its elements are texts or numbers: describe their members, without \`plain\``,
    ),
  noCollection: (field: string) => unknown('bad_body', `the answer holds no list of ${field}`),
  busy: (state: string) => unknown('busy', `it is ${state}: another change of it is in progress`),
  erred: (state: string, said: string | undefined) =>
    unknown(
      'erred',
      `it is ${state}${said === undefined ? '' : ` (${said})`}; repair it at the target, or declare it absent to have it deleted`,
    ),

  // Lists
  tooManyPages: (most: number) => unknown('page_limit', `the list has more than ${most} pages`),

  // References
  ambiguous: (detail: string) => unknown('ambiguous', detail),
  unresolved: (detail: string) => unknown('unresolved', detail),
  badUrl: (why: string) => unknown('unresolved', `it is ${why}`),
  severalNamed: (count: number) => unknown('ambiguous', `${count} are called so; give the id of one`),
  severalShown: (count: number) => unknown('ambiguous', `${count} are shown as it; give the id of one`),
  wouldBeAnother: (address: string) =>
    unknown('ambiguous', `it exists, and ${address} would be another; refer to one by its id or address`),
  recordedIdLost: (value: string) => unknown('unresolved', `"${value}" is recorded, and nothing is found by that id`),
  nothingToEmit: (which: string, place: string) =>
    unknown('bad_body', `${which} it was found, and holds nothing at ${place}`),
}

/** What is wrong with the answer of a list; it follows "GET <url> answered". */
export const signs = {
  linked: 'the header Link with rel="next"',
  header: (name: string, number: string) => `the header ${name} with ${number}`,
  headerNext: (name: string) => `the header ${name}`,
  asked: (name: string, value: string) => `as many items as ${name}=${value} of the request allows`,
}

/** What a document may write under `pagination`; a reader replaces the words in angle brackets. */
export const described = {
  linked: '{ style: link }',
  counted: (end = '') => `{ style: page, param: <parameter>${end === '' ? '' : `, ${end}`} }`,
  nextHeader: (header: string) => `{ style: cursor, next: { header: ${header} }, param: <parameter> }`,
  next: (place: string, value: Json) => {
    if (isObject(value)) return `{ style: cursor, next: ${withMember(place, 'href')} }`
    const isUrl = typeof value === 'string' && /^(\/|https?:)/.test(value)
    return `{ style: cursor, next: ${place}${isUrl ? '' : ', param: <parameter>'} }`
  },
  more: (place: string) => `{ style: cursor, next: <place>, more: ${place}, param: <parameter> }`,
}

const withMember = (place: string, member: string): string => {
  if (!place.startsWith('"')) return `${place}.${member}`
  return `${place.slice(0, -1)}${place.startsWith('"/') ? '/' : '.'}${member}"`
}

export const listFaults = {
  goesOn: (text: string, pages: string) =>
    `a list that goes on, by ${text}: describe its pages under pagination, for example ${pages}`,
  sounds: (text: string, pages: string, member: string) =>
    `${listFaults.goesOn(text, pages)}, or, if it says something else, add despite: [${JSON.stringify(member)}] to pagination`,
  mayGoOn: (text: string, pages: string) =>
    `${listFaults.goesOn(text, pages)}, or write style: none if this is all of it`,
  endsBefore: (text: string) =>
    `a list that goes on, by ${text}, although pagination has it end here: correct pagination, or write total: false there if that counts something else`,
  samePage: 'the same items as the page before it',
  otherCount: (what: string, before: unknown) =>
    `another number of ${what} than the page before it, which was ${before}`,
  badLinks: 'a Link header that cannot be read',
  severalNext: 'links to several next pages',
  badNext: (why: string, target: string) => `${why} as the next page: ${target}`,
  linkToItself: 'a link to itself as the next page',
  noPageCount: (place: string) => `no number of pages at ${place}`,
  emptyPage: (number: number, pages: number) => `nothing on page ${number} of ${pages}`,
  noTotal: (place: string) => `no number of items at ${place}`,
  endedEarly: (collected: number, total: number) => `no more items after ${collected} of ${total}`,
  noTruth: (place: string) => `neither true nor false at ${place}`,
  noCursor: 'no cursor, and more to come',
  repeatedCursor: 'a cursor that it has answered before',
  unidentified: (lacks: string) => `an item without a readable ${lacks}, which could be any object`,
  repeatedObject: 'an object that was on an earlier page: the list moved meanwhile',
  notObjects: 'a list whose elements are not all objects (`plain` is for lists of texts)',
  notTexts: 'a list whose elements are not all texts or numbers',
}

/** Why a reference leads to no object; most follow "which <type> is "<name>"?". */
export const refFaults = {
  which: (type: string, value: string | number) => `which ${type} is "${value}"?`,
  noName: (value: string) => `"${value}" is no name, id or URL`,
  noScope: (name: string) => `its scope ${name} is not known`,
  none: (filters: Readonly<Record<string, string>>) => {
    const scopes = Object.entries(filters).map(([name, value]) => ` with ${name} ${value}`)
    return `there is none${scopes.join('')}`
  },
  notAllListed: (detail: string) => `none has that name or id, and not all could be listed: ${detail}`,
  severalDeclared: (addresses: readonly string[]) =>
    `${addresses.join(' and ')} are called so; refer to one by its address`,
  unclearScope: (address: string, scopes: readonly string[]) =>
    `whether ${address} is within ${scopes.join(', ')} is unknown; refer to it by its address`,
}

/** Why the answers of the parts of an object do not make one object. */
export const doubts = {
  lacking: (lack: string) => `an answer with ${lack}`,
  otherKey: (key: string) => `its ${key} is not that of the answer before`,
  otherType: (where: string, value: Json, type: string) =>
    `${where} is ${kindOf(value)} in the answer, but the document's type is ${type}: set type: ${typeof value}, or normalise: [${type}]`,
}
