import { once } from '../memo.ts'
import type { Secrets } from './secrets.ts'

/**
 * Each secret has one value from the plan to the last request: what is sent is what the approved digest is about, also
 * where the secret is replaced meanwhile. Failures are not kept.
 */
export const pinned = (secrets: Secrets): Secrets => {
  const values = new Map<string, Promise<string>>()
  return { resolve: (source) => once(values, source, () => secrets.resolve(source)) }
}
