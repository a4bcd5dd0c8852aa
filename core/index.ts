// The door: what the ways in may use, name by name. The only file that re-exports.

export { AppError } from './errors.ts'
export type { Json } from './schema/json.ts'
export type { Clock } from './schema/ports.ts'
export { checkWrites, compareKeys, inQuery, isLive } from './state/limits.ts'
export { memoryStore } from './state/memory.ts'
export type { Condition, Item, Key, Page, Query, Store, Write, WriteResult } from './state/store.ts'
