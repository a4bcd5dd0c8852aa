import { posix } from 'node:path'

/** A file within the root. `path` is relative to the root, in its one spelling. */
export interface FilePlace {
  readonly path: string
  readonly url: string
}

/** `undefined` if the path is not a file inside the root. A path may be relative, or absolute and inside. */
export const placeIn = (root: string, written: string): FilePlace | undefined => {
  // `a/../b` is refused even where it stays inside: behind a link it names another file than it seems to.
  if (written.includes('\0') || written.endsWith('/') || written.split('/').includes('..')) return undefined
  const absolute = posix.normalize(written.startsWith('/') ? written : `${root}/${written}`)
  const path = posix.relative(root, absolute)
  if (path === '' || path.startsWith('../') || path === '..') return undefined
  return { path, url: urlOf(absolute) }
}

const urlOf = (absolute: string): string => `file://${absolute.split('/').map(encodeURIComponent).join('/')}`
