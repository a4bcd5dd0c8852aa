import { parseDocument } from 'yaml'
import type { Json } from '../../schema/json.ts'
import { unreadable } from './words.ts'

export type ParsedText = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly message: string }

/** Aliases of one YAML document; a description needs few, and each use of one is a copy to walk. */
const maxAliasCount = 10_000

/** JSON, or YAML where it is none. Keys given twice are taken as they come: descriptions are generated, and wrong. */
export const parseText = (text: string): ParsedText => {
  const plain = text.startsWith('\uFEFF') ? text.slice(1) : text
  const parsed = parseAsJson(plain)
  return parsed === undefined ? parseAsYaml(plain) : { ok: true, value: parsed }
}

const parseAsJson = (text: string): Json | undefined => {
  if (!/^\s*[{[]/.test(text)) return undefined
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

const parseAsYaml = (text: string): ParsedText => {
  try {
    const document = parseDocument(text, { uniqueKeys: false, strict: false, logLevel: 'silent', prettyErrors: false })
    const [error] = document.errors
    if (error !== undefined) {
      const line = text.slice(0, error.pos[0]).split('\n').length
      return { ok: false, message: unreadable.syntax(line) }
    }
    const value: unknown = document.toJS({ maxAliasCount })
    // What YAML has and JSON has not (infinities, big numbers) becomes null or text.
    return { ok: true, value: JSON.parse(JSON.stringify(value ?? null)) as Json }
  } catch {
    // Both recurse: the stack ends first. Aliases of aliases end here too.
    return { ok: false, message: unreadable.tooDeep }
  }
}
