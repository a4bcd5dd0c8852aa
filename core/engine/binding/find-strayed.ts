import type { Json, JsonObject } from '../schema/json.ts'
import type { Address, Doubt } from '../schema/resource.ts'

export interface FoundResource {
  readonly address: Address
  readonly recorded?: {
    readonly attributes: JsonObject
    readonly ids?: Readonly<Record<string, string>>
    readonly refersBy?: readonly string[]
    readonly dependsOn: readonly Address[]
    readonly doubted?: Doubt
  }
  readonly found: 'present' | 'absent' | 'unknown'
  readonly isOwn: boolean
  /** Only the record leads to the object, and no id proves it. */
  readonly isBelieved: boolean
}

export interface Strayed {
  readonly parent: Address
  /** The record of the parent is removed, so later runs cannot see that the parent is gone. */
  readonly isLasting: boolean
}

/**
 * Resources that only their references identify, and whose referenced object is no longer the object of its own record.
 */
export const findStrayed = (all: readonly FoundResource[]): ReadonlyMap<Address, Strayed> => {
  const known = new Map(all.map((each) => [each.address, each]))
  return new Map(
    all.flatMap(({ address, recorded, found, isBelieved }) => {
      if (!isBelieved || found !== 'present' || recorded === undefined) return []
      const parents = recorded.dependsOn.flatMap((each) => known.get(each) ?? [])
      const gone = parents.find((parent) => refersTo(recorded, parent.recorded) && !isItself(parent))
      if (gone === undefined) return []
      return [[address, { parent: gone.address, isLasting: gone.found !== 'unknown' }] as const]
    }),
  )
}

/**
 * After a create with an unknown result, the found object counts as the right one: no other object is recorded for the
 * resource.
 */
const isItself = ({ found, isOwn, recorded }: FoundResource): boolean =>
  found === 'present' && (isOwn || recorded?.doubted === 'sent')

/** Whether a value of the child came from its parent. */
export const refersTo = (child: NonNullable<FoundResource['recorded']>, parent: FoundResource['recorded']): boolean => {
  if (parent === undefined) return false
  const told = new Set([...Object.values(parent.ids ?? {}), ...Object.values(parent.attributes)].flatMap(textOf))
  return (child.refersBy ?? []).some((name) => textOf(child.attributes[name]).some((text) => told.has(text)))
}

const textOf = (value: Json | undefined): readonly string[] =>
  value === undefined || typeof value === 'object' ? [] : [String(value)]
