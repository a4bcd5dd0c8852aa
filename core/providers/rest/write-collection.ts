import type { CommandDraft, Request } from '../../schema/command.ts'
import type { Json, JsonObject } from '../../schema/json.ts'
import { isArray, isObject } from '../../schema/json.ts'
import { type Entries, elementTexts, sameValue } from './attributes.ts'
import { within } from './build-body.ts'
import type { Collection } from './document.ts'
import { type Building, draftOf, inverseOf, operationOf, writeRequest } from './draft.ts'
import { encodeAll } from './encode.ts'
import { fill, type Scope, variablesOf } from './template.ts'

/** One element that comes, changes or goes. */
interface ElementChange {
  readonly key: string
  readonly before?: JsonObject
  readonly after?: JsonObject
}

const keyed = (
  collection: Collection,
  elements: Json | undefined,
): Map<string, { element: JsonObject; whole: string }> =>
  new Map(
    (isArray(elements) ? elements : []).filter(isObject).map((element) => {
      const { key, whole } = elementTexts(collection.element, collection.key, element)
      return [key, { element, whole }]
    }),
  )

/** Elements that differ, in the order of their keys; those that go come first, because others may need their place. */
const elementChanges = (
  collection: Collection,
  before: Json | undefined,
  after: Json | undefined,
): readonly ElementChange[] => {
  const [old, next] = [keyed(collection, before), keyed(collection, after)]
  const gone = [...old].flatMap(([key, { element }]) => (next.has(key) ? [] : [{ key, before: element }]))
  const written = [...next].flatMap(([key, { element, whole }]): ElementChange[] => {
    const was = old.get(key)
    if (was?.whole === whole) return []
    return [{ key, after: element, ...(was === undefined ? {} : { before: was.element }) }]
  })
  return [...inOrder(gone), ...inOrder(written)]
}

const inOrder = (changes: readonly ElementChange[]): readonly ElementChange[] =>
  changes.toSorted((left, right) => (left.key < right.key ? -1 : 1))

const keyMembers = (collection: Collection, element: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(element).filter(([member]) => collection.key.includes(member)))

const changedMembers = (entries: Entries, before: JsonObject | undefined, after: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(after).filter(([member]) => {
      const entry = entries[member]
      return entry !== undefined && !(before !== undefined && sameValue(entry, before[member], after[member]))
    }),
  )

const templateOf = (change: ElementChange, write: NonNullable<Collection['write']>): Json =>
  change.after === undefined ? (write.remove ?? '{key}') : (write.upsert ?? '{el}')

const fillElement = (collection: Collection, change: ElementChange, scope: Scope): Json => {
  const { element: entries, write } = collection
  const element = change.after ?? change.before ?? {}
  const values = {
    key: encodeAll(entries, keyMembers(collection, element), 'update'),
    el: encodeAll(entries, element, 'update'),
    changed: encodeAll(entries, changedMembers(entries, change.before, element), 'update'),
  }
  return write === undefined ? {} : (fill(templateOf(change, write), within(scope, values)) ?? null)
}

const batchesOf = <Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] =>
  items.length === 0 ? [] : [items.slice(0, size), ...batchesOf(items.slice(size), size)]

const reversed = ({ key, before, after }: ElementChange): ElementChange => ({
  key,
  ...(after === undefined ? {} : { before: after }),
  ...(before === undefined ? {} : { after: before }),
})

/** Those that go come first, in an inverse too. */
const goneFirst = (changes: readonly ElementChange[]): readonly ElementChange[] => [
  ...changes.filter((change) => change.after === undefined),
  ...changes.filter((change) => change.after !== undefined),
]

/** The writes that bring a collection from what it is to what it shall be, in batches. */
export const collectionCommands = (
  building: Building,
  collection: Collection,
  before: Json | undefined,
  after: Json | undefined,
  scope: Scope,
): readonly CommandDraft[] => {
  const { write } = collection
  const operation = write && operationOf(building, write.op)
  const changes = elementChanges(collection, before, after)
  if (write === undefined || operation === undefined || changes.length === 0) return []
  const wholeList = variablesOf(write.body).some(([first]) => first === 'all')
  const request = (some: readonly ElementChange[], list: Json | undefined): Request => {
    const filled = (wanted: (change: ElementChange) => boolean) =>
      some.filter(wanted).map((change) => fillElement(collection, change, scope))
    const values = {
      changes: filled(() => true),
      upserts: filled((change) => change.after !== undefined),
      removes: filled((change) => change.after === undefined),
      all: encodeElements(collection, list),
    }
    return writeRequest(building, operation, scope, fill(write.body, within(scope, values)))
  }
  return batchesOf(changes, wholeList ? changes.length : write.batch).map((batch) => {
    const inverse = inverseOf(() => request(goneFirst(batch.map(reversed)), before))
    return draftOf({
      action: 'update',
      description: describe(collection, batch),
      operation,
      request: request(batch, after),
      grade: inverse === undefined ? 'lossy' : 'reversible',
      inverse,
    })
  })
}

const describe = (collection: Collection, batch: readonly ElementChange[]): string => {
  const removed = batch.filter((change) => change.after === undefined).length
  const written = batch.length - removed
  const parts = [...(written > 0 ? [`write ${written}`] : []), ...(removed > 0 ? [`remove ${removed}`] : [])]
  return `${parts.join(' and ')} of ${collection.field}`
}

const encodeElements = (collection: Collection, list: Json | undefined): readonly JsonObject[] =>
  (isArray(list) ? list : []).filter(isObject).map((element) => encodeAll(collection.element, element, 'update'))
