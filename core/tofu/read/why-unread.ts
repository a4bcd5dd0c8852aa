import type { UnreadEntry } from './shapes.ts'
import { isMap, memberOf, textOf, type Value } from './value.ts'

/** Of a document only names are told: nothing else is known to be no secret. */
export const shown = (value: Value): string => (typeof value === 'string' ? JSON.stringify(value) : 'of another kind')

export const addressOf = (entry: Value): string => textOf(memberOf(entry, 'address')) ?? ''

/** Why an entry of a plan or a state is no resource that can be shown. */
export const whyUnread = (entry: Value): string | undefined => {
  if (!isMap(entry)) return 'an entry is no object'
  const mode = entry.get('mode') ?? 'managed'
  if (mode !== 'managed' && mode !== 'data' && mode !== 'ephemeral') return `its mode ${shown(mode)} is not known`
  return addressOf(entry) === '' ? 'an entry has no address' : undefined
}

/** Beyond what can be compared, for example too deep for the stack: this one is told of, and all others are shown. */
export const orProblem = <Out>(address: string, read: () => Out): Out | { readonly problem: UnreadEntry } => {
  try {
    return read()
  } catch (error) {
    const detail = `it cannot be compared: ${error instanceof Error ? error.name : 'failed'}`
    return { problem: { address, detail } }
  }
}
