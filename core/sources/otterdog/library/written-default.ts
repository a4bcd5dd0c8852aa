import { canonicalJson } from '../../../engine/json/canonical.ts'
import type { Json } from '../../../engine/schema/json.ts'

/**
 * Tells whether a library writes a value for a key: then it is a default, and no choice of whoever wrote the file. Only values
 * that a library writes out are found. Each key is searched for once, because all repositories have it.
 */
export const writtenDefaults = (library: readonly string[]): ((key: string, value: Json) => boolean) => {
  const known = new Map<string, ReadonlySet<string>>()
  return (key, value) => {
    const found = known.get(key) ?? new Set(library.flatMap((text) => valuesOf(key, text)).map(canonicalJson))
    known.set(key, found)
    return found.has(canonicalJson(value))
  }
}

const valuesOf = (key: string, text: string): readonly Json[] => {
  const pattern = new RegExp(
    `(?<![\\w.])['"]?${key.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}['"]?\\s*\\+?:{1,3}\\s*`,
    'g',
  )
  return [...text.matchAll(pattern)].flatMap((match) => literalAt(text.slice(match.index + match[0].length)))
}

/** The value that a text begins with, if it is written as in JSON, with other quotes, comments and commas at the end. */
const literalAt = (text: string): readonly Json[] => {
  const [written] =
    /^(?:null|true|false|-?\d+(?:\.\d+)?|"[^"\\\n]*"|'[^'"\\\n]*'|\[[^[\]{}]*\]|\{\s*\})/.exec(text.slice(0, 5_000)) ??
    []
  if (written === undefined) return []
  const plain = written
    .replaceAll(/(?:#|\/\/)[^\n]*/g, '')
    .replaceAll(/'([^'"\\\n]*)'/g, '"$1"')
    .replaceAll(/,(\s*[\]}])/g, '$1')
  try {
    return [JSON.parse(plain) as Json]
  } catch {
    return []
  }
}
