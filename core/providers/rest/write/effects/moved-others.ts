import type { Json } from '../../../../engine/schema/json.ts'
import { isLive } from '../../../../engine/schema/value.ts'
import { fillLive } from '../../../../engine/transport/secrets/live-object.ts'
import { partsOf } from '../../../../engine/values/marks/marks.ts'
import type { CommandContext } from '../values/command-context.ts'

/**
 * Lists in which an element that nobody names gets to the other side of one of ours: where ours change their order around it, no
 * place keeps it between its neighbours.
 */
export const movedIn = (
  { change: { address, objects = {} } }: CommandContext,
  body: Json | undefined,
): readonly string[] => {
  const moved = new Set<string>()
  for (const mark of partsOf(body)) {
    if (!isLive(mark) || mark.from === undefined) continue
    const object = objects[mark.$live.slice(address.length + 1)]
    const { element } = mark
    // Requests before this one may have moved an element, of which only its place tells which one it is.
    if (object === undefined || element?.nth !== undefined) continue
    fillLive(mark, object, (place) => moved.add(`${element === undefined ? '' : `${element.in}/*`}${place}`))
  }
  return [...moved]
}
