import { parse } from 'yaml'
import type { Json } from '../schema/json.ts'

export type ParsedText = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly message: string }

/** Aliases of one YAML document; a description needs few, and each use of one is a copy to walk. */
const maxAliases = 10_000

/** JSON, or YAML where it is none. Keys given twice are taken as they come: descriptions are generated, and wrong. */
export const parseText = (text: string): ParsedText => {
  const plain = text.startsWith('\uFEFF') ? text.slice(1) : text
  const parsed = parseAsJson(plain)
  if (parsed !== undefined) return { ok: true, value: parsed }
  try {
    const value: unknown = parse(plain, {
      uniqueKeys: false,
      strict: false,
      logLevel: 'silent',
      maxAliasCount: maxAliases,
      prettyErrors: false,
    })
    // What YAML has and JSON has not (dates, infinities) becomes text or null.
    return { ok: true, value: JSON.parse(JSON.stringify(value ?? null)) as Json }
  } catch {
    return { ok: false, message: 'it is neither JSON nor YAML' }
  }
}

const parseAsJson = (text: string): Json | undefined => {
  if (!/^\s*[{[]/.test(text)) return undefined
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}
