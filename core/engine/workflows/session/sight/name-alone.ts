import type { ObservedResource } from '../plan/observation.ts'

/**
 * Whether nothing but its name says that what was found is the recorded object: no id of it or of what contains it, and no value
 * that only the server sets, once.
 */
export const isNameAlone = ({ type, recorded, observed: { result } }: ObservedResource): boolean => {
  if (result.kind !== 'present' || recorded === undefined || type === undefined) return false
  const { identity, schema } = type
  const isKnown = (then: object | undefined, now: object | undefined, name: string): boolean =>
    Object.hasOwn(then ?? {}, name) && Object.hasOwn(now ?? {}, name)
  const byIds = identity?.ids === 'position' ? {} : (recorded.ids ?? {})
  const isProven =
    Object.keys(byIds).some((name) => isKnown(byIds, result.ids, name)) ||
    Object.keys(recorded.parents ?? {}).length > 0 ||
    Object.entries(schema.attributes).some(
      ([name, { computed, immutable }]) =>
        computed === true && immutable === true && isKnown(recorded.attributes, result.attributes, name),
    )
  return !isProven
}
