import type { Json, Path } from '../../../engine/schema/json.ts'
import { present } from '../../../engine/values/defined.ts'
import { withProviderDefaults } from '../../../providers/rest/document/defaults.ts'
import type { RestDocument } from '../../../providers/rest/document/document.ts'
import { pathOf } from '../../../providers/rest/document/shared/template.ts'
import type { IdPlace } from '../../../providers/rest/document/shared/words.ts'
import type { Description, Schema } from '../description/description.ts'
import { type FindOperation, operationFinder, pathOfBase } from '../description/find-operation.ts'
import { answerOf, lookInto, schemaAt } from '../description/look-into.ts'
import {
  baseOf,
  elementOf,
  type Field,
  fieldsOf,
  type ListingView,
  listingsOf,
  membersOf,
  type PartView,
  pageParameters,
  partsOf,
  type ResourceView,
  readOf,
  resourcesOf,
  retrieveOf,
  type StatesView,
  statesOf,
} from '../document/document-view.ts'
import { compareFields, compareRequest, wholeElementOf } from './fields.ts'
import { type DocumentFinding, type Findings, finding } from './finding.ts'
import { type ComparedCall, compareQuery, compareRequiredQuery, matchCall } from './operation.ts'
import { findSharedLists } from './owners.ts'
import { findUnproven } from './proof.ts'
import { noResponse as noResponseText, say } from './words.ts'

interface Comparing {
  readonly document: RestDocument
  readonly view: ResourceView
  readonly calls: ReadonlyMap<string, ComparedCall>
}

/**
 * Compares a provider document with a description of the same API. Pure; sends no request. Equal findings are reported
 * once.
 */
export const compareDocument = (document: RestDocument, description: Description) => {
  const find = operationFinder(description, pathOfBase(baseOf(document)))
  const found = new Map<string, DocumentFinding>()
  for (const one of resourcesOf(document).flatMap((view) => [...compareResource(document, view, find)])) {
    const key = JSON.stringify([one.path, 'reason' in one ? one.reason : one.message])
    if (!found.has(key)) found.set(key, one)
  }
  const all = [...found.values()]
  return {
    disagreements: all.filter((one) => 'message' in one),
    uncompared: all.filter((one) => 'reason' in one),
  }
}

function* compareResource(document: RestDocument, view: ResourceView, find: FindOperation): Findings {
  const calls = new Map<string, ComparedCall>()
  for (const [name, written] of Object.entries(view.resource.operations)) {
    // A description of paths contains nothing about GraphQL.
    if (written.graphql === true) continue
    const operation = withProviderDefaults(document.provider, written)
    const call = yield* matchCall(find, name, operation, [...view.at, 'operations', name])
    if (call !== undefined) calls.set(name, call)
  }
  const comparing: Comparing = { document, view, calls }
  yield* findSharedLists(view, itemOf(comparing))
  yield* findUnproven(view, present(objectIn(calls.get(retrieveOf(view) ?? '')), itemOf(comparing)))
  for (const call of calls.values()) yield* compareQueries(comparing, call)
  for (const listing of listingsOf(view)) yield* compareListing(comparing, listing)
  yield* compareIds(comparing)
  yield* compareCreate(comparing)
  yield* compareActions(comparing)
  for (const states of statesOf(view)) yield* compareStates(comparing, states)
  for (const part of partsOf(view)) {
    yield* comparePartRead(comparing, part)
    yield* comparePartWrite(comparing, part)
    yield* compareCollectionWrite(comparing, part)
  }
}

function* compareQueries({ document, view }: Comparing, call: ComparedCall): Findings {
  const { query = {}, pagination } = call.operation
  const listings = listingsOf(view).filter(({ listing }) => listing.op === call.name)
  const pages = listings.length === 0 ? [] : pageParameters(document, call.operation)
  yield* compareQuery(call, Object.keys(query), [...call.at, 'query'])
  yield* compareQuery(call, pages, pagination === undefined ? ['provider', 'pagination'] : [...call.at, 'pagination'])
  for (const { listing, at } of listings) yield* compareQuery(call, Object.keys(listing.query ?? {}), [...at, 'query'])
  const listed = listings.flatMap(({ listing }) => Object.keys(listing.query ?? {}))
  yield* compareRequiredQuery(call, [...Object.keys(query), ...pages, ...listed])
}

const noResponse = (at: Path, { text, described }: ComparedCall): DocumentFinding =>
  finding(at, noResponseText(text), described.pointer)

function* placeIn(schema: Schema, place: string, at: Path, call: ComparedCall): Findings<Schema | undefined> {
  const looked = lookInto(schema, pathOf(place))
  if (looked.kind === 'found') return looked.schema
  if (looked.kind === 'untold') yield noResponse(at, call)
  else {
    const members = [...looked.holder.properties().keys()]
    yield finding(at, say('noPlace', call.text, place, members), looked.holder.pointer)
  }
  return undefined
}

function* objectOf(call: ComparedCall, at: Path): Findings<Schema | undefined> {
  const answer = answerOf(call.described, call.operation.success)
  if (answer !== undefined) return yield* placeIn(answer, call.operation.answer ?? '', [...call.at, 'answer'], call)
  yield noResponse(at, call)
  return undefined
}

/** Returns the schema of the items of a list: elements, or the members of an object with `keyed`. */
function* itemsOf(
  call: ComparedCall,
  { items: place, keyed }: Pick<ListingView['listing'], 'items' | 'keyed'>,
  at: Path,
): Findings<Schema | undefined> {
  const answer = yield* objectOf(call, at)
  const list = answer && (yield* placeIn(answer, place, at, call))
  if (answer === undefined || list === undefined) return undefined
  const items = keyed === undefined ? list.items() : list.additional()
  if (items !== undefined) return items
  if (keyed !== undefined || list.types.length === 0 || list.types.includes('array')) yield noResponse(at, call)
  else {
    const lists = [...answer.properties()].filter(([, one]) => one.types.includes('array')).map(([name]) => name)
    yield finding(at, say('noList', call.text, place, lists), list.pointer)
  }
  return undefined
}

function* compareListing({ view, calls }: Comparing, { listing, at }: ListingView): Findings {
  const call = calls.get(listing.op)
  const item = call && (yield* itemsOf(call, listing, [...at, 'items']))
  if (call === undefined || item === undefined || listing.plain !== undefined) return
  const { lookup, identity, serverId = {} } = view.resource
  const found = 'list' in lookup && at.at(-1) === 'list' ? lookup : undefined
  const match = 'list' in lookup ? lookup.match : identity.keys
  const compared = partsOf(view)
    .flatMap(fieldsOf)
    .filter(({ name }) => match.includes(name) && name !== listing.keyed)
    .map((field) => movedTo(field, found?.at?.[field.name]))
  yield* compareFields(compared, item, 'read', call.text)
  for (const key of ['where', 'whereNot'] as const)
    for (const place of Object.keys(found?.[key] ?? {}))
      yield* placeIn(item, place, [...view.at, 'lookup', key, place], call)
  if (found?.ids === undefined) yield* comparePlaces(serverId, item, [...view.at, 'serverId'], call)
  else yield* comparePlaces(found.ids, item, [...view.at, 'lookup', 'ids'], call)
}

const itemOf = ({ view, calls }: Comparing): Schema | undefined => {
  const [first] = listingsOf(view)
  const list = first && schemaAt(objectIn(calls.get(first.listing.op)), pathOf(first.listing.items))
  return first?.listing.keyed === undefined ? list?.items() : list?.additional()
}

/** Items of another collection may have the keys at other places. */
const movedTo = (field: Field, path: string | undefined): Field =>
  path === undefined ? field : { ...field, entry: { ...field.entry, path } }

function* comparePlaces(
  places: Readonly<Record<string, IdPlace>>,
  schema: Schema,
  at: Path,
  call: ComparedCall,
): Findings {
  // Few descriptions list response headers: a missing one means nothing.
  for (const [name, place] of Object.entries(places))
    if (typeof place === 'string') yield* placeIn(schema, place, [...at, name], call)
}

const objectIn = (call: ComparedCall | undefined): Schema | undefined =>
  call && schemaAt(answerOf(call.described, call.operation.success), pathOf(call.operation.answer ?? ''))

function* compareIds({ view, calls }: Comparing): Findings {
  const retrieve = calls.get(retrieveOf(view) ?? '')
  const object = objectIn(retrieve)
  if (retrieve !== undefined && object !== undefined)
    yield* comparePlaces(view.resource.serverId ?? {}, object, [...view.at, 'serverId'], retrieve)
  for (const call of calls.values()) {
    const { produces, success } = call.operation
    if (produces === undefined) continue
    const at = [...call.at, 'produces']
    const answer = answerOf(call.described, success)
    if (answer === undefined) yield noResponse(at, call)
    else yield* comparePlaces(produces, answer, at, call)
  }
}

function* compareCreate({ view, calls }: Comparing): Findings {
  const call = calls.get('create')
  if (call === undefined || call.operation.body === 'none') return
  const fields = partsOf(view)
    .filter(({ part }) => part.onCreate === 'inline')
    .flatMap(fieldsOf)
  const at = [...call.at, 'body']
  yield* compareRequest(call, call.operation.body, { fields, way: 'create', at, whole: true })
}

function* comparePartRead({ view, calls }: Comparing, { part, at }: PartView): Findings {
  const { op, items, isWholeList } = readOf(part)
  const call = calls.get(op)
  if (call === undefined) return
  const { lookup } = view.resource
  const listed = 'list' in lookup && lookup.list.op === op ? lookup.list : undefined
  const list = items === undefined ? listed : { items }
  const readAt: Path = [...at, 'read']
  const object = yield* list === undefined ? objectOf(call, readAt) : itemsOf(call, list, readAt)
  const fields = fieldsOf({ part, at })
  if (object !== undefined)
    yield* compareFields(isWholeList ? fields.flatMap(wholeElementOf) : fields, object, 'read', call.text)
}

function* comparePartWrite({ view, calls }: Comparing, { part, at }: PartView): Findings {
  const { write } = part
  const call = write && calls.get(write.op)
  // A JSON patch contains changes, not fields.
  if (write === undefined || call === undefined || write.send === 'jsonPatch') return
  const template = write.body ?? call.operation.body
  if (template === 'none') return
  const whole = write.send === 'full'
  // Attributes that an action sets are not in a body with the changed attributes.
  const called = Object.values(view.resource.actions ?? {}).flatMap(({ on, alongside }) => (alongside ? [] : on))
  const fields = fieldsOf({ part, at }).filter(
    ({ name, entry }) => name !== part.collection?.field && (whole || !(entry.immutable || called.includes(name))),
  )
  const bodyAt = write.body === undefined ? [...at, 'write'] : [...at, 'write', 'body']
  yield* compareRequest(call, template, { fields, way: 'update', at: bodyAt, whole })
  if (write.send === 'changed' && template === undefined) yield* compareWhole(call, [...at, 'write', 'send'])
}

/** A PUT with required fields needs more than the changed ones. */
function* compareWhole({ operation, described, text }: ComparedCall, at: Path): Findings {
  const schema = described.body?.schema
  if (operation.method !== 'PUT' || schema === undefined) return
  const required = [...schema.required].filter((name) => schema.properties().get(name)?.readOnly !== true)
  if (required.length > 0) yield finding(at, say('onlyChanged', text, required), schema.pointer)
}

function* compareActions({ view, calls }: Comparing): Findings {
  const all = partsOf(view).flatMap(fieldsOf)
  for (const [name, action] of Object.entries(view.resource.actions ?? {})) {
    const call = calls.get(action.op)
    const template = action.body ?? call?.operation.body
    if (call === undefined || template === 'none') continue
    const at = [...view.at, 'actions', name, ...present(action.body !== undefined && 'body')]
    const fields = all.filter((field) => action.on.includes(field.name))
    const fieldAt = ([first, second]: Path): Field | undefined =>
      all.find((field) => field.name === (first === 'desired' || first === 'before' ? second : first))
    yield* compareRequest(call, template, { fields, way: 'update', at, whole: true, fieldAt })
  }
}

function* compareCollectionWrite({ calls }: Comparing, { part, at }: PartView): Findings {
  const { collection } = part
  const list = fieldsOf({ part, at }).find(({ name }) => name === collection?.field)
  const element = list && elementOf(list)
  if (collection?.write === undefined || list === undefined || element === undefined) return
  const elements = membersOf(element)
  const one = ([first, second]: Path): Field | undefined =>
    ['el', 'key', 'changed'].includes(String(first)) ? elements.find(({ name }) => name === second) : undefined
  const { write } = collection
  const writeAt = [...at, 'collection', 'write']
  if ('op' in write) {
    const call = calls.get(write.op)
    const isWhole = (variable: Path): boolean => ['all', 'changes', 'upserts'].includes(String(variable[0]))
    // With `upsert` the elements have another form than those of the attribute.
    const fieldAt = (variable: Path) => (isWhole(variable) && write.upsert === undefined ? list : one(variable))
    const parts = { fields: [], way: 'update' as const, at: [...writeAt, 'body'], whole: false, fieldAt }
    if (call !== undefined) yield* compareRequest(call, write.body, parts)
    return
  }
  for (const way of ['create', 'update'] as const) {
    const call = calls.get(write.each[way] ?? '')
    const parts = { fields: elements, way, at: [...writeAt, 'each', way], whole: way === 'create', fieldAt: one }
    if (call !== undefined) yield* compareRequest(call, fieldsFor(call.operation.body), parts)
  }
}

/** A body `{el}` means the same as no body: the element itself. */
const fieldsFor = (body: Json | undefined): Json | undefined => (body === '{el}' ? undefined : body)

function* compareStates({ view, calls }: Comparing, { op, place, states, at }: StatesView): Findings {
  const [first] = view.resource.parts
  const call = calls.get(op ?? retrieveOf(view) ?? (first === undefined ? '' : readOf(first).op))
  const { values = [], pointer } = schemaAt(objectIn(call), pathOf(place)) ?? {}
  const unknown = states.filter((state) => !values.includes(state))
  if (call !== undefined && values.length > 0 && unknown.length > 0)
    yield finding(at, say('unknownStates', call.text, place, unknown, values), pointer)
}
