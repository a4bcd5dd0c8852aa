import type { Json, JsonObject } from '../schema/json.ts'
import type { Address, Doubt } from '../schema/resource.ts'

/** What one resource turned out to be, beside its record. */
export interface Standing {
  readonly address: Address
  readonly recorded?: {
    readonly attributes: JsonObject
    readonly ids?: Readonly<Record<string, string>>
    readonly refersBy?: readonly string[]
    readonly dependsOn: readonly Address[]
    readonly doubted?: Doubt
  }
  readonly found: 'present' | 'absent' | 'unknown'
  /** What was found is the object of the record. */
  readonly isOwn: boolean
  /** Only its record leads to it, and no id proves it. */
  readonly isBelieved: boolean
}

export interface Strayed {
  readonly parent: Address
  /** The parent's record goes: later runs cannot see it any more. */
  readonly isLasting: boolean
}

/** Resources that are known only by what they refer to, where that is not the object of its own record any more. */
export const findStrayed = (all: readonly Standing[]): ReadonlyMap<Address, Strayed> => {
  const known = new Map(all.map((each) => [each.address, each]))
  return new Map(
    all.flatMap(({ address, recorded, found, isBelieved }) => {
      if (!isBelieved || found !== 'present' || recorded === undefined) return []
      const parents = recorded.dependsOn.flatMap((each) => known.get(each) ?? [])
      const gone = parents.find((parent) => refersTo(recorded, parent) && !isItself(parent))
      if (gone === undefined) return []
      return [[address, { parent: gone.address, isLasting: gone.found !== 'unknown' }] as const]
    }),
  )
}

/** Of what a create may have made nothing else is recorded that it could be. */
const isItself = ({ found, isOwn, recorded }: Standing): boolean =>
  found === 'present' && (isOwn || recorded?.doubted === 'sent')

const refersTo = (child: NonNullable<Standing['recorded']>, { recorded }: Standing): boolean => {
  if (recorded === undefined) return false
  const told = new Set([...Object.values(recorded.ids ?? {}), ...Object.values(recorded.attributes)].flatMap(textOf))
  return (child.refersBy ?? []).some((name) => textOf(child.attributes[name]).some((text) => told.has(text)))
}

const textOf = (value: Json | undefined): readonly string[] =>
  value === undefined || typeof value === 'object' ? [] : [String(value)]
