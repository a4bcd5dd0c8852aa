import { posix } from 'node:path'

/** Where files are. Both are absolute, in their one spelling. */
export interface Roots {
  /** Nothing outside is ever read or written. */
  readonly root: string
  /** Relative paths begin here; it is inside of the root, or the root itself. */
  readonly home: string
}

/** A file within the root. `path` is relative to the home if it is inside of it, else absolute: its one spelling. */
export interface FilePlace {
  readonly path: string
  readonly url: string
  readonly absolute: string
}

/** `undefined` if the path is not a file inside the root. A path may be relative, or absolute and inside. */
export const placeIn = ({ root, home }: Roots, written: string): FilePlace | undefined => {
  // `a/../b` is refused even where it stays inside: behind a link it names another file than it seems to.
  if (written.includes('\0') || written.endsWith('/') || written.split('/').includes('..')) return undefined
  const absolute = posix.normalize(written.startsWith('/') ? written : `${home}/${written}`)
  if (!isInside(absolute, root)) return undefined
  const path = isInside(absolute, home) ? posix.relative(home, absolute) : absolute
  return { path, absolute, url: urlOf(absolute) }
}

const isInside = (absolute: string, folder: string): boolean => {
  const path = posix.relative(folder, absolute)
  return path !== '' && path !== '..' && !path.startsWith('../')
}

export const isWithin = (folder: string, root: string): boolean => folder === root || isInside(folder, root)

const urlOf = (absolute: string): string => `file://${absolute.split('/').map(encodeURIComponent).join('/')}`

export const canonicalFolder = (path: string): string => {
  const normal = posix.normalize(path)
  return normal.length > 1 && normal.endsWith('/') ? normal.slice(0, -1) : normal
}
