import type { RestDocument } from '../../providers/rest/document/document.ts'
import { placeOf } from '../../providers/rest/document/template.ts'
import type { IdPlace } from '../../providers/rest/document/words.ts'
import type { Path } from '../../schema/json.ts'
import type { Schema } from '../description/description.ts'
import type { FindOperation } from '../description/find-operation.ts'
import { type Looked, lookInto } from '../description/look-into.ts'
import {
  answerPlace,
  bodyTemplate,
  type Field,
  fieldsOf,
  isSentOn,
  type ListingView,
  listingsOf,
  listWriteOf,
  pageParameters,
  partsOf,
  type ResourceView,
  readOf,
  retrieveOf,
  type StatesView,
  statesOf,
} from '../document/document-view.ts'
import { compareBody } from './body.ts'
import { compareRead } from './fields.ts'
import { type Comparison, disagree, nothing, together, uncompared } from './finding.ts'
import { answerOf, type Call, compareDemanded, compareQuery, matchCall } from './operation.ts'

interface Comparing {
  readonly document: RestDocument
  readonly view: ResourceView
  readonly calls: ReadonlyMap<string, Call>
  readonly fields: readonly Field[]
}

/** One resource of a document beside the description. */
export const compareResource = (document: RestDocument, view: ResourceView, find: FindOperation): Comparison => {
  const matched = Object.entries(view.resource.operations).map(([name, operation]) =>
    matchCall(find, name, operation, [...view.at, 'operations', name]),
  )
  const calls = new Map(matched.flatMap(({ call }) => (call === undefined ? [] : [[call.name, call] as const])))
  const comparing = { document, view, calls, fields: partsOf(view).flatMap(fieldsOf) }
  return together([
    ...matched.map(({ comparison }) => comparison),
    ...[...calls.values()].map((call) => compareQueries(comparing, call)),
    ...listingsOf(view).map((listing) => compareListing(comparing, listing)),
    compareIds(comparing),
    compareCreate(comparing),
    ...statesOf(view).map((states) => compareStates(comparing, states)),
    ...partsOf(view).map((part) => comparePart(comparing, part)),
  ])
}

/** Everything that an operation sends in its query, wherever the document says so. */
const compareQueries = ({ document, view }: Comparing, call: Call): Comparison => {
  const listings = listingsOf(view).filter(({ listing }) => listing.op === call.name)
  const own = Object.keys(call.operation.query ?? {})
  const pages = listings.length === 0 ? [] : pageParameters(document, call.operation)
  const listed = listings.flatMap(({ listing }) => Object.keys(listing.query ?? {}))
  const pagesAt: Path =
    call.operation.pagination === undefined ? ['provider', 'pagination'] : [...call.at, 'pagination']
  return together([
    compareQuery(call, own, [...call.at, 'query']),
    compareQuery(call, pages, pagesAt),
    ...listings.map(({ listing, at }) => compareQuery(call, Object.keys(listing.query ?? {}), [...at, 'query'])),
    compareDemanded(call, [...own, ...pages, ...listed]),
  ])
}

const untold = (at: Path, call: Call): Comparison =>
  uncompared(at, `the description does not say what ${call.text} answers`, call.described.pointer)

/** The schema at a place of an answer, or what is wrong with the place. */
const placeIn = (schema: Schema, place: string, at: Path, call: Call): Schema | Comparison => {
  const looked: Looked = lookInto(schema, placeOf(place))
  if (looked.kind === 'found') return looked.schema
  if (looked.kind === 'untold') return untold(at, call)
  const names = [...looked.holder.properties().keys()].slice(0, 12)
  const hint = names.length === 0 ? 'it is no object' : `there are: ${names.join(', ')}`
  return disagree(at, `what ${call.text} answers has no "${place}"`, hint, looked.holder.pointer)
}

const isComparison = (value: Schema | Comparison): value is Comparison => 'disagreements' in value

/** The items of a list, where the answer is one, or the members of an object. */
const itemsOf = (
  document: RestDocument,
  call: Call,
  { items: place, keyed }: Pick<ListingView['listing'], 'items' | 'keyed'>,
  at: Path,
): Schema | Comparison => {
  const answer = objectOf(document, call, at)
  if (isComparison(answer)) return answer
  const list = placeIn(answer, place, at, call)
  if (isComparison(list)) return list
  const items = keyed === undefined ? list.items() : list.additional()
  if (items !== undefined) return items
  if (keyed !== undefined || list.types.length === 0 || list.types.includes('array')) return untold(at, call)
  const lists = [...answer.properties()].filter(([, one]) => one.types.includes('array')).map(([name]) => name)
  const fix = lists.length === 0 ? 'name the place of the list' : `items may be: ${lists.join(', ')}`
  return disagree(
    at,
    `what ${call.text} answers ${place === '' ? '' : `at "${place}" `}is no list in the description`,
    fix,
    list.pointer,
  )
}

const compareListing = ({ document, view, calls, fields }: Comparing, { listing, at }: ListingView): Comparison => {
  const call = calls.get(listing.op)
  if (call === undefined) return nothing
  const item = itemsOf(document, call, listing, [...at, 'items'])
  if (isComparison(item)) return item
  const { lookup, identity } = view.resource
  const found = 'list' in lookup && at.at(-1) === 'list' ? lookup : undefined
  const match = 'list' in lookup ? lookup.match : identity.keys
  const compared = fields.filter(({ name }) => match.includes(name) && name !== listing.keyed)
  return together([
    compareRead(
      compared.map((field) => movedTo(field, found?.at?.[field.name])),
      item,
      call.text,
    ),
    ...(['where', 'whereNot'] as const).flatMap((key) =>
      Object.keys(found?.[key] ?? {}).map((place) => {
        const there = placeIn(item, place, [...view.at, 'lookup', key, place], call)
        return isComparison(there) ? there : nothing
      }),
    ),
    ...(found?.ids === undefined
      ? placesOf(view.resource.serverId ?? {}, item, [...view.at, 'serverId'], call)
      : placesOf(found.ids, item, [...view.at, 'lookup', 'ids'], call)),
  ])
}

/** Items of another collection hold the keys at places of their own. */
const movedTo = (field: Field, path: string | undefined): Field =>
  path === undefined ? field : { ...field, entry: { ...field.entry, path } }

const placesOf = (
  places: Readonly<Record<string, IdPlace>>,
  schema: Schema,
  at: Path,
  call: Call,
): readonly Comparison[] =>
  Object.entries(places).map(([name, place]) => {
    // Headers of answers are described too rarely for their absence to mean something.
    if (typeof place !== 'string') return nothing
    const found = placeIn(schema, place, [...at, name], call)
    return isComparison(found) ? found : nothing
  })

/** The object in an answer, or what holds the items of a list. */
const objectOf = (document: RestDocument, call: Call, at: Path): Schema | Comparison => {
  const answer = answerOf(call)
  if (answer === undefined) return untold(at, call)
  return placeIn(answer, answerPlace(document, call.operation), [...call.at, 'answer'], call)
}

/** Server ids where they are taken from: the object that a lookup retrieves, and what a create answers. */
const compareIds = ({ document, view, calls }: Comparing): Comparison => {
  const retrieve = calls.get(retrieveOf(view) ?? '')
  const retrieved = retrieve && objectOf(document, retrieve, retrieve.at)
  const creating = [...calls.values()].filter(({ operation }) => operation.produces !== undefined)
  return together([
    ...(retrieve === undefined || retrieved === undefined || isComparison(retrieved)
      ? []
      : placesOf(view.resource.serverId ?? {}, retrieved, [...view.at, 'serverId'], retrieve)),
    ...creating.flatMap((call) => {
      const object = answerOf(call)
      const at = [...call.at, 'produces']
      return object === undefined ? [untold(at, call)] : placesOf(call.operation.produces ?? {}, object, at, call)
    }),
  ])
}

/** The body of the create: the parts that go with it, together. */
const compareCreate = ({ document, view, calls }: Comparing): Comparison => {
  const call = calls.get('create')
  if (call === undefined || call.operation.body === 'none') return nothing
  const inline = partsOf(view).filter(({ part }) => part.onCreate === 'inline')
  const fields = inline.flatMap(fieldsOf)
  const at = [...call.at, 'body']
  return compareRequest(call, bodyTemplate(document, call.operation), { fields, kind: 'create', at, whole: true })
}

const compareRequest = (
  call: Call,
  template: Parameters<typeof compareBody>[0],
  parts: Omit<Parameters<typeof compareBody>[2], 'call'>,
): Comparison => {
  const { body } = call.described
  if (body === undefined) {
    const sent = parts.fields.filter((field) => isSentOn(field, parts.kind))
    return sent.length === 0 && template === undefined
      ? nothing
      : uncompared(parts.at, `the description has no body for ${call.text}`, call.described.pointer)
  }
  if (body.schema === undefined) {
    return uncompared(parts.at, `the description does not say what ${call.text} takes`, body.pointer)
  }
  return compareBody(template, body.schema, { ...parts, call: call.text })
}

const comparePart = (comparing: Comparing, view: ReturnType<typeof partsOf>[number]): Comparison =>
  together([
    comparePartRead(comparing, view),
    comparePartWrite(comparing, view),
    compareCollectionWrite(comparing, view),
  ])

const comparePartRead = (
  { document, view, calls }: Comparing,
  { part, at }: ReturnType<typeof partsOf>[number],
): Comparison => {
  const { op, select } = readOf(part)
  const call = calls.get(op)
  if (call === undefined) return nothing
  const { lookup } = view.resource
  const listed = 'list' in lookup && lookup.list.op === op ? lookup.list : undefined
  const list = select === undefined ? listed : { items: select }
  const readAt: Path = [...at, 'read']
  const object = list === undefined ? objectOf(document, call, readAt) : itemsOf(document, call, list, readAt)
  return isComparison(object) ? object : compareRead(fieldsOf({ part, at }), object, call.text)
}

const comparePartWrite = (
  { document, calls }: Comparing,
  { part, at }: ReturnType<typeof partsOf>[number],
): Comparison => {
  const { write } = part
  const call = write && calls.get(write.op)
  // A JSON patch holds changes, not fields.
  if (write === undefined || call === undefined || patches.has(write.send)) return nothing
  const template = bodyTemplate(document, call.operation, write.body)
  if (template === 'none') return nothing
  const full = write.send === 'full'
  const fields = fieldsOf({ part, at }).filter(
    ({ name, entry }) => name !== part.collection?.field && (full || !entry.immutable),
  )
  const bodyAt = write.body === undefined ? [...at, 'write'] : [...at, 'write', 'body']
  return together([
    compareRequest(call, template, { fields, kind: 'update', at: bodyAt, whole: full }),
    ...(write.send === 'changed' && template === undefined ? [compareWhole(call, [...at, 'write', 'send'])] : []),
  ])
}

const patches: ReadonlySet<string> = new Set(['jsonPatch'])

/** A PUT that demands fields is hardly served by those that differ alone. */
const compareWhole = (call: Call, at: Path): Comparison => {
  const schema = call.described.body?.schema
  if (call.operation.method !== 'PUT' || schema === undefined) return nothing
  const demanded = [...schema.required].filter((name) => schema.properties().get(name)?.readOnly !== true)
  if (demanded.length === 0) return nothing
  const message = `${call.text} demands ${demanded.map((name) => `"${name}"`).join(', ')}, and only what differs is sent`
  return disagree(at, message, 'say send: full', schema.pointer)
}

/** The write of a collection's elements: the list must have a place in the request. */
const compareCollectionWrite = ({ calls }: Comparing, { part, at }: ReturnType<typeof partsOf>[number]): Comparison => {
  const write = listWriteOf(part)
  const call = write && calls.get(write.op)
  if (write === undefined || call === undefined) return nothing
  const bodyAt = [...at, 'collection', 'write', 'body']
  return compareRequest(call, write.body, { fields: [], kind: 'update', at: bodyAt, whole: false })
}

/** States that a document names, among those that the description knows. */
const compareStates = ({ document, view, calls }: Comparing, states: StatesView): Comparison => {
  const [first] = view.resource.parts
  const call = calls.get(states.op ?? retrieveOf(view) ?? (first === undefined ? '' : readOf(first).op))
  const object = call && objectOf(document, call, states.at)
  if (call === undefined || object === undefined || isComparison(object)) return nothing
  const looked = lookInto(object, placeOf(states.place))
  const values = looked.kind === 'found' ? (looked.schema.values ?? []) : []
  const alien = states.states.filter((state) => !values.includes(state))
  if (looked.kind !== 'found' || values.length === 0 || alien.length === 0) return nothing
  const message = `${call.text} answers no ${alien.map((state) => `"${state}"`).join(', ')} at "${states.place}"`
  return disagree(states.at, message, `there are: ${values.join(', ')}`, looked.schema.pointer)
}
