/*
 * A path of a file is relative to the folder of the workspace. It begins with `../` if the file is above: then the reader of
 * the folder decides whether it may be used. A stored name has `^` in place of each of these `..`, so that no stored name
 * leads out of a folder that the files are written to.
 */

const isStored = /^(?:\^\/)+/

/** `^/shared/a.yaml` for `../shared/a.yaml`. A name that is stored already stays. */
export const storedName = (path: string): string => path.replace(/^(?:\.\.\/)+/, (above) => above.replaceAll('..', '^'))

/** The inverse of `storedName`. */
export const pathOfStored = (name: string): string => name.replace(isStored, (above) => above.replaceAll('^', '..'))

export const isAbove = (path: string): boolean => path.startsWith('../')

/**
 * Resolves a path relative to a file and normalises it: `./a/../b.yaml` is `b.yaml`, and `../b.yaml` stays. `undefined` if
 * it is absolute, has a backslash, names no file, or begins as only stored names do.
 */
export const resolvePath = (from: string, written: string): string | undefined => {
  if (written.startsWith('/') || written.includes('\\')) return undefined
  const parts = from.split('/').slice(0, -1)
  for (const part of written.split('/')) {
    if (part !== '..' && part !== '.' && part !== '') parts.push(part)
    else if (part === '..' && (parts.length === 0 || parts.at(-1) === '..')) parts.push(part)
    else if (part === '..') parts.pop()
  }
  const path = parts.join('/')
  return path === '' || isStored.test(path) ? undefined : path
}

/** The path from where the folder is: `pathIn('acme/dns', '../shared/a')` is `acme/shared/a`. Else as `resolvePath`. */
export const pathIn = (folder: string, path: string): string | undefined =>
  folder === '' ? resolvePath('', path) : resolvePath(`${folder}/.`, path)
