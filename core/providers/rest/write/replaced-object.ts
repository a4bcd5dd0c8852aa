import { fromPointer, mapValue } from '../../../engine/json/pointer.ts'
import type { Json, JsonObject, Path } from '../../../engine/schema/json.ts'
import { isLive } from '../../../engine/schema/value.ts'
import { fillLive } from '../../../engine/transport/secrets/live-object.ts'
import { allEntries, type Entries } from '../document/attributes.ts'
import { isCreateAgain, isFromList, isListed, type RestResource, readOp, shownIds } from '../document/document.ts'
import type { Operation } from '../document/operation/operation.ts'
import { dropsOf, type ResourcePart } from '../document/part.ts'
import { pathOf } from '../document/shared/template.ts'
import { lossesOfBody, placesOf } from './losses.ts'

/** What a write resets because its body, which the document composes by itself, does not have it: values that nobody names. */
export const leftOutBy = (
  resource: RestResource,
  part: ResourcePart,
  operation: Operation,
  sent: { readonly object: JsonObject | undefined; readonly body: Json | undefined; readonly entries: Entries },
): readonly string[] => {
  const { object, body = null, entries } = sent
  if (object === undefined || !replacesObject(resource, part, operation)) return []
  const whole = mapValue(body, (inner) => (isLive(inner) ? fillLive(inner, object) : undefined))
  return lossesOfBody([...placesOf(entries), ...ownPlaces(resource, part)], object, whole)
}

/**
 * Whether a request puts another object in the place of what the part was read from: a PUT to it, or the request that creates it.
 * What the body does not have is reset.
 */
export const replacesObject = (resource: RestResource, part: ResourcePart, operation: Operation): boolean =>
  part.write?.keeps !== true &&
  !isFromList(part) &&
  (isCreateAgain(resource, operation) ||
    (operation.method === 'PUT' &&
      (operation.path === resource.operations[readOp(part)]?.path || isListed(resource, part))))

/** What the server makes by itself, what requests say in another place, and what the document drops. */
const ownPlaces = (resource: RestResource, part: ResourcePart): readonly Path[] => {
  const { lock } = resource
  const own = Object.entries(allEntries(resource)).flatMap(([name, entry]) =>
    entry.computed || entry.in === 'path' ? [pathOf(entry.path ?? name)] : [],
  )
  const version = lock !== undefined && 'field' in lock ? [lock.field] : []
  return [...own, ...[...Object.values(shownIds(resource)), ...version].map(pathOf), ...dropped(part)]
}

const dropped = ({ write, collection }: ResourcePart): readonly Path[] =>
  [...dropsOf(write), ...dropsOf(collection?.write)].map(fromPointer)
