import { toPointer } from '../../json/pointer.ts'
import type { Path } from '../../schema/json.ts'
import type { Cause, Change } from '../../schema/plan.ts'

export type CausesAt = (path: Path) => readonly Cause[]

/** Why a path differs: what is said about it and all that is below it, else about the nearest path above. */
export const causesByPath = (causes: Change['causes']): CausesAt => {
  const own = new Map<string, Cause>()
  const within = new Map<string, Set<Cause>>()
  for (const { path, cause } of causes) {
    own.set(toPointer(path), cause)
    for (let length = path.length; length >= 0; length -= 1) {
      const pointer = toPointer(path.slice(0, length))
      within.set(pointer, (within.get(pointer) ?? new Set()).add(cause))
    }
  }
  return (path) => {
    const said = within.get(toPointer(path))
    if (said !== undefined) return [...said]
    for (let length = path.length - 1; length >= 0; length -= 1) {
      const above = own.get(toPointer(path.slice(0, length)))
      if (above !== undefined) return [above]
    }
    return []
  }
}
