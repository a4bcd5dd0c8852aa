import type { UnreadEntry } from './shapes.ts'
import { isMap, memberOf, textOf, type Value } from './value.ts'

/** Only names of a document are shown: anything else may be a secret. */
export const shown = (value: Value): string => (typeof value === 'string' ? JSON.stringify(value) : 'of another kind')

export const addressOf = (entry: Value): string => textOf(memberOf(entry, 'address')) ?? ''

/** Why an entry of a plan or a state cannot be shown as a resource. */
export const whyUnread = (entry: Value): string | undefined => {
  if (!isMap(entry)) return 'the entry is not an object'
  const mode = entry.get('mode') ?? 'managed'
  if (mode !== 'managed' && mode !== 'data' && mode !== 'ephemeral') return `its mode ${shown(mode)} is unknown`
  return addressOf(entry) === '' ? 'the entry has no address' : undefined
}

/** An entry that cannot be compared, for example one too deep for the stack, is reported; all others are shown. */
export const orProblem = <Out>(address: string, read: () => Out): Out | { readonly problem: UnreadEntry } => {
  try {
    return read()
  } catch (error) {
    const detail = `it cannot be compared: ${error instanceof Error ? error.name : 'failed'}`
    return { problem: { address, detail } }
  }
}
