import type { PlannedRequest } from '../../../schema/command.ts'
import { isArray, isObject, type Json } from '../../../schema/json.ts'
import { present } from '../../../values/defined.ts'
import type { Collection, Part } from '../document/part.ts'
import { fillWhole, names, type Scope } from '../document/template.ts'
import { within } from '../request/build-body.ts'
import { operationOf } from '../request/context.ts'
import { encodeAll } from '../request/encode.ts'
import { type CommandContext, draftOf, inverseOf, writeRequest } from './command-context.ts'
import {
  type CollectionChange,
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

/** The writes that bring a collection from what it is to what is desired. */
export const collectionWrites = (context: CommandContext, part: Part, change: CollectionChange): readonly Write[] => {
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
  context: CommandContext,
  collection: Collection,
  write: Batch,
  { before, after, scope }: CollectionChange,
): readonly Write[] => {
  const operation = operationOf(context, write.op)
  const isWhole = names(write.body, 'all')
  const request = (changes: readonly ElementChange[], list: Json | undefined): PlannedRequest =>
    writeRequest(context, operation, scope, batchBody(collection, write, changes, list, scope))
  const changes = elementChanges(collection, before, after)
  // A whole list is one request, also where only the order of its elements differs.
  const whole = changes.length > 0 || collection.ordered ? [changes] : []
  return (isWhole ? whole : batchesOf(changes, write.batch)).map((batch) => ({
    draft: draftOf({
      action: 'update',
      description: describe(collection, batch),
      operation,
      request: request(batch, after),
      inverse: inverseOf(() => request(goneFirst(batch.map(reversed)), before)),
      footprint: isWhole ? { sets: [collection.field] } : doneTo(collection, batch),
    }),
    operation,
  }))
}

const batchesOf = <Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] =>
  items.length === 0 ? [] : [items.slice(0, size), ...batchesOf(items.slice(size), size)]

const batchBody = (
  collection: Collection,
  write: Batch,
  changes: readonly ElementChange[],
  list: Json | undefined,
  scope: Scope,
): Json | undefined => {
  const filled = (template: Json, change: ElementChange): Json =>
    fillWhole(template, elementScope(collection, change, scope, 'update')) ?? null
  const written = (change: ElementChange): Json =>
    change.after === undefined ? filled(write.remove ?? '{key}', change) : filled(write.upsert ?? '{el}', change)
  const all = (isArray(list) ? list : [])
    .filter(isObject)
    .map((after) =>
      write.upsert === undefined
        ? encodeAll(collection.element, after, 'update')
        : filled(write.upsert, { key: '', after }),
    )
  const values = {
    changes: changes.map(written),
    upserts: changes.filter(({ after }) => after !== undefined).map(written),
    removes: changes.filter(({ after }) => after === undefined).map(written),
    all,
  }
  return fillWhole(write.body, within(scope, values))
}

const describe = ({ field }: Collection, batch: readonly ElementChange[]): string => {
  const removed = batch.filter((change) => change.after === undefined).length
  const written = batch.length - removed
  const parts = present(written > 0 && `write ${written}`, removed > 0 && `remove ${removed}`)
  return parts.length === 0 ? `put ${field} in order` : `${parts.join(' and ')} of ${field}`
}
