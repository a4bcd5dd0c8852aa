import type { Response } from '../../../schema/command.ts'
import type { JsonObject } from '../../../schema/json.ts'
import { valueAt } from '../../../schema/json.ts'
import { toldInHeader } from '../../../transport/answer/told-in-header.ts'
import type { RestResource } from '../document/document.ts'
import type { Ids } from '../document/server-ids.ts'
import { placeOf } from '../document/template.ts'
import type { IdPlace } from '../document/words.ts'

/** Server ids are text in records and URLs, whatever they are in answers. */
export const idsAt = (places: Ids, object: JsonObject): Ids =>
  Object.fromEntries(
    Object.entries(places).flatMap(([name, place]) => {
      const value = valueAt(object, placeOf(place))
      return typeof value === 'string' || typeof value === 'number' ? [[name, String(value)] as const] : []
    }),
  )

/** The same that the headers of an answer about one object repeat. */
export const idsInHeaders = (
  { serverId = {} }: Pick<RestResource, 'serverId'>,
  response: Response | undefined,
  asked: string,
): Ids =>
  Object.fromEntries(
    Object.entries(serverId).flatMap(([name, place]: [string, IdPlace]) => {
      const told =
        typeof place === 'string' || response === undefined ? undefined : toldInHeader(response, place, asked)
      return told === undefined ? [] : [[name, told] as const]
    }),
  )
