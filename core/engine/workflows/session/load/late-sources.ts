import type { FindSource, ForeignSource } from '../../../config/modules/foreign.ts'

/* Formats of other products that modules can have. Each is loaded when the first configuration uses it. */

type LoadSource = () => Promise<ForeignSource>

const formats: Readonly<Record<string, LoadSource>> = {
  otterdog: async () => (await import('../../../../sources/otterdog/index.ts')).otterdog,
}

const loaded = new Map<string, ForeignSource>()

/** Runs `load`, and again if it looked for a format that was not loaded yet. */
export const withSources = async <Result>(load: (find: FindSource) => Result): Promise<Result> => {
  const wanted = new Set<string>()
  const attempt = (): (() => Result) => {
    try {
      const result = load((name) => {
        if (Object.hasOwn(formats, name) && !loaded.has(name)) wanted.add(name)
        return loaded.get(name)
      })
      return () => result
    } catch (error) {
      return () => {
        throw error
      }
    }
  }
  const first = attempt()
  if (wanted.size === 0) return first()
  for (const name of wanted) {
    const format = await formats[name]?.()
    if (format !== undefined) loaded.set(name, format)
  }
  return attempt()()
}
