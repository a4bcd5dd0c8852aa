import { setAt, toPointer, valueAt } from '../../../engine/json/pointer.ts'
import type { PlannedRequest } from '../../../engine/schema/command.ts'
import { isArray, type Json, type JsonObject, type Path } from '../../../engine/schema/json.ts'
import { liveAt } from '../../../engine/transport/secrets/live-places.ts'
import { defined } from '../../../engine/values/defined.ts'
import { listEntry } from '../document/elements.ts'
import type { Collection, ResourcePart } from '../document/part.ts'
import { fillWhole, names, type Scope } from '../document/shared/template.ts'
import { within } from '../request/build-body.ts'
import { operationOf } from '../request/context.ts'
import { ifKnown } from '../request/encode.ts'
import {
  type CollectionChange,
  changesByKey,
  doneTo,
  type ElementChange,
  elementChanges,
  elementScope,
  elementsIn,
  goneFirst,
  isUnknownBack,
  placeOfList,
  reversed,
} from './effects/element-changes.ts'
import { givenToElements } from './effects/given-values.ts'
import { lossesOfRemoved } from './effects/losses.ts'
import { movedIn } from './effects/moved-others.ts'
import { leftOutBy, lostBeside, overwrittenBy, overwrittenInElement } from './effects/replaced-object.ts'
import { lostOfElements, lostOfWhole } from './effects/unseen-losses.ts'
import { bodyScope } from './values/body-scope.ts'
import { inverseOf, type Write, type WriteContext, writeOf, writeRequest } from './values/command-context.ts'
import { asItWas, inForm } from './values/in-form.ts'
import { asPlanned, laidIn, laidInForm, type PartAsRead, readOfList, rulesOf } from './values/laid-in.ts'
import { withUnseen } from './values/unseen-values.ts'
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
      ? elementWrites(context, part, collection, write.each, change)
      : batchWrites(context, part, collection, write, change)
  return writes.map((each) => ({ ...each, part }))
}

const batchWrites = (
  context: WriteContext,
  part: ResourcePart,
  collection: Collection,
  write: Batch,
  change: CollectionChange,
): readonly Write[] => {
  const operation = operationOf(context, write.op)
  const read = readOfList(context, part)
  const valuesOf = batchValues(context, collection, write)
  const elementOf = writtenIn(context, collection, write)
  const isWhole = names(write.body, 'all')
  const { before = {}, after } = context.change
  const scope = bodyScope(context, operation, { before: before ?? {}, after: after ?? {} })
  const request = (changes: readonly ElementChange[], sides: CollectionChange, from: PartAsRead): PlannedRequest =>
    writeRequest(context, operation, fillWhole(write.body, within(scope, valuesOf(changes, sides, from))))
  const overwritten = (batch: readonly ElementChange[], later: PartAsRead): readonly string[] =>
    write.upsert === undefined
      ? []
      : batch.flatMap((change) => {
          const back = ifKnown(() => elementOf(reversed(change), later))
          const sent = { operation, change, body: elementOf(change, read), back }
          return overwrittenInElement(collection, sent, write.upsert ?? null, read)
        })
  const changes = (isWhole ? elementChanges : changesByKey)(collection, change)
  // A whole list is one request, also where only the order of its elements differs.
  const whole = changes.length > 0 || collection.ordered ? [changes] : []
  const place = placeOfList(collection)
  const configured = read.configured?.[collection.field]
  return (isWhole ? whole : batchesOf(changes, write.batch)).map((batch) => {
    const later = { ...withList(read, place, valuesOf(batch, change, read).all), ...defined({ former: read.object }) }
    const back = { before: change.after, after: change.before }
    const sent = request(batch, change, read)
    const told = { object: read.object, body: sent.body, template: write.body, fields: [collection.field] }
    const inverse = batch.some((each) => isUnknownBack(collection, each))
      ? undefined
      : inverseOf(() => request(goneFirst(batch.map(reversed)), back, later))
    return writeOf({
      action: 'update',
      description: describe(collection, batch),
      operation,
      request: sent,
      inverse,
      loses: [
        ...(collection.namesObjects ? [] : lossesOfRemoved(read, collection, batch)),
        ...leftOutBy(context.resource, part, operation, told),
        ...overwrittenBy(context.resource, part, operation, { ...told, back: inverse?.body }),
        ...overwritten(batch, later),
        ...lostBeside(context, part, operation, sent.body),
        ...(isWhole ? lostOfWhole(collection, change, configured) : lostOfElements(collection, batch, configured)),
      ],
      goes: givenToElements(collection, batch),
      moves: movedIn(context, sent.body),
      footprint: isWhole ? { sets: [collection.field] } : doneTo(collection, batch),
    })
  })
}

/** The object after the whole list was written. */
const withList = (read: PartAsRead, place: Path, all: Json): PartAsRead =>
  read.object === undefined
    ? read
    : { ...read, object: setAt(read.object, place, asPlanned(all, read.object)) as JsonObject }

const batchesOf = <Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] =>
  items.length === 0 ? [] : [items.slice(0, size), ...batchesOf(items.slice(size), size)]

/** `{changes}`, `{upserts}`, `{removes}` and `{all}` of one request. */
const batchValues = (context: WriteContext, collection: Collection, write: Batch) => {
  const { scope } = context
  const written = writtenIn(context, collection, write)
  const place = placeOfList(collection)
  return (changes: readonly ElementChange[], { before, after }: CollectionChange, read: PartAsRead) => ({
    changes: changes.map((each) => written(each, read)),
    upserts: changes.filter((each) => each.after !== undefined).map((each) => written(each, read)),
    removes: changes.filter((each) => each.after === undefined).map((each) => written(each, read)),
    all:
      write.upsert === undefined
        ? laidIn(read, listEntry(collection), place, {
            before: before ?? [],
            after: after ?? [],
            configured: read.configured?.[collection.field],
          })
        : laidInTemplate(
            collection,
            { template: write.upsert, scope },
            { before: before ?? [], after: after ?? [] },
            read,
          ),
  })
}

/** One element that is written or removed. */
const writtenIn =
  ({ scope }: WriteContext, collection: Collection, { upsert = '{el}', remove = '{key}' }: Batch) =>
  (change: ElementChange, read: PartAsRead): Json =>
    fillWhole(change.after === undefined ? remove : upsert, elementScope(collection, change, scope, 'update', read)) ??
    null

/** The whole list, each element in the form of a template. */
const laidInTemplate = (
  collection: Collection,
  { template, scope }: { readonly template: Json; readonly scope: Scope },
  { before, after }: { readonly before: Json; readonly after: Json },
  read: PartAsRead,
): Json => {
  const [list, place] = [listEntry(collection), placeOfList(collection)]
  const whole = withUnseen(list, after, read.configured?.[collection.field])
  const { from, to } = inForm(list, read.object && liveAt(read.object, place), before, whole)
  const sides = { from, to: asItWas(list, liveAt(read.former, place), whole) ?? to }
  const filled = (elements: Json, forms: Json | undefined): Json =>
    elementsIn(collection, elements).map((element, index) => {
      const outer = elementScope(collection, { key: '', after: element }, scope, 'update')
      const form = isArray(forms) && !collection.plain ? forms[index] : undefined
      const own: Scope = (path, isWhole) =>
        (path[0] === 'el' ? valueAt(form, path.slice(1)) : undefined) ?? outer(path, isWhole)
      return fillWhole(template, own) ?? null
    })
  const inTemplate = { from: filled(before, sides.from), to: filled(whole, sides.to) }
  return laidInForm(read, place, inTemplate, rulesOf(list, toPointer(place)))
}

const describe = ({ field }: Collection, batch: readonly ElementChange[]): string => {
  const removed = batch.filter((change) => change.after === undefined).length
  return doing.elements(field, batch.length - removed, removed)
}
