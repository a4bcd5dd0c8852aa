import type { Diagnostic } from '../../schema/issue.ts'
import type { Json } from '../../schema/json.ts'
import { isObject } from '../../schema/json.ts'
import { secretKinds } from '../../values/secret-source.ts'
import { suggest } from '../../values/texts/nearest-word.ts'
import { say } from '../words.ts'

/** `{ secret: "..." }`: exactly this one member, and text. */
export const isSecretForm = (value: Json | undefined): value is { readonly secret: string } =>
  isObject(value) && typeof value['secret'] === 'string' && Object.keys(value).length === 1

/**
 * What the text of a secret form means: a source, or plain text that happens to be a member called `secret`. A word with a
 * colon that is no known source was meant as one; a URL, a key in PEM or any other text was not. The text itself is never
 * repeated: it may be the secret.
 */
export const readSecret = (text: string): 'source' | 'plain' | Diagnostic => {
  const [, scheme = '', rest = ''] = /^([A-Za-z][\w+-]{0,30}):(?!\/\/)(.*)$/s.exec(text) ?? []
  if (scheme === '') return 'plain'
  if (!secretKinds.some((each) => each === scheme))
    return say('noSecret', suggest(scheme, secretKinds).replace(/(\w+)"\?$/, '$1:"?'))
  return rest.trim() === '' ? say('emptySecret', scheme) : 'source'
}
