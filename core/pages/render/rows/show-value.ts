import { isArray, isObject, type Json, type JsonObject } from '../../../engine/schema/json.ts'
import {
  isAfter,
  isConcat,
  isLiteral,
  isLive,
  isNumberMark,
  isReference,
  isSealed,
  isSecret,
  isSensitive,
  isUnknown,
  type LiveMark,
} from '../../../engine/schema/value.ts'
import { splitPlace } from '../../../engine/values/addresses/address.ts'
import { columns } from '../characters/measure.ts'
import { quoted, visible } from '../characters/visible.ts'

/** How the marks of a value are written. No literal text can look like one: it is in quotes, or has its `$` escaped. */
type MarkWords = (value: Json) => string | undefined

const unknownWords = (value: Json): string => {
  if (isAfter(value)) return laterWords([`${value.$after} ${value.pointer}`.trim()])
  return laterWords(isReference(value) ? [`${value.$ref} ${value.pointer}`.trim()] : [])
}

/** `sources`: where the value will come from. */
export const laterWords = (sources: readonly string[]): string => {
  const named = sources.filter((source) => source !== '')
  return named.length === 0 ? '(known after apply)' : `(known after apply: ${visible(named.join(', '))})`
}

const openWords: MarkWords = (value) => {
  if (isNumberMark(value)) return visible(value.$number)
  return isUnknown(value) ? unknownWords(value) : undefined
}

/** In a plan: what is sensitive is not even named. */
const planWords: MarkWords = (value) => {
  if (isSensitive(value)) return '(sensitive)'
  if (isConcat(value)) return value.$concat.map((part) => written(part, planWords)).join(' + ')
  return openWords(value)
}

/** A secret by its source: `$NAME` for the environment, `${source}` for any other. */
const secretName = (source: string): string =>
  /^env:\w+$/.test(source) ? `$${source.slice(4)}` : `\${${visible(source)}}`

/** In the authentication of a command: secrets by their source, which is what the transport puts in. */
const commandWords: MarkWords = (value) => {
  if (isSecret(value)) return secretName(value.$secret)
  if (isSealed(value)) return '(sensitive)'
  if (isConcat(value)) {
    const text = value.$concat.map((part) => written(part, commandWords)).join(' + ')
    return value.encoding === undefined ? text : `${value.encoding}(${text})`
  }
  return openWords(value)
}

/** In the body of a command: a secret is a text, `"$NAME"` or a part `${source}` of one, so that the JSON stays valid. */
const bodyWords: MarkWords = (value) => {
  if (isSecret(value)) return `"${secretName(value.$secret)}"`
  if (!isConcat(value) || !value.$concat.some(isSecret)) return commandWords(value)
  const parts = value.$concat.map((part) => {
    if (isSecret(part)) return `\${${visible(part.$secret)}}`
    return typeof part === 'string' ? literalText(part).slice(1, -1) : undefined
  })
  // What is known only later is no text yet, and is shown outside of the quotes.
  if (parts.includes(undefined)) return commandWords(value)
  const text = parts.join('')
  return value.encoding === undefined ? `"${text}"` : `"${value.encoding}(${text})"`
}

/** A text in quotes, where `$` is escaped if it could be taken for a secret: to JSON both are the same text. */
const literalText = (text: string): string => quoted(text).replaceAll(/\$(?=\{)|(?<=^")\$(?=\w+"$)/g, '\\u0024')

const textWords = (words: MarkWords): ((text: string) => string) => (words === bodyWords ? literalText : quoted)

/** Only the object right under the mark is exempt from being a mark; deeper ones are wrapped by themselves. */
const inside = (value: Json): Json => (isLiteral(value) ? value.$literal : value)

/** A value that is sent back is shown only by its name, because it may contain secrets. */
const liveWords = ({ $live, without }: LiveMark): string => {
  const [address, object] = splitPlace($live)
  const left = without.length === 0 ? '' : ` without ${without.join(', ')}`
  return visible(`(${object} of ${address}, as it is read right before${left})`)
}

/** One line of JSON. */
const written = (value: Json, words: MarkWords): string => {
  const mark = words(value)
  if (mark !== undefined) return mark
  if (isLive(value)) return `${liveWords(value)} with ${written(value.with, words)}`
  const inner = inside(value)
  if (typeof inner === 'string') return textWords(words)(inner)
  if (isArray(inner)) return `[${inner.map((element) => written(element, words)).join(',')}]`
  if (!isObject(inner)) return String(inner)
  return `{${Object.entries(inner)
    .map(([member, child]) => `${quoted(member)}:${written(child, words)}`)
    .join(',')}}`
}

/** The same in several lines where one is too long: a part that fits stays in one. `indent` counts columns. */
const broken = (value: Json, words: MarkWords, room: number, indent = 0): string => {
  const line = written(value, words)
  if (indent + columns(line) <= room || words(value) !== undefined) return line
  if (isLive(value)) return `${liveWords(value)} with ${broken(value.with, words, room, indent)}`
  const inner = inside(value)
  const margin = ' '.repeat(indent)
  if (typeof inner === 'string') return textParts(inner).map(textWords(words)).join(`\n${margin}`)
  const parts = isArray(inner)
    ? inner.map((element) => broken(element, words, room, indent + 2))
    : isObject(inner)
      ? memberLines(inner, words, room, indent + 2)
      : []
  if (parts.length === 0) return line
  const body = parts.join(`,\n${margin}  `)
  return isArray(inner) ? `[\n${margin}  ${body}\n${margin}]` : `{\n${margin}  ${body}\n${margin}}`
}

const memberLines = (value: JsonObject, words: MarkWords, room: number, indent: number): readonly string[] =>
  Object.entries(value).map(([member, child]) => {
    const label = `${quoted(member)}: `
    return `${label}${broken(child, words, room - columns(label), indent)}`
  })

/** A long text as its lines, each in quotes, below each other: together they are the text. */
const textParts = (text: string): readonly string[] => text.split(/(?<=\n)/)

/** A value of a plan, in one line. */
export const showValue = (value: Json): string => written(value, planWords)

/** A value of a plan, in as many lines as it needs. */
export const showValueLines = (value: Json, room: number): readonly string[] =>
  broken(value, planWords, room).split('\n')

/** The body of a command, in one line where that fits. Nothing is left out. */
export const showBody = (body: Json, room: number): readonly string[] => broken(body, bodyWords, room).split('\n')

/** The body of a form, percent-encoded as it is sent, in one line where that fits. Marks stand for what is put in. */
export const showForm = (
  fields: readonly (readonly [name: string, value: Json])[],
  room: number,
): readonly string[] => {
  const pairs = fields.map(([name, value], n) => `${n === 0 ? '' : '&'}${encoded(name)}=${fieldWords(value)}`)
  const line = pairs.join('')
  return columns(line) <= room ? [line] : pairs
}

const encoded = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1)

const fieldWords = (value: Json): string => {
  if (value === null) return ''
  return commandWords(value) ?? (isObject(value) ? written(value, bodyWords) : encoded(String(value)))
}

/** A secret reference or a text of a command's authentication. */
export const showAuthPart = (part: Json): string =>
  typeof part === 'string' ? visible(part) : written(part, commandWords)
