import type { RestResource } from './document.ts'

export type Ids = Readonly<Record<string, string>>

/** Server ids that each object shows, with their places. */
export const shownIds = ({ serverId = {} }: Pick<RestResource, 'serverId'>): Ids =>
  Object.fromEntries(
    Object.entries(serverId).flatMap(([name, place]) => (typeof place === 'string' ? [[name, place]] : [])),
  )

/** Those that only a header tells, and that reads need not repeat. */
export const toldIds = ({ serverId = {} }: Pick<RestResource, 'serverId'>): readonly string[] =>
  Object.keys(serverId).filter((name) => typeof serverId[name] !== 'string')
