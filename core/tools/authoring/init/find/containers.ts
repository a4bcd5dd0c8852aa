import { defined } from '../../../../engine/values/defined.ts'
import type { ResourceParts } from './resource-parts.ts'

/** A type of the draft whose objects contain others, and the attribute or server id that their URLs name. */
export interface OuterType {
  readonly type: string
  /** Absent: what identifies it anyway. */
  readonly attribute?: string
}

/** By the attribute that names the container. */
export type OuterTypes = ReadonlyMap<string, OuterType>

export interface DraftedType {
  readonly type: string
  readonly parts: ResourceParts
}

/** What the variables of the URL of a type mean: `/shops/{shop}/items` is below `/shops/{id}`, whatever the names are. */
export const containersOf = (
  { candidate, variables, parents }: ResourceParts,
  all: readonly DraftedType[],
): OuterTypes => {
  const byPath = new Map(all.map(({ type, parts }) => [withoutNames(itemPath(parts)), { type, parts }]))
  const found = [...candidate.path.matchAll(/\{([^{}]+)\}/g)].flatMap(({ 1: key = '', 0: variable, index }) => {
    const name = variables.get(key)
    const outer = byPath.get(withoutNames(candidate.path.slice(0, index + variable.length)))
    return name === undefined || !parents.includes(name) || outer === undefined
      ? []
      : [[name, containerOf(outer)] as const]
  })
  return new Map(found)
}

const containerOf = ({ type, parts: { keys, own, ids } }: DraftedType): OuterType => {
  const [id] = Object.keys(ids)
  const isUsual = id === undefined && (keys.length === 1 || own === 'name')
  return { type, ...defined({ attribute: isUsual ? undefined : (id ?? own) }) }
}

const itemPath = ({ candidate: { retrieve, update, delete: remove, create } }: ResourceParts): string =>
  (retrieve ?? update ?? remove ?? create).path

const withoutNames = (path: string): string => path.replace(/\/$/, '').replaceAll(/\{[^{}]+\}/g, '{}')
