import { withoutPlaces } from '../../command/live-object.ts'
import type { JsonObject } from '../../schema/json.ts'
import { toPointer } from '../../schema/json.ts'
import { entriesOf } from './attributes.ts'
import { type RestResource, readOp } from './document.ts'
import type { Part } from './document-part.ts'
import type { Building } from './draft.ts'
import type { Edit } from './edits.ts'
import { placeOf } from './template.ts'
import { liveBody, namedPlaces } from './write-edits.ts'

/** The whole object with edits made; its digest says that what nobody named is what the plan saw. */
export const liveObject = (
  { context, change }: Building,
  part: Part,
  edits: readonly Edit[],
  object: JsonObject | undefined,
): JsonObject => {
  const drop = (part.write?.drop ?? []).map(pointerOf)
  const body = liveBody(edits, {
    live: `${change.address}#${part.name}`,
    drop,
    except: [...watchedPlaces(context.resource, part), ...drop],
  })
  if (object === undefined || change.seal === undefined) return body
  return { ...body, digest: change.seal(withoutPlaces(object, body.except)) }
}

const pointerOf = (place: string): string => toPointer(placeOf(place))

/** What other parts show of the same answer, and the generation, are watched as what they are. */
const watchedPlaces = ({ parts, lock }: RestResource, part: Part): readonly string[] => [
  ...parts.filter((other) => readOp(other) === readOp(part)).flatMap((other) => namedPlaces(entriesOf(other))),
  ...(lock !== undefined && 'field' in lock ? [pointerOf(lock.field)] : []),
]
