import type { PlannedRequest } from '../../../schema/command.ts'
import { isArray, isObject, type Json } from '../../../schema/json.ts'
import type { Collection, Part } from '../document/part.ts'
import { fillWhole, type Scope, variablesOf } from '../document/template.ts'
import { within } from '../request/build-body.ts'
import { encodeAll } from '../request/encode.ts'
import { type Building, draftOf, inverseOf, operationOf, writeRequest } from './draft.ts'
import {
  type CollectionSides,
  doneTo,
  type ElementChange,
  elementChanges,
  elementScope,
  goneFirst,
  reversed,
} from './element-changes.ts'
import type { Write } from './lock-commands.ts'
import { elementWrites } from './write-elements.ts'

type Batch = Extract<NonNullable<Collection['write']>, { readonly op: string }>

/** The writes that bring a collection from what it is to what it shall be. */
export const collectionWrites = (building: Building, part: Part, sides: CollectionSides): readonly Write[] => {
  const { collection } = part
  if (collection?.write === undefined) return []
  const { write } = collection
  const writes =
    'each' in write
      ? elementWrites(building, collection, write.each, sides)
      : batchWrites(building, collection, write, sides)
  return writes.map((each) => ({ ...each, part }))
}

const batchesOf = <Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] =>
  items.length === 0 ? [] : [items.slice(0, size), ...batchesOf(items.slice(size), size)]

const batchWrites = (
  building: Building,
  collection: Collection,
  write: Batch,
  { before, after, scope }: CollectionSides,
): readonly Write[] => {
  const operation = operationOf(building, write.op)
  if (operation === undefined) return []
  const request = (some: readonly ElementChange[], list: Json | undefined): PlannedRequest =>
    writeRequest(building, operation, scope, batchBody(collection, write, some, list, scope))
  return batchesIn(collection, write, elementChanges(collection, before, after)).map((batch) => {
    const inverse = inverseOf(() => request(goneFirst(batch.map(reversed)), before))
    const draft = draftOf({
      action: 'update',
      description: describe(collection, batch),
      operation,
      request: request(batch, after),
      grade: inverse === undefined ? 'lossy' : 'reversible',
      inverse,
      does: isWhole(write) ? { sets: [collection.field] } : doneTo(collection, batch),
    })
    return { draft, operation }
  })
}

const isWhole = ({ body }: Batch): boolean => variablesOf(body).some(([first]) => first === 'all')

/** A whole list is one request, also where only the order of its elements differs. */
const batchesIn = (
  collection: Collection,
  write: Batch,
  changes: readonly ElementChange[],
): readonly (readonly ElementChange[])[] => {
  if (!isWhole(write)) return batchesOf(changes, write.batch)
  return changes.length > 0 || collection.ordered ? [changes] : []
}

const batchBody = (
  collection: Collection,
  write: Batch,
  changes: readonly ElementChange[],
  list: Json | undefined,
  scope: Scope,
): Json | undefined => {
  const filled = (wanted: (change: ElementChange) => boolean) =>
    changes.filter(wanted).map((change) => {
      const template = change.after === undefined ? (write.remove ?? '{key}') : (write.upsert ?? '{el}')
      return fillWhole(template, elementScope(collection, change, scope, 'update')) ?? null
    })
  const values = {
    changes: filled(() => true),
    upserts: filled((change) => change.after !== undefined),
    removes: filled((change) => change.after === undefined),
    all: allElements(collection, write, list, scope),
  }
  return fillWhole(write.body, within(scope, values))
}

const describe = (collection: Collection, batch: readonly ElementChange[]): string => {
  const removed = batch.filter((change) => change.after === undefined).length
  const written = batch.length - removed
  const parts = [...(written > 0 ? [`write ${written}`] : []), ...(removed > 0 ? [`remove ${removed}`] : [])]
  return parts.length === 0 ? `put ${collection.field} in order` : `${parts.join(' and ')} of ${collection.field}`
}

const allElements = (
  collection: Collection,
  { upsert }: Batch,
  list: Json | undefined,
  scope: Scope,
): readonly Json[] => {
  const elements = (isArray(list) ? list : []).filter(isObject)
  if (upsert === undefined) return elements.map((element) => encodeAll(collection.element, element, 'update'))
  return elements.map(
    (after) => fillWhole(upsert, elementScope(collection, { key: '', after }, scope, 'update')) ?? null,
  )
}
