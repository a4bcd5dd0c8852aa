import { removeAt, valueAt } from '../../../engine/json/pointer.ts'
import { isObject, type Json, type JsonObject } from '../../../engine/schema/json.ts'
import { formsOf } from './body-values.ts'
import { isFromList, type RestResource, readOp } from './document.ts'
import type { ResourcePart } from './part.ts'
import { pathOf } from './shared/template.ts'

/* An answer may have members beside its object: a request whose body has the same envelope replaces them, too. */

/** The name under which a read keeps what its answer has beside the object of a part. */
export const besideName = ({ name }: ResourcePart): string => `${name}, beside it`

/** What an answer has beside the object of a part, if a body has the same envelope. */
export const besideObject = (
  resource: RestResource,
  part: ResourcePart,
  answer: Json | undefined,
): JsonObject | undefined => {
  const { operations, actions = {} } = resource
  const place = pathOf(operations[readOp(part)]?.answer ?? '')
  if (place.length === 0 || isFromList(part) || !isObject(answer)) return undefined
  const list = part.collection?.write
  const bodies = [
    ...Object.values(operations),
    ...Object.values(actions),
    part.write,
    list && 'op' in list ? list : undefined,
  ]
  const forms = bodies.flatMap((each) => (each?.body === undefined ? [] : formsOf(each.body)))
  if (!forms.some((form) => standsInEnvelope(resource, part, form))) return undefined
  const beside = removeAt(answer, place)
  return isObject(beside) ? beside : undefined
}

/** Whether a body has the object where answers have it. */
export const standsInEnvelope = ({ operations }: RestResource, part: ResourcePart, body: Json | undefined): boolean => {
  const place = pathOf(operations[readOp(part)]?.answer ?? '')
  return place.length > 0 && body !== undefined && valueAt(body, place) !== undefined
}
