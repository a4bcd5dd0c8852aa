import type { Json, Path } from '../../../engine/schema/json.ts'
import { isArray } from '../../../engine/schema/json.ts'
import { present } from '../../../engine/values/defined.ts'
import type { AttributeEntry } from '../../../providers/rest/document/attribute.ts'
import { entriesOf, isSent } from '../../../providers/rest/document/attributes.ts'
import type { RestDocument, RestResource } from '../../../providers/rest/document/document.ts'
import type { Listing, Operation } from '../../../providers/rest/document/operation/operation.ts'
import { onePage } from '../../../providers/rest/document/operation/pages.ts'
import type { ResourcePart } from '../../../providers/rest/document/part.ts'
import { pathOf } from '../../../providers/rest/document/shared/template.ts'

/* All reads of a provider document are here, so that the comparison need not change when the language grows. */

export interface Field {
  readonly name: string
  readonly entry: AttributeEntry
  readonly at: Path
}

export interface ResourceView {
  readonly name: string
  readonly resource: RestResource
  readonly at: Path
}

export const resourcesOf = (document: RestDocument): readonly ResourceView[] =>
  Object.entries(document.resources).map(([name, resource]) => ({ name, resource, at: ['resources', name] }))

export interface PartView {
  readonly part: ResourcePart
  readonly at: Path
}

export const partsOf = ({ resource, at }: ResourceView): readonly PartView[] =>
  resource.parts.map((part, index) => ({ part, at: [...at, 'parts', index] }))

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
    // The element of a collection contains its members directly.
    at: at.at(-1) === 'element' && at.at(-2) === 'collection' ? [...at, name] : [...at, 'attributes', name],
  }))

export const elementOf = ({ name, entry, at }: Field): Field | undefined =>
  entry.element === undefined ? undefined : { name, entry: entry.element, at: [...at, 'element'] }

export const readPlace = ({ name, entry }: Field): Path => pathOf(entry.path ?? name)
export const sentPlace = ({ name, entry }: Field): Path => pathOf(entry.send ?? name)

export const isSentOn = ({ entry }: Field, kind: 'create' | 'update'): boolean => isSent(entry, kind)

/** False if the answer does not contain the attribute: it is part of the URL, or write-only. */
export const isRead = ({ entry }: Field): boolean => !entry.writeOnly && entry.in !== 'path'

export interface ListingView {
  readonly listing: Listing
  readonly at: Path
}

export const listingsOf = ({ resource, at }: ResourceView): readonly ListingView[] => [
  ...('list' in resource.lookup ? [{ listing: resource.lookup.list, at: [...at, 'lookup', 'list'] }] : []),
  ...present(resource.discover && { listing: resource.discover, at: [...at, 'discover'] }),
]

/** Returns the operation that a lookup without a list uses. */
export const retrieveOf = ({ resource: { lookup } }: ResourceView): string | undefined => {
  if (!('retrieve' in lookup)) return undefined
  return lookup.retrieve === true ? 'retrieve' : lookup.retrieve
}

interface PartRead {
  readonly op: string
  /** The place of the list in the answer, if the part consists of its elements. */
  readonly items?: string
  /** True: all elements together are one attribute. */
  readonly isWholeList?: true
}

export const readOf = ({ read }: ResourcePart): PartRead => {
  if (typeof read === 'string') return { op: read }
  const { op, select, list } = read
  if (list !== undefined) return { op, items: list.items, isWholeList: true }
  return select === undefined ? { op } : { op, items: select.in }
}

export const pageParameters = ({ provider }: RestDocument, operation: Operation): readonly string[] => {
  const pages = operation.pagination ?? provider.pagination ?? onePage
  if (pages.style === 'none' || ('in' in pages && pages.in === 'body')) return []
  return present(...Object.keys(pages.query ?? {}), pages.size?.param, 'param' in pages && pages.param)
}

export const sentMediaType = ({ contentType, headers = {} }: Operation): string => {
  const header = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')
  return contentType ?? header?.[1] ?? 'application/json'
}

export interface StatesView {
  /** The operation whose answer contains the state; absent: the one that reads the object. */
  readonly op?: string
  readonly place: string
  readonly states: readonly string[]
  readonly at: Path
}

export const statesOf = ({ resource, at }: ResourceView): readonly StatesView[] => {
  const holders = [
    { wait: resource.wait, at },
    ...Object.entries(resource.operations).map(([name, { wait }]) => ({ wait, at: [...at, 'operations', name] })),
  ]
  const waiters = holders.flatMap(({ wait, at: around }): readonly StatesView[] => {
    if (wait === undefined || wait === 'none') return []
    const isSequence = isArray(wait)
    return [wait].flat().flatMap(({ poll, state, ok = [], error = [] }, index) => {
      const op = typeof poll === 'string' ? poll : 'op' in poll ? poll.op : undefined
      // No description defines the answer of a URL that comes from a response.
      if (op === undefined || state === undefined) return []
      return { op, place: state, states: textsOf([ok, error]), at: [...around, 'wait', ...(isSequence ? [index] : [])] }
    })
  })
  const life = resource.lifecycle?.states
  if (life === undefined) return waiters
  return [...waiters, { place: life.at, states: textsOf([life.busy, life.error]), at: [...at, 'lifecycle', 'states'] }]
}

const textsOf = (lists: readonly (readonly Json[] | undefined)[]): readonly string[] =>
  lists.flatMap((list) => list ?? []).filter((one) => typeof one === 'string')

export const baseOf = ({ provider }: RestDocument): string =>
  provider.baseUrl.replace(/\{with\.([\w-]+)\}/g, (whole, name: string) => {
    const given = provider.with?.[name]?.default
    return given === undefined ? whole : String(given)
  })
