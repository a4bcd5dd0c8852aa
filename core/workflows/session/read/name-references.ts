import type { Json, Path } from '../../../schema/json.ts'
import { isArray, isObject } from '../../../schema/json.ts'
import type { NamedReference } from '../../../schema/plan.ts'
import { isMark } from '../../../schema/value.ts'

type Named = Omit<NamedReference, 'address'>

const isPlain = (value: Json | undefined): value is string | number =>
  typeof value === 'string' || typeof value === 'number'

/** What resolving made of each reference: where a name is configured, and an id or URL is sent. Both have the same shape. */
export const nameReferences = (written: Json, resolved: Json | undefined, path: Path = []): readonly Named[] => {
  if (written === resolved || isMark(written) || isMark(resolved)) return []
  if (isPlain(written)) {
    const isOther = isPlain(resolved) && String(resolved) !== String(written)
    return isOther ? [{ path, value: resolved, name: String(written) }] : []
  }
  if (isArray(written)) {
    return written.flatMap((each, index) =>
      nameReferences(each, isArray(resolved) ? resolved[index] : undefined, [...path, index]),
    )
  }
  if (!isObject(written) || !isObject(resolved)) return []
  return Object.entries(written).flatMap(([name, each]) => nameReferences(each, resolved[name], [...path, name]))
}
