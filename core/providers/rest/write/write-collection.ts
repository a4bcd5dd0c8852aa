import type { PlannedRequest } from '../../../engine/schema/command.ts'
import { isArray, isObject, type Json, type JsonObject } from '../../../engine/schema/json.ts'
import type { Collection, ResourcePart } from '../document/part.ts'
import { fillWhole, names } from '../document/template.ts'
import { within } from '../request/build-body.ts'
import { operationOf } from '../request/context.ts'
import { encodeAll } from '../request/encode.ts'
import { inverseOf, type Write, type WriteContext, writeOf, writeRequest } from './command-context.ts'
import {
  type CollectionChange,
  doneTo,
  type ElementChange,
  elementChanges,
  elementScope,
  goneFirst,
  reversed,
} from './element-changes.ts'
import { doing } from './words.ts'
import { elementWrites } from './write-elements.ts'

type Batch = Extract<NonNullable<Collection['write']>, { readonly op: string }>

/** The writes that change a collection to the desired one. */
export const collectionWrites = (
  context: WriteContext,
  part: ResourcePart,
  change: CollectionChange,
): readonly Write[] => {
  const { collection } = part
  if (collection?.write === undefined) return []
  const { write } = collection
  const writes =
    'each' in write
      ? elementWrites(context, collection, write.each, change)
      : batchWrites(context, collection, write, change)
  return writes.map((each) => ({ ...each, part }))
}

const batchWrites = (
  context: WriteContext,
  collection: Collection,
  write: Batch,
  change: CollectionChange,
): readonly Write[] => {
  const operation = operationOf(context, write.op)
  const valuesOf = batchValues(context, collection, write)
  const isWhole = names(write.body, 'all')
  const request = (changes: readonly ElementChange[], list: Json | undefined): PlannedRequest =>
    writeRequest(context, operation, fillWhole(write.body, within(context.scope, valuesOf(changes, list))))
  const changes = elementChanges(collection, change)
  // A whole list is one request, also where only the order of its elements differs.
  const whole = changes.length > 0 || collection.ordered ? [changes] : []
  return (isWhole ? whole : batchesOf(changes, write.batch)).map((batch) =>
    writeOf({
      action: 'update',
      description: describe(collection, batch),
      operation,
      request: request(batch, change.after),
      inverse: inverseOf(() => request(goneFirst(batch.map(reversed)), change.before)),
      footprint: isWhole ? { sets: [collection.field] } : doneTo(collection, batch),
    }),
  )
}

const batchesOf = <Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] =>
  items.length === 0 ? [] : [items.slice(0, size), ...batchesOf(items.slice(size), size)]

/** `{changes}`, `{upserts}`, `{removes}` and `{all}` of one request. */
const batchValues = ({ scope }: WriteContext, collection: Collection, write: Batch) => {
  const filled = (template: Json, change: ElementChange): Json =>
    fillWhole(template, elementScope(collection, change, scope, 'update')) ?? null
  const written = (change: ElementChange): Json =>
    change.after === undefined ? filled(write.remove ?? '{key}', change) : filled(write.upsert ?? '{el}', change)
  const whole = (after: JsonObject): Json =>
    write.upsert === undefined
      ? encodeAll(collection.element, after, 'update')
      : filled(write.upsert, { key: '', after })
  return (changes: readonly ElementChange[], list: Json | undefined) => ({
    changes: changes.map(written),
    upserts: changes.filter(({ after }) => after !== undefined).map(written),
    removes: changes.filter(({ after }) => after === undefined).map(written),
    all: (isArray(list) ? list : []).filter(isObject).map(whole),
  })
}

const describe = ({ field }: Collection, batch: readonly ElementChange[]): string => {
  const removed = batch.filter((change) => change.after === undefined).length
  return doing.elements(field, batch.length - removed, removed)
}
