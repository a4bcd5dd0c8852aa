import { present } from '../../../engine/values/defined.ts'
import type { UnreadEntry } from './shapes.ts'
import { identityOf, isMap, memberOf, textOf, type Value } from './value.ts'

/** Only names of a document are shown: anything else may be a secret. */
export const shown = (value: Value): string => (typeof value === 'string' ? JSON.stringify(value) : 'of another kind')

export const addressOf = (entry: Value): string => textOf(memberOf(entry, 'address')) ?? ''

/** The address of a resource; where an entry lacks it, what its other members make of it. */
export const resourceAddress = (entry: Value): string => {
  const own = addressOf(entry)
  const part = (name: string): string => textOf(memberOf(entry, name)) ?? ''
  const [module, type, name] = [part('module_address'), part('type'), part('name')]
  if (own !== '' || type === '' || name === '') return own
  const index = memberOf(entry, 'index') ?? null
  const key = index === null ? '' : `[${identityOf(index)}]`
  const steps = present(module !== '' && module, memberOf(entry, 'mode') === 'data' && 'data', type, `${name}${key}`)
  return steps.join('.')
}

/** Why an entry of a plan or a state cannot be shown as a resource. */
export const whyUnread = (entry: Value): string | undefined => {
  if (!isMap(entry)) return 'the entry is not an object'
  const mode = entry.get('mode') ?? 'managed'
  if (mode !== 'managed' && mode !== 'data' && mode !== 'ephemeral') return `its mode ${shown(mode)} is unknown`
  return resourceAddress(entry) === '' ? 'the entry has no address' : undefined
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
