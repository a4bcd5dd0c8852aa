import type { Json, JsonObject } from '../../schema/json.ts'
import { isObject } from '../../schema/json.ts'
import type { SecretMark } from '../../schema/value.ts'
import { suggest } from '../../values/nearest-word.ts'
import { secretKinds } from '../../values/secret-source.ts'

export type SecretReading =
  | { readonly kind: 'mark'; readonly mark: JsonObject & SecretMark }
  /** An ordinary text that happens to be a member called `secret`. */
  | { readonly kind: 'plain' }
  | { readonly kind: 'wrong'; readonly fix: string }

/** `{ secret: "..." }`: exactly this one member, and text. */
export const isSecretForm = (value: Json | undefined): value is { readonly secret: string } =>
  isObject(value) && typeof value['secret'] === 'string' && Object.keys(value).length === 1

/**
 * What the text of a secret form means. A word with a colon that is no known source was meant as one; a URL, a key in
 * PEM or any other text was not. The text itself is never repeated: it may be the secret.
 */
export const readSecret = (text: string): SecretReading => {
  const [, scheme = '', rest = ''] = /^([A-Za-z][\w+-]{0,30}):(?!\/\/)(.*)$/s.exec(text) ?? []
  if (scheme === '') return { kind: 'plain' }
  if (secretKinds.some((each) => each === scheme)) {
    return rest.trim() === ''
      ? { kind: 'wrong', fix: `write what to read after "${scheme}:"` }
      : { kind: 'mark', mark: { $secret: text } }
  }
  return { kind: 'wrong', fix: suggest(scheme, secretKinds).replace(/(\w+)"\?$/, '$1:"?') }
}
