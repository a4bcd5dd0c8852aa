import { isArray, type Json, type JsonObject } from '../../../engine/schema/json.ts'
import { suggest } from '../../../engine/values/texts/nearest-word.ts'

/* The messages of a probe, by code. */

/** What a probe learnt about a type or an attribute, and the members to add to the document. */
export interface Proposal {
  readonly code: string
  readonly message: string
  readonly add?: JsonObject
}

const propose = (code: string, message: string, add?: JsonObject): Proposal =>
  add === undefined ? { code, message } : { code, message, add }

const kindOf = (value: Json): string => (isArray(value) ? 'a list' : value === null ? 'null' : typeof value)

const keeps = 'the server accepts another value, but keeps'

export const proposals = {
  hidden: propose('hidden', 'the server accepts it, but never returns it', { writeOnly: true }),
  gone: propose('gone', 'it is missing after it was set'),
  respelled: (add: JsonObject) => propose('respelled', 'the server spells it differently', add),
  reordered: propose('reordered', 'the server does not keep the order', { type: 'set' }),
  /** The server accepted another value but kept the former one; by the origin of the former value. */
  kept: {
    created: propose('keptOld', `${keeps} the old one`, { immutable: true }),
    server: propose('keptOwn', `${keeps} its own`, { computed: true }),
    default: propose('keptDefault', `${keeps} the default; another attribute may be needed`),
  },
  otherValue: (sent: Json, read: Json) =>
    propose('otherValue', `the server stored another value (${kindOf(sent)} became ${kindOf(read)})`),
  moves: propose('moves', 'it changes by itself', { computed: true }),
  perObject: propose('perObject', 'the server makes one for each object', { computed: true }),
  /** Whether it can be set too was not tried. */
  perObjectUntried: propose(
    'perObject',
    'the server makes one for each object that is created without it; if no request sets it, it is computed',
  ),
  filledIn: (value: Json, isOther: boolean) =>
    propose('filledIn', isOther ? 'the server fills in another default' : 'the server fills it in', { default: value }),
  required: propose('required', 'the server creates no object without it', { required: true }),
  refused: propose('refused', 'the server refuses another value'),
  fixed: propose('refused', 'the server refuses another value', { immutable: true }),
  sideEffect: (cause: string) => propose('sideEffect', `side effect: setting ${cause} changed it`),
  lost: propose('lost', 'the object cannot be found after it was set'),
  unnamed: (members: readonly string[]) =>
    propose('unnamed', `its response has members that the document does not have: ${members.join(', ')}`),
  wrongIds: (advised: string) => propose('wrongIds', advised),
  unlisted: (detail: string) => propose('unlisted', `the list of what exists cannot be read: ${detail}`),
  lockIgnored: propose('lockIgnored', 'its lock is ignored: the server accepts a write with a stale version'),
}

const giveValue = (type: string, attribute: string): string => `set one with --set ${type}.${attribute}=...`

export const skips = {
  kept: 'it exists with the API, and a probe changes only what it made',
  noDelete: 'no operation can delete its objects',
  noValue: (type: string, attribute: string, parent: string | undefined) =>
    `${parent === undefined ? `no value can be invented for ${attribute}` : `there is no ${parent} for ${attribute}`}; ${giveValue(type, attribute)}`,
  notReadable: (detail: string) => `it cannot be read whether the object exists: ${detail}`,
  exists: 'an object with this identity exists already and is left alone',
  createFailed: (type: string, status: number | undefined, said: string) =>
    `its create ${status === undefined ? 'failed' : `answered ${status}`}: ${said}; ${giveValue(type, '<attribute>')}`,
  notFound: (detail: string | undefined) =>
    `it was created, but cannot be found${detail === undefined ? '' : `: ${detail}`}`,
  noOtherValue: (type: string, attribute: string) => `no other value can be invented; ${giveValue(type, attribute)}`,
  notSet: (type: string, attribute: string, said: string) => `it was not set: ${said}; ${giveValue(type, attribute)}`,
  inventedRefused: (type: string, attribute: string, said: string) =>
    `the server refuses the invented value: ${said}; ${giveValue(type, attribute)}`,
  noType: (type: string, known: Iterable<string>) => `the document has no type "${type}"; ${suggest(type, known)}`,
  mayShut: (type: string, attribute: string) =>
    `setting it may shut the object for good; try it last with --shut, or ${giveValue(type, attribute)}`,
  namesAnother: (type: string, attribute: string) => `it names another object; ${giveValue(type, attribute)}`,
  refusedAgain: (request: string, status: number, times: number) =>
    `${request} was refused ${times} times in a row with ${status}: nothing more of it is tried`,
  stopped: (type: string, attribute: string) => `the probe has stopped: ${type}.${attribute} could not be set back`,
  refusedForAll: (status: number) => `the probe has stopped: the server refuses with ${status}`,
  nothingSent: 'nothing was sent',
  notCreated: 'its create sent nothing',
  notRead: 'it was not read',
  noPlan: 'it could not be planned',
  lock: 'its lock was not tried: no possible write has a version',
}

export const stuckBy = {
  kept: 'the server keeps the value that was tried',
  unseen: 'the object cannot be read since',
}

export const left = {
  stillThere: 'it still exists after its delete',
  refused: 'its delete was refused',
  lost: (attribute: string) => `it cannot be found since ${attribute} was set: it may still exist`,
  neverFound: 'it was created and never found: look for it under another spelling',
}

const write = (what: string, text: string, places: readonly string[]): string =>
  `${what}: write \`${text}\` under ${places.join(' and under ')}`

/** Advice if a response has values at other places than the document says. */
export const advice = {
  list: (place: string, text: string, places: readonly string[]) =>
    write(`the list is at ${place} of the response`, `items: ${text}`, places),
  object: (place: string, text: string, op: string) =>
    write(`the object is at ${place} of the response`, `answer: ${text}`, [`operations.${op}`]),
  insideItem: (place: string) => `each item of its list has the object in ${place}: a document cannot express that`,
  id: (name: string, text: string) =>
    write(`the response to its create has ${name}`, `produces: ${text}`, ['operations.create']),
  noId: (name: string) =>
    `neither the body nor the Location of its create has ${name}: remove \`produces\`, then a new object is found by its keys`,
}
