import { toldInHeader } from '../../command/told-in-header.ts'
import type { Response } from '../../schema/command.ts'
import type { JsonObject } from '../../schema/json.ts'
import { valueAt } from '../../schema/json.ts'
import type { RestResource } from './document.ts'
import type { IdPlace } from './document-words.ts'
import { placeOf } from './template.ts'

export type Ids = Readonly<Record<string, string>>

/** Server ids that each object shows, with their places. */
export const shownIds = ({ serverId = {} }: Pick<RestResource, 'serverId'>): Ids =>
  Object.fromEntries(
    Object.entries(serverId).flatMap(([name, place]) => (typeof place === 'string' ? [[name, place]] : [])),
  )

/** Those that only a header tells, and that reads need not repeat. */
export const toldIds = ({ serverId = {} }: Pick<RestResource, 'serverId'>): readonly string[] =>
  Object.keys(serverId).filter((name) => typeof serverId[name] !== 'string')

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
