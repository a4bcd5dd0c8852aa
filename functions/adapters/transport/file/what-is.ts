import type { Stats } from 'node:fs'

/** What has a name in a folder, in words. */
export const whatIs = (stat: Stats): string => {
  if (stat.isFile()) return 'a regular file'
  if (stat.isDirectory()) return 'a folder'
  if (stat.isSymbolicLink()) return 'a link'
  return stat.isFIFO() ? 'a pipe' : 'a socket or a device'
}

/** Why something is not managed: what was found, and what was expected. */
export const otherThan = (found: string, expected: string): string => `it is ${found} where ${expected} was expected`
