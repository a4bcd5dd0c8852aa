import type { Path } from '../schema/json.ts'
import { toPointer } from '../schema/json.ts'
import type { Cause, Change } from '../schema/plan.ts'

export type CauseAt = (path: Path) => Cause | undefined

/**
 * Why a path differs: what is said about it, else what all that is below it agree on, else what is said about the
 * nearest path above.
 */
export const causesByPath = (causes: Change['causes']): CauseAt => {
  const own = new Map<string, Cause>()
  const below = new Map<string, Cause | 'several'>()
  for (const { path, cause } of causes) {
    own.set(toPointer(path), cause)
    for (let length = path.length; length >= 0; length -= 1) {
      const pointer = toPointer(path.slice(0, length))
      const known = below.get(pointer)
      below.set(pointer, known === undefined || known === cause ? cause : 'several')
    }
  }
  return (path) => {
    const said = own.get(toPointer(path)) ?? below.get(toPointer(path))
    if (said !== undefined) return said === 'several' ? undefined : said
    for (let length = path.length - 1; length >= 0; length -= 1) {
      const above = own.get(toPointer(path.slice(0, length)))
      if (above !== undefined) return above
    }
    return undefined
  }
}
