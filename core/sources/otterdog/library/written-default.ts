import { canonicalJson } from '../../../engine/json/digest.ts'
import type { Json } from '../../../engine/schema/json.ts'

/**
 * Whether a library writes this value for this key: then it is a default, and no choice of whoever wrote the file. Only
 * values that a library writes out are found.
 */
export const isWrittenDefault = (key: string, value: Json, library: readonly string[]): boolean => {
  const text = canonicalJson(value)
  return library.some((each) => valuesOf(key, each).some((found) => canonicalJson(found) === text))
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
