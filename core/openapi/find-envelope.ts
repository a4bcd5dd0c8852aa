import type { Schema } from './description.ts'
import { isNameOf, plainWord } from './words.ts'

/** Members beside the object in an envelope. */
const besides = new Set([
  'meta',
  'metadata',
  'links',
  'pagination',
  'success',
  'status',
  'message',
  'messages',
  'error',
  'errors',
  'code',
  'action',
  'actions',
  'info',
  'warnings',
  'requestid',
])
const holders: readonly string[] = ['data', 'result', 'item', 'object', 'resource', 'payload', 'response', 'content']

/** The member that holds the whole object, where the schema is an envelope around it. */
export const envelopeOf = (schema: Schema | undefined, words: readonly string[]): string | undefined => {
  const properties = schema === undefined ? [] : [...schema.properties()]
  const inner = properties.filter(([name, one]) => isHolder(name, words) && one.properties().size > 0)
  const [found] = inner
  if (found === undefined || inner.length > 1) return undefined
  const rest = properties.filter(([name]) => name !== found[0])
  const isAlone = rest.every(([name]) => besides.has(plainWord(name)))
  // Beside an object under its own name, what is no object's own is about the answer.
  const isNamed = isNameOf(found[0], words) && !rest.some(([name]) => ownWords.has(plainWord(name)))
  return isAlone || (isNamed && rest.length < found[1].properties().size) ? found[0] : undefined
}

const ownWords = new Set(['id', 'uuid', 'name', 'self', 'href', 'url', 'kind', 'type'])

const isHolder = (name: string, words: readonly string[]): boolean => holders.includes(name) || isNameOf(name, words)

export const insideOf = (schema: Schema | undefined, member: string | undefined): Schema | undefined =>
  member === undefined ? schema : schema?.properties().get(member)
