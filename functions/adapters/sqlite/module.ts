import { AppError } from '#core'

type Sqlite = typeof import('node:sqlite')

/**
 * Node 22 and 23 print once that the module is experimental, when it is loaded. Other warnings of that moment are kept.
 */
const withoutNotice = <T>(load: () => T): T => {
  const { emitWarning } = process
  const filtered = (...given: Parameters<typeof emitWarning>): void => {
    if (!String(given[0]).includes('SQLite is an experimental feature')) Reflect.apply(emitWarning, process, given)
  }
  process.emitWarning = filtered as typeof emitWarning
  try {
    return load()
  } finally {
    process.emitWarning = emitWarning
  }
}

/** Loads SQLite as Node contains it: without a flag from 22.13 on. Throws USAGE if Node has none. */
export const loadSqlite = (): Sqlite => {
  const found: Sqlite | undefined = withoutNotice(() => process.getBuiltinModule('node:sqlite'))
  if (found !== undefined) return found
  throw new AppError('USAGE', { detail: `plumbline needs Node 22.13 or newer; this is ${process.versions.node}` })
}
