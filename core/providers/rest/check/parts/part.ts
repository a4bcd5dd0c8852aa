import { present } from '../../../../engine/values/defined.ts'
import type { RestSettings } from '../../document/api/provider.ts'
import type { AttributeEntry } from '../../document/attribute.ts'
import { allEntries, type Entries, entriesIn, entriesOf, isSent } from '../../document/attributes.ts'
import { isFromList, isListed, type RestResource, readOp } from '../../document/document.ts'
import { keyOfElements } from '../../document/elements.ts'
import { takesPosition, tellsExistence } from '../../document/operation/operation.ts'
import { type Collection, isPatch, type PartWrite, type ResourcePart } from '../../document/part.ts'
import { replacedPlace } from '../../document/replaced-place.ts'
import { names, pathOf } from '../../document/shared/template.ts'
import { checkRead, checkWrite } from '../shared/operation.ts'
import { type Findings, found, problem } from '../shared/problem.ts'
import { changeable } from './carried.ts'
import { checkDropped, checkUpsert } from './dropped.ts'

/** Rules between the keys of a part. */
export const checkPart = (resource: RestResource, part: ResourcePart): Findings => [
  checkRead(resource, readOp(part), ['read']),
  checkExistence(resource, part),
  checkTold(part),
  checkConditions(resource, part),
  checkListed(resource, part),
  checkWholeList(resource, part),
  checkSelected(part),
  checkPartWrite(resource, part),
  checkDropped(resource, part),
  part.attributes === undefined && part.collection === undefined && problem([], 'emptyPart'),
  checkWritable(resource, part),
  part.collection && found(['collection'], checkCollection(resource, part.collection, part.onCreate)),
]

/** RFC 6902 makes a patch a list; the envelope of a provider is an object around the fields. */
export const checkPatched = (
  { envelope }: RestSettings,
  { operations }: RestResource,
  { write }: ResourcePart,
): Findings => {
  if (write?.send !== 'jsonPatch' || write.body !== undefined || envelope?.body === undefined) return []
  const operation = operations[write.op]
  return (
    operation !== undefined && operation.body === undefined && problem(['write', 'send'], 'patchInEnvelope', write.op)
  )
}

/** A list operation does not answer one object, unless it is the list of the lookup. */
const checkListed = (resource: RestResource, part: ResourcePart): Findings => {
  const { lookup, discover } = resource
  const isList = ['list' in lookup ? lookup.list.op : undefined, discover?.op].includes(readOp(part))
  return isList && !isFromList(part) && !isListed(resource, part) && problem(['read'], 'readsList', readOp(part))
}

/** What a list becomes is named once, and is not also one of its elements. */
const checkWholeList = (resource: RestResource, part: ResourcePart): Findings => {
  const { read, attributes = {}, collection } = part
  const list = typeof read === 'string' ? undefined : read.list
  if (list === undefined || typeof read === 'string') return []
  const fields = [
    ...Object.entries(attributes).map(([name, entry]) => entry.path ?? name),
    ...present(collection && (collection.path ?? collection.field)),
  ]
  return [
    read.select !== undefined && problem(['read', 'list'], 'listAndElement'),
    (list.also ?? []).map(({ op }) => checkRead(resource, op, ['read', 'list', 'also'])),
    fields
      .filter((field) => pathOf(field)[0] !== list.as)
      .map((field) => problem(['read', 'list', 'as'], 'notInList', field, list.as)),
  ]
}

/** An element that a condition chose has no place of its own in the object. */
const checkSelected = ({ write, attributes = {} }: ResourcePart): Findings => {
  const send = write?.send ?? ''
  if (!['object', 'jsonPatch', 'mergePatch'].includes(send)) return []
  return Object.entries(attributes)
    .filter(([, entry]) => entry.select !== undefined)
    .map(([name]) => problem(['attributes', name, 'select'], 'selectedInWhole', name, send))
}

/** An attribute that no body shows must be in the URL, or be write-only. */
const checkExistence = ({ operations, lock }: RestResource, part: ResourcePart): Findings => {
  const op = readOp(part)
  const operation = operations[op]
  const told = existsIn(part)
  if (operation === undefined || (!tellsExistence(operation) && told === undefined)) return []
  return [
    Object.entries(part.attributes ?? {})
      .filter(([name, entry]) => name !== told && entry.in !== 'path' && !entry.writeOnly)
      .map(([name]) => problem(['attributes', name], 'notInAnswer', name, op)),
    part.collection !== undefined && problem(['collection'], 'answersNoList', op),
    lock !== undefined && 'field' in lock && problem(['read'], 'noVersion', op, lock.field),
  ]
}

const existsIn = ({ read }: ResourcePart): string | undefined => (typeof read === 'string' ? undefined : read.exists)

/** What a status tells is one boolean, and two statuses. */
const checkTold = (part: ResourcePart): Findings => {
  const { read, attributes = {} } = part
  if (typeof read === 'string' || read.exists === undefined) return []
  const { exists, absent, select, list } = read
  return [
    attributes[exists]?.type !== 'boolean' && problem(['read', 'exists'], 'noBoolean', exists),
    absent.length === 0 && problem(['read', 'absent'], 'alwaysExists', exists),
    (select !== undefined || list !== undefined) && problem(['read', 'exists'], 'existsAndElement'),
  ]
}

/** Conditions name other attributes; what a part is read by is read before it. */
const checkConditions = (resource: RestResource, part: ResourcePart): Findings => {
  const before = resource.parts.slice(0, resource.parts.indexOf(part))
  const known = Object.assign({}, ...before.map(entriesOf)) as Entries
  const entries = allEntries(resource)
  return [
    Object.keys(part.appliesWhen ?? {})
      .filter((name) => known[name] === undefined)
      .map((name) => problem(['appliesWhen', name], 'notReadBefore', name)),
    (part.ifDiffers ?? []).flatMap((name, at) =>
      known[name] === undefined ? [problem(['ifDiffers', at], 'notReadBefore', name)] : [],
    ),
    Object.entries(part.attributes ?? {}).map(([attribute, { appliesWhen = {} }]) =>
      Object.keys(appliesWhen)
        .filter((name) => entries[name] === undefined || name === attribute)
        .map((name) => problem(['attributes', attribute, 'appliesWhen'], 'noAttribute', name, entries)),
    ),
  ]
}

/** An attribute that may change needs a way to be written. */
const checkWritable = (resource: RestResource, part: ResourcePart): Findings => {
  if (part.write !== undefined || resource.lifecycle?.mode === 'reference') return []
  return changeable(resource, part).map(([name]) => problem(['attributes', name], 'noWrite', name))
}

/** Rules that depend on how a part is written. */
const checkPartWrite = (resource: RestResource, part: ResourcePart): Findings => {
  const { write, attributes = {} } = part
  if (write === undefined) return []
  const { send, body } = write
  return [
    (['op', 'create', 'remove'] as const).map(
      (name) => write[name] !== undefined && checkWrite(resource, write[name], ['write', name]),
    ),
    send === 'template' && body === undefined && problem(['write'], 'templateWithoutBody'),
    needsWhole(send) &&
      isPartOfList(resource, part) &&
      problem(['write', 'send'], 'needsWholeObject', send, readOp(part)),
    checkPlace(resource, part),
    Object.entries(attributes).map(([name, entry]) => found(['attributes', name], checkSent(send, name, entry))),
    checkWholeBody(part),
  ]
}

/** The whole object, or a patch of it, says nothing at a place inside of the object. */
const checkPlace = (resource: RestResource, part: ResourcePart): Findings => {
  const { op = '', send = '' } = part.write ?? {}
  const operation = resource.operations[op]
  const place = operation && isPatch(part) ? replacedPlace(resource, part, operation) : undefined
  return (
    place !== undefined && place.length > 0 && problem(['write', 'send'], 'wholeAtPlace', send, op, place.join('.'))
  )
}

/** The changed value of an attribute that is all of the body leaves no room for another one. */
const checkWholeBody = ({ write, attributes = {} }: ResourcePart): Findings => {
  if (write?.send !== 'changed' && write?.send !== 'template') return []
  const sent = Object.entries(attributes).filter(([, entry]) => isSent(entry, 'update'))
  const whole = sent.find(([, { send }]) => send === '')
  return whole !== undefined && sent.length > 1 && problem(['attributes', whole[0], 'send'], 'wholeBody')
}

type Send = PartWrite['send']

/** The object must be read on its own and completely. */
const needsWhole = (send: Send): boolean => send === 'object' || send === 'jsonPatch'

const isPartOfList = ({ lookup }: RestResource, part: ResourcePart): boolean =>
  ('list' in lookup && lookup.list.op === readOp(part)) || isFromList(part)

const checkSent = (send: Send, name: string, entry: AttributeEntry): Findings => [
  entry.clearAs === 'omit' && send === 'changed' && problem(['clearAs'], 'omitChangesNothing', name),
  !['object', 'jsonPatch', 'mergePatch'].includes(send) &&
    hasIgnoredKeys(entry) &&
    !entry.immutable &&
    isSent(entry, 'update') &&
    problem(['ignoreKeys'], 'removesIgnored', send, name),
]

const hasIgnoredKeys = (entry: AttributeEntry): boolean =>
  entriesIn(entry).some(({ ignoreKeys }) => ignoreKeys !== undefined)

/** Calls: their triggers and operations must exist. */
export const checkActions = (resource: RestResource): Findings => {
  const entries = allEntries(resource)
  return Object.entries(resource.actions ?? {}).map(([name, { op, on, when = {} }]) =>
    found(
      ['actions', name],
      checkWrite(resource, op, ['op']),
      on.map((attribute) => entries[attribute] === undefined && problem(['on'], 'noAttribute', attribute, entries)),
      Object.keys(when).map(
        (attribute) => entries[attribute] === undefined && problem(['when'], 'noAttribute', attribute, entries),
      ),
    ),
  )
}

/** Rules between the keys of a collection. */
const checkCollection = (
  resource: RestResource,
  collection: Collection,
  onCreate: ResourcePart['onCreate'],
): Findings => {
  const { write, element, ignore = [], immutable } = collection
  return [
    checkPositions(resource, collection),
    checkKey(collection),
    checkWithin(resource, collection),
    checkUpsert(collection),
    ignore.map((rule, index) =>
      Object.keys(rule)
        .filter((member) => element[member] === undefined)
        .map((member) => problem(['ignore', index, member], 'notInElement', member, 'element')),
    ),
    write === undefined && !immutable && problem([], 'collectionWithoutWrite'),
    write === undefined && onCreate === 'after' && problem([], 'afterWithoutWrite'),
    found(['write'], checkWrites(resource, collection)),
  ]
}

const isWhole = ({ write }: Collection): boolean => write !== undefined && 'body' in write && names(write.body, 'all')

const isPlain = ({ element, key, positions, ignore }: Collection): boolean => {
  const [member, ...others] = Object.values(element)
  const hasPlace = [member?.path, member?.send, member?.select, member?.in].some((fact) => fact !== undefined)
  const isKeyed = key !== undefined || positions !== undefined || ignore !== undefined
  return member !== undefined && others.length === 0 && !hasPlace && !isKeyed
}

const checkWithin = ({ parts }: RestResource, { within, key = [], field }: Collection): Findings => {
  if (within === undefined) return []
  const around = parts.find(({ collection }) => collection?.field === within && within !== field)?.collection
  const isAlike = around?.key?.length === key.length && key.every((each) => around.key?.includes(each))
  return [!isAlike && problem(['within'], 'otherCollection', within)]
}

const checkKey = (collection: Collection): Findings => {
  const { key, ordered, element, write, plain } = collection
  return [
    plain && !isPlain(collection) && problem(['plain'], 'notPlain'),
    key?.map((member) => element[member] === undefined && problem(['key'], 'notInElement', member, 'element')),
    write !== undefined &&
      !isWhole(collection) && [
        keyOfElements(collection) === undefined && problem([], 'noElementKey'),
        ordered && !('each' in write) && problem(['ordered'], 'orderNotWritten'),
      ],
  ]
}

/** Rules for elements that are addressed by their position. */
const checkPositions = (resource: RestResource, collection: Collection): Findings => {
  const { positions, ordered, write, element, manage, ignore } = collection
  const each = write !== undefined && 'each' in write ? write.each : undefined
  if (positions === undefined) return ordered && each !== undefined && problem(['ordered'], 'noPositions')
  return found(
    ['positions'],
    each === undefined && problem([], 'noElementAlone'),
    (manage === 'declared' || ignore !== undefined) && problem([], 'countsUnmanaged'),
    'member' in positions
      ? [
          element[positions.member]?.computed !== true && problem(['member'], 'noComputedMember', positions.member),
          ordered && problem(['member'], 'positionsAreCounted'),
        ]
      : [
          !ordered && problem(['first'], 'onlyOrderedIsCounted'),
          each !== undefined &&
            ![each.create, each.move].some((op) => takesPosition(resource, op)) &&
            problem([], 'noTargetPosition'),
        ],
  )
}

const checkWrites = (resource: RestResource, collection: Collection): Findings => {
  const { write, ignore } = collection
  if (write === undefined) return []
  if ('each' in write)
    return [
      Object.entries(write.each).map(([name, op]) => checkWrite(resource, op, ['each', name])),
      write.instead && checkWrite(resource, write.instead.op, ['instead', 'op']),
      Object.keys(write.instead?.when ?? {})
        .filter((name) => collection.element[name] === undefined)
        .map((name) => problem(['instead', 'when', name], 'noAttribute', name, collection.element)),
    ]
  return [
    checkWrite(resource, write.op, ['op']),
    ignore !== undefined && isWhole(collection) && problem(['body'], 'allRemovesIgnored'),
    !['changes', 'upserts', 'removes', 'all'].some((variable) => names(write.body, variable)) &&
      problem(['body'], 'noChangesInBody'),
  ]
}
