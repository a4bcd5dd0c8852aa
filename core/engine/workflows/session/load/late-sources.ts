import type { FindSource, ForeignSource, LoadSource } from '../../../config/modules/foreign.ts'

/** The key is the loading function, because two registries may have different formats under the same name. */
const loaded = new Map<LoadSource, ForeignSource>()

/** Runs `load`, and runs it again if it looked for a format of another product that was not loaded yet. */
export const withSources = async <Result>(
  formats: Readonly<Record<string, LoadSource>>,
  load: (find: FindSource) => Result,
): Promise<Result> => {
  const missing = new Set<LoadSource>()
  const attempt = (): (() => Result) => {
    try {
      const result = load((name) => {
        const format = Object.hasOwn(formats, name) ? formats[name] : undefined
        if (format === undefined) return undefined
        if (!loaded.has(format)) missing.add(format)
        return loaded.get(format)
      })
      return () => result
    } catch (error) {
      return () => {
        throw error
      }
    }
  }
  const first = attempt()
  if (missing.size === 0) return first()
  for (const format of missing) loaded.set(format, await format())
  return attempt()()
}
