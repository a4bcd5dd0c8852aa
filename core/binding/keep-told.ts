import type { IdentityRules } from '../schema/identity.ts'
import type { ReadResult } from '../schema/resource.ts'

/** Ids that an answer told once, and that a read of the same object does not repeat, stay known. */
export const keepTold = <Result extends ReadResult>(
  { told = [] }: IdentityRules,
  result: Result,
  before: Readonly<Record<string, string>> | undefined,
): Result => {
  if (result.kind !== 'present') return result
  const kept = told.flatMap((name) => (before?.[name] === undefined ? [] : [[name, before[name]] as const]))
  return kept.length === 0 ? result : { ...result, ids: { ...Object.fromEntries(kept), ...result.ids } }
}
