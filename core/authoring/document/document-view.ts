import type { AttributeEntry } from '../../providers/rest/document/attribute.ts'
import { entriesOf, isSent } from '../../providers/rest/document/attributes.ts'
import type { RestDocument, RestResource } from '../../providers/rest/document/document.ts'
import type { Listing, Operation } from '../../providers/rest/document/operation.ts'
import type { Part } from '../../providers/rest/document/part.ts'
import { pathOf } from '../../providers/rest/document/template.ts'
import type { Json, Path } from '../../schema/json.ts'
import { isArray, isObject } from '../../schema/json.ts'
import { defined } from '../../values/defined.ts'

/*
 * What is asked of a provider document here, in one place: the language grows, and the comparison should not care.
 */

/** An attribute with its name and where it stands in the document. */
export interface Field {
  readonly name: string
  readonly entry: AttributeEntry
  readonly at: Path
}

/** A resource with its name and where it stands. */
export interface ResourceView {
  readonly name: string
  readonly resource: RestResource
  readonly at: Path
}

export const resourcesOf = (document: RestDocument): readonly ResourceView[] =>
  Object.entries(document.resources).map(([name, resource]) => ({ name, resource, at: ['resources', name] }))

/** A part and where it stands. */
export interface PartView {
  readonly part: Part
  readonly at: Path
}

export const partsOf = ({ resource, at }: ResourceView): readonly PartView[] =>
  resource.parts.map((part, index) => ({ part, at: [...at, 'parts', index] }))

/** The attributes of a part; its collection is one of them. */
export const fieldsOf = ({ part, at }: PartView): readonly Field[] =>
  Object.entries(entriesOf(part)).map(([name, entry]) => ({
    name,
    entry,
    at: name === part.collection?.field ? [...at, 'collection'] : [...at, 'attributes', name],
  }))

export const membersOf = ({ entry, at }: Field): readonly Field[] =>
  Object.entries(entry.attributes ?? {}).map(([name, member]) => ({
    name,
    entry: member,
    // The element of a collection holds its members directly.
    at: at.at(-1) === 'element' && at.at(-2) === 'collection' ? [...at, name] : [...at, 'attributes', name],
  }))

export const elementOf = ({ name, entry, at }: Field): Field | undefined =>
  entry.element === undefined ? undefined : { name, entry: entry.element, at: [...at, 'element'] }

export const readPlace = ({ name, entry }: Field): Path => pathOf(entry.path ?? name)
export const sentPlace = ({ name, entry }: Field): Path => pathOf(entry.send ?? name)

export const isSentOn = ({ entry }: Field, kind: 'create' | 'update'): boolean => isSent(entry, kind)

/** Not in the answer: part of the URL, or never shown. */
export const isRead = ({ entry }: Field): boolean => !entry.writeOnly && entry.in !== 'path'

export interface ListingView {
  readonly listing: Listing
  readonly at: Path
}

/** Every way in which objects are listed. */
export const listingsOf = ({ resource, at }: ResourceView): readonly ListingView[] => [
  ...('list' in resource.lookup ? [{ listing: resource.lookup.list, at: [...at, 'lookup', 'list'] }] : []),
  ...(resource.discover === undefined ? [] : [{ listing: resource.discover, at: [...at, 'discover'] }]),
]

/** The operation that a lookup without a list uses. */
export const retrieveOf = ({ resource: { lookup } }: ResourceView): string | undefined => {
  if (!('retrieve' in lookup)) return undefined
  return lookup.retrieve === true ? 'retrieve' : lookup.retrieve
}

export const readOf = (part: Part): { readonly op: string; readonly select?: string } => {
  if (typeof part.read === 'string') return { op: part.read }
  const { op, select } = part.read
  return select === undefined ? { op } : { op, select: select.in }
}

/** A member that only some documents have, or only later ones: nothing where it is not there. */
const memberOf = (of: object, key: string): Json | undefined => (isObject(of) ? of[key] : undefined)

/** Names under any key that says that it names a parameter. */
const parameterNames = (of: Json | undefined): readonly string[] =>
  !isObject(of)
    ? []
    : Object.entries(of).flatMap(([key, value]) => {
        if (key === 'query') return isObject(value) ? Object.keys(value) : []
        return typeof value === 'string' && /(^p|P)aram$/.test(key) ? [value] : parameterNames(value)
      })

/** Query parameters that asking for pages sends. */
export const pageParameters = (document: RestDocument, operation: Operation): readonly string[] => {
  const pagination = operation.pagination ?? document.provider.pagination
  return memberOf(pagination, 'in') === 'body' ? [] : parameterNames(pagination as Json)
}

/** Where an operation's answer holds the object, or what holds the items. */
export const answerPlace = ({ provider }: RestDocument, operation: Operation): string => {
  const around = memberOf(provider, 'envelope')
  const usual = isObject(around) ? around['answer'] : undefined
  return operation.answer ?? (typeof usual === 'string' ? usual : '')
}

/** What a body is made of: the template that is written nearest. */
export const bodyTemplate = ({ provider }: RestDocument, operation: Operation, own?: Json): Json | undefined => {
  const around = memberOf(provider, 'envelope')
  return own ?? operation.body ?? (isObject(around) ? around['body'] : undefined)
}

/** The media type of a request's body. */
export const sentMediaType = (operation: Operation): string => {
  const own = memberOf(operation, 'contentType')
  const header = Object.entries(operation.headers ?? {}).find(([name]) => name.toLowerCase() === 'content-type')
  return typeof own === 'string' ? own : (header?.[1] ?? 'application/json')
}

/** The write of a collection as one body; none where each element is a call of its own. */
export const listWriteOf = ({ collection }: Part): { readonly op: string; readonly body: Json } | undefined => {
  const write = collection?.write
  return write !== undefined && 'op' in write ? write : undefined
}

/** States that a document waits for or knows, and where they stand. */
export interface StatesView {
  /** The operation whose answer holds the state; none: the one that reads the object. */
  readonly op?: string
  readonly place: string
  readonly states: readonly string[]
  readonly at: Path
}

/** Waiters of operations and of the resource, and the states of its life. */
export const statesOf = ({ resource, at }: ResourceView): readonly StatesView[] => {
  const holders: readonly (readonly [object, Path])[] = [
    [resource, at],
    ...Object.entries(resource.operations).map(([name, operation]): [object, Path] => [
      operation,
      [...at, 'operations', name],
    ]),
  ]
  const waiters = holders.flatMap(([holder, holderAt]) => {
    const wait = memberOf(holder, 'wait')
    if (isArray(wait)) return wait.map((one, index) => stateView(one, [...holderAt, 'wait', index]))
    return [stateView(wait, [...holderAt, 'wait'])]
  })
  const life = stateView(memberOf(resource.lifecycle ?? {}, 'states'), [...at, 'lifecycle', 'states'])
  return [...waiters, life].filter((one) => one !== undefined)
}

const stateWords = ['ok', 'error', 'busy'] as const

const stateView = (value: Json | undefined, at: Path): StatesView | undefined => {
  if (!isObject(value)) return undefined
  const place = value['state'] ?? value['at']
  const { poll } = value
  const op = typeof poll === 'string' ? poll : isObject(poll) ? poll['op'] : undefined
  const states = stateWords.flatMap((word) => value[word] ?? []).filter((state) => typeof state === 'string')
  // Polled elsewhere than by an operation: nobody knows what is answered there.
  if (typeof place !== 'string' || (isObject(poll) && op === undefined)) return undefined
  return { place, states, at, ...defined({ op: typeof op === 'string' ? op : undefined }) }
}

/** The base URL with what is known of its variables without a workspace. */
export const baseOf = ({ provider }: RestDocument): string =>
  provider.baseUrl.replace(/\{with\.([\w-]+)\}/g, (whole, name: string) => {
    const given = provider.with?.[name]?.default
    return given === undefined ? whole : String(given)
  })
