import { repeatsKey } from './parse-exact.ts'

/** What a JSON text from outside holds, or why nothing in it is believed. */
export type ForeignJson = { readonly value: unknown } | { readonly fault: 'invalid' | 'repeated' }

/**
 * Parses a JSON text that somebody else wrote. Of two members with one name this parser keeps the last one; whoever looked
 * at the text before, a person or another program, may have read the first one. The parser's error is not thrown, because
 * it would quote the text.
 */
export const parseForeign = (text: string): ForeignJson => {
  try {
    const value: unknown = JSON.parse(text)
    return repeatsKey(text, value) ? { fault: 'repeated' } : { value }
  } catch {
    return { fault: 'invalid' }
  }
}

/** The same for a caller to whom the reason does not matter: `undefined` if nothing in the text is believed. */
export const foreignJson = (text: string): unknown => {
  const parsed = parseForeign(text)
  return 'value' in parsed ? parsed.value : undefined
}
