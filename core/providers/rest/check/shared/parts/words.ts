import type { Json } from '../../../../../engine/schema/json.ts'
import { said } from '../../../../../engine/values/diagnose.ts'
import { kindWords, oneOf } from '../../../../../engine/values/words.ts'

/** Facts of an attribute that only some types have: which, and what to do. */
const typesOfFact = {
  attributes: ['an object has attributes', 'set type: object'],
  element: ['a map, list or set has an element', 'set its type'],
  key: ['a set or list tells its elements apart by a key', 'move it to the set or list, or remove it'],
  sendOnly: ['an object has a body of its own', 'remove sendOnly'],
  manage: ['a map or set can leave to others what is not declared', 'set its type, or remove manage'],
  omit: ['a map with an element omits keys', 'set type: map and its element'],
  pairs: ['a map is written in pairs', 'set type: map'],
  as: ['a list or set is written with commas', 'set its type'],
} as const

/** What a write sends back of what was read. */
const sentBack = {
  object: 'it sends the object',
  attributes: 'it sends attributes that differ, with all that was read inside of them',
  lists: 'of what was read it sends lists, with all that was read of their elements',
  members: 'a PATCH of one element sends what is declared of it, with all that was read inside of that',
} as const

/** Problems of what parts are made of: attributes, collections, references. */
export const partSentences = {
  // Parts
  emptyPart: () => said('the part has neither attributes nor a collection', 'add one'),
  listAndElement: () => said('"select" chooses one element, and "list" takes all', 'keep one of them'),
  otherCollection: (name: string) =>
    said(`"${name}" is no other collection of the type with the same key`, 'name such a collection, or remove within'),
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
  notInRequest: (name: string, op: string) =>
    said(
      `"${name}" can be declared and "${op}" sends it nowhere`,
      op === 'create'
        ? 'name it in the path, the query or the body of the operation, or set computed: true or sendOn: update'
        : 'name it in the path, the query or the body of the operation, or set computed: true, immutable: true or sendOn: create',
    ),
  sendsFormer: (name: string, op: string) =>
    said(
      `"${op}" sends the former value of "${name}": that is what {${name}} is in a request that changes it`,
      `write {desired.${name}} in the query or the body of the operation, or set computed: true, immutable: true or sendOn: create`,
    ),
  wholeBody: () =>
    said('send: "" is all of the body, which has other attributes too', 'put it into a part of its own, or send: full'),
  templateWithoutBody: () => said('send: template needs a body', 'add write.body'),
  dropsNothing: () => said('this write sends nothing back that could be dropped', 'remove drop'),
  dropsOutside: (place: string, back: keyof typeof sentBack) =>
    said(`no request sends "${place}" back: ${sentBack[back]}`, 'remove it from drop'),
  dropsSent: (name: string) =>
    said(
      `"${name}" is sent as it is declared, and a target without it would take it for removed`,
      'remove it from drop, or set computed: true on the attribute if only the server sets it',
    ),
  dropsElements: (list: string, place: string) =>
    said(`without elements of "${list}" the target would remove them`, `name a member of theirs, such as ${place}`),
  dropsByNumber: (list: string, place: string) =>
    said(`"${list}" is a list, whose elements have no names`, `write ${place}: * is any element`),
  dropsInText: (name: string, type: string) =>
    said(`"${name}" is a ${type}, and there is nothing inside of it`, 'remove it from drop'),
  dropsAny: (name: string) =>
    said(
      `"${name}" is any JSON, and all of it is declared`,
      'set partial: true if the server has members of its own in it, or remove it from drop',
    ),
  wholeAtPlace: (send: string, op: string, place: string) =>
    said(
      `send: ${send} is about the whole object, and "${op}" replaces what is at ${place}`,
      'leave `send` out, or use `full`: the body is then what was read at this place, with the differences',
    ),
  needsWholeObject: (send: string, op: string) =>
    said(
      `send: ${send} needs the whole object, and "${op}" reads a list`,
      'read the part with an operation that answers the object alone',
    ),
  patchInEnvelope: (op: string) =>
    said(
      `a JSON patch is a list, and the envelope of the provider would put it into an object in the body of "${op}"`,
      `write operations.${op}.body: "{fields}"`,
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
  notPlain: () =>
    said(
      'plain elements have one attribute, which has no place of its own and is their key; they have no positions, and ignore does not name them',
      'remove key, positions, ignore and the path of the attribute (manage: declared leaves elements alone), or remove plain',
    ),
  upsertSaysElement: (place: string) =>
    said(
      'this form has of an element what "{el}" has, and what it does not name is sent back as it was read',
      `remove upsert; what the target refuses belongs under drop, such as ${place}`,
    ),
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
  encodedValue: (type: string) => said(`only a text has an encoding, and this is a ${type}`, 'leave encoding out'),

  // References
  noType: (type: string, types?: readonly string[]) =>
    said(`this document has no type "${type}"`, types === undefined ? 'declare it, or use a resolver' : oneOf(types)),
  noMember: (type: string, name: string, names: readonly string[]) => said(`${type} has no "${name}"`, oneOf(names)),
  noKeyAttribute: (type: string, key: string) =>
    said(`${type} has no attribute "${key}"`, 'use one of its identity keys'),
  typeAndResolver: () => said('a reference is to a type or by a resolver', 'give one of type and resolver'),
  noResolver: (name: string) => said(`there is no resolver "${name}"`, 'declare it under resolvers'),
  noObject: (type: string) =>
    said(
      `an empty place is all of the object around it, which is no ${type}`,
      'leave path and send out; a list of texts has element: { type: string }, a collection or a listing of texts has plain',
    ),
  refOfWhole: (type: string) => said(`a ${type} refers to nothing as a whole`, 'put ref under element or an attribute'),
  scopeOfNothing: (variable: string) =>
    said(
      `"{${variable}}" is of no attribute`,
      'name an attribute, or {refs.<attribute>.<member>} of one that has a ref',
    ),
  severalKeys: (type: string) =>
    said(`${type} has several keys, and none is "name"`, 'name the key that identifies it: by'),
  noSingleKey: (type: string, names: readonly string[]) =>
    said(`${type} has several keys, and none is "name"`, `set attribute: ${oneOf(names)}`),
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
      `give ${type} a discover whose items have it there, or emit the place of its key, its id or its URL in the object`,
    ),
  wrongDefault: (name: string, type: string) =>
    said(
      `the default of "${name}" is not ${kindWords(type) ?? 'a value'}`,
      `write ${kindWords(type) ?? 'a value'}, or set its type`,
    ),
  otherDefault: (name: string, values: readonly string[]) =>
    said(`the default of "${name}" is none of its values`, `${oneOf(values)}, or add it to values`),
  openDefault: (value: Json) =>
    said(
      `an element that leaves this member out is in sync with each of its values, not only with the default ${JSON.stringify(value)}`,
      'set access if the values give more or less access, or whenUndeclared: default or unmanaged',
    ),
}
