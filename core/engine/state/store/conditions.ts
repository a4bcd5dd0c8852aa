import { compareKeys } from './limits.ts'
import type { Condition, Item } from './store.ts'

/** Evaluates a condition on a live item like DynamoDB, for stores that must do this themselves. */
export const holds = (condition: Condition, item: Item | undefined): boolean => {
  if (condition.kind === 'absent') return item === undefined
  if (condition.kind === 'exists') return item !== undefined
  const value = item?.[condition.attribute]
  if (condition.kind === 'equals') return value === condition.value
  if (value === undefined) return true
  if (typeof value === 'number' && typeof condition.value === 'number') return value <= condition.value
  return typeof value === 'string' && typeof condition.value === 'string' && compareKeys(value, condition.value) <= 0
}
