import { plainWord, wordList } from '../../../../engine/values/texts/name-words.ts'
import type { Schema } from '../../description/description.ts'
import { schemaAt } from '../../description/look-into.ts'
import { isNameOf } from './names.ts'

const besides = new Set(
  wordList(`
    meta metadata links pagination success status message messages error errors
    code action actions info warnings requestid
  `),
)
const holders = wordList('data result item object resource payload response content')

/** The limit of nested envelopes; a schema may contain itself. */
const deepest = 2

/** Returns the members, from outside in, that contain the whole object if the schema is an envelope, or several. */
export const envelopeOf = (schema: Schema | undefined, words: readonly string[], depth = 0): readonly string[] => {
  const member = schema === undefined || depth === deepest ? undefined : holderIn(schema, words, depth === 0)
  return member === undefined ? [] : [member, ...envelopeOf(schemaAt(schema, [member]), words, depth + 1)]
}

const holderIn = (schema: Schema, words: readonly string[], isOuter: boolean): string | undefined => {
  const properties = [...schema.properties()]
  const inner = properties.filter(([name, one]) => isHolder(name, words) && one.properties().size > 0)
  const [found] = inner
  if (found === undefined || inner.length > 1) return undefined
  const rest = properties.filter(([name]) => name !== found[0])
  // Inside an envelope there is already an object: another level is an envelope only if it has no other member.
  if (!isOuter) return rest.length === 0 ? found[0] : undefined
  const isAlone = rest.every(([name]) => besides.has(plainWord(name)))
  // Beside an object under its own name, members that no object has describe the answer.
  const isNamed = isNameOf(found[0], words) && !rest.some(([name]) => ownWords.has(plainWord(name)))
  return isAlone || (isNamed && rest.length < found[1].properties().size) ? found[0] : undefined
}

const ownWords = new Set(wordList('id uuid name self href url kind type'))

const isHolder = (name: string, words: readonly string[]): boolean => holders.includes(name) || isNameOf(name, words)

const listWords = wordList(
  'items data results result values value entries records list content objects resources elements rows',
)
const listHolders = new Set([...holders, 'embedded', 'd'])

/** Returns the members, from outside in, that contain the items of a list; `undefined` if there is no list. */
export const itemsPath = (
  schema: Schema | undefined,
  words: readonly string[],
  depth = 0,
): readonly string[] | undefined => {
  if (schema === undefined) return undefined
  if (schema.types.includes('array')) return isObjects(schema) ? [] : undefined
  const properties = [...schema.properties()]
  const names = properties.filter(([, one]) => one.types.includes('array') && isObjects(one)).map(([name]) => name)
  const found =
    names.find((name) => isNameOf(name, words)) ??
    listWords.find((word) => names.includes(word)) ??
    (names.length === 1 ? names[0] : undefined)
  if (found !== undefined) return [found]
  if (names.length > 0 || depth === deepest) return undefined
  const [only, ...others] = properties.flatMap(([name, one]) => {
    const inner =
      listHolders.has(plainWord(name)) || isNameOf(name, words) ? itemsPath(one, words, depth + 1) : undefined
    return inner === undefined ? [] : [[name, ...inner]]
  })
  return others.length === 0 ? only : undefined
}

const isObjects = (list: Schema): boolean => {
  const item = list.items()
  return item === undefined || item.types.length === 0 || item.types.includes('object')
}
