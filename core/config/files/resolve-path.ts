/**
 * A path that a file of the bundle names, relative to that file's folder, as the bundle spells it: `./a/../b.yaml` is
 * `b.yaml`. `undefined` where it leaves the bundle.
 */
export const resolvePath = (from: string, written: string): string | undefined => {
  if (written.startsWith('/') || written.includes('\\')) return undefined
  const parts = from.split('/').slice(0, -1)
  for (const part of written.split('/')) {
    if (part === '..' && parts.pop() === undefined) return undefined
    if (part !== '..' && part !== '.' && part !== '') parts.push(part)
  }
  return parts.length === 0 ? undefined : parts.join('/')
}
