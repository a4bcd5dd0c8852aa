import { toPointer } from '../../../../engine/json/pointer.ts'
import { withoutPlaces } from '../../../../engine/transport/secrets/live-places.ts'
import { type Entries, entriesOf } from '../../document/attributes.ts'
import { type RestResource, readOp } from '../../document/document.ts'
import type { Operation } from '../../document/operation/operation.ts'
import type { CommandContext } from '../values/command-context.ts'
import { lossesOfPart } from './losses.ts'
import { ownPlaces } from './replaced-object.ts'

/** What goes with a deleted object besides what the document names, as far as reads kept it. */
export const lostWithObject = (
  resource: RestResource,
  operation: Operation,
  objects: CommandContext['change']['objects'] = {},
): readonly string[] =>
  resource.parts.flatMap((part) => {
    const object = objects[part.name]
    if (object === undefined) return []
    const shared = resource.parts.filter((other) => readOp(other) === readOp(part))
    const entries = Object.assign({}, ...shared.map(entriesOf)) as Entries
    const own = ownPlaces(resource, part, operation).map((place) => toPointer(place))
    return lossesOfPart(entries, withoutPlaces(object, own), [[]])
  })
