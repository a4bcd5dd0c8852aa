import { parseSecretSource } from '../../../engine/values/secret-source.ts'

/** What the text of a secret means. */
export type SecretValue =
  /** Only asterisks: the secret exists, and something else gives it its value. */
  | { readonly kind: 'dummy' }
  /** A source of this product. */
  | { readonly kind: 'source'; readonly source: string }
  /** An entry of a password store that Otterdog reads: it has to be mapped to a source. */
  | { readonly kind: 'entry'; readonly entry: string }
  /** An entry without all its parts. */
  | { readonly kind: 'incomplete'; readonly provider: string }
  /** The value itself. It is never repeated. */
  | { readonly kind: 'plain' }

/** What an entry of each password store must look like; it may contain more colons. */
const entries: Readonly<Record<string, RegExp>> = {
  pass: /^.+$/s,
  bitwarden: /^.+@.+$/s,
  vault: /^.+\/.+$/s,
}

export const readSecretValue = (text: string): SecretValue => {
  if (/^\*+$/.test(text)) return { kind: 'dummy' }
  if (parseSecretSource(text) !== undefined) return { kind: 'source', source: text }
  const [, provider = '', rest = ''] = /^([a-z]+):(.*)$/s.exec(text) ?? []
  const form = Object.hasOwn(entries, provider) ? entries[provider] : undefined
  if (form === undefined) return { kind: 'plain' }
  return form.test(rest) ? { kind: 'entry', entry: text } : { kind: 'incomplete', provider }
}
