import { isArray, isObject, type Json } from '../../schema/json.ts'
import {
  type ConcatMark,
  isAfter,
  isConcat,
  isLiteral,
  isLive,
  isNumberMark,
  isReference,
  isSealed,
  isSecret,
  type LiveMark,
} from '../../schema/value.ts'
import { spellOut, spellValue, unseen } from '../../values/spell-value.ts'
import { textOfValue } from '../../values/texts/json-text.ts'
import { asked } from '../words.ts'
import { layingIn } from './say-json.ts'

/** A part of a shell word: literal text, or an expansion in double quotes. */
export type WordPart = { readonly text: string } | { readonly expand: string }
export type Word = readonly WordPart[]

export const word = (text: string): Word => [{ text }]

/** Quotes the word so that the shell makes exactly one argument of it. */
export const quoteWord = (parts: Word): string => {
  const quoted = joinTexts(parts).map((part) => ('text' in part ? quoteText(part.text) : `"${part.expand}"`))
  return quoted.length === 0 ? "''" : quoted.join('')
}

const joinTexts = (parts: Word): Word =>
  parts.reduce<WordPart[]>((all, part) => {
    const last = all.at(-1)
    if (last !== undefined && 'text' in last && 'text' in part) all[all.length - 1] = { text: last.text + part.text }
    else if (!('text' in part) || part.text !== '') all.push(part)
    return all
  }, [])

const quoteText = (text: string): string =>
  /^[\w%+,./:=@-]+$/.test(text)
    ? text
    : text
        .split(unseenRuns)
        .map((part, n) => (n % 2 === 1 ? printed(part) : part === '' ? '' : `'${part.replaceAll("'", "'\\''")}'`))
        .join('') || "''"

/**
 * Invisible characters except NUL, which no argument can contain, and line feed and tab, which are visible in quotes.
 */
const unseenRuns = new RegExp(`((?:(?![\\0\\n\\t])${unseen.source})+)`, 'u')

const printed = (text: string): string => {
  const bytes = [...new TextEncoder().encode(text)]
  return `"$(printf '${bytes.map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')}')"`
}

/** Always one line, because a line feed would end the comment. */
export const comment = (what: string, why: string): string =>
  `# ${JSON.stringify(what).replaceAll(unseen, spellOut)}: ${why}`

/**
 * An expansion that stops the line with a message until the variable is set. The message contains no special characters
 * of the shell.
 */
export const ask = (name: string, message: string, exact = ''): WordPart => ({
  expand: `\${${name.replaceAll(/\W+/g, '_')}:?${message.replaceAll(/[^\w ./:#,-]/g, '_')}${exact}}`,
})

const single = (text: string): string => quoteWord(word(text))

export const secretPart = (source: string): WordPart => {
  const [, scheme = '', rest = ''] = /^([a-z]+):(.*)$/s.exec(source) ?? []
  if (scheme === 'live') return ask(`live_${rest}`, asked.present(rest))
  const [, place = rest, key] = /^(.*?)#(.*)$/s.exec(rest) ?? []
  const whole = wholeSecret(scheme, place)
  if (whole === undefined) return ask(`secret_${source}`, asked.secret(source))
  if (key === undefined) return { expand: whole }
  return { expand: `$(printf %s "${whole}" | jq -r --arg key ${single(key)} '.[$key]')` }
}

const wholeSecret = (scheme: string, place: string): string | undefined => {
  switch (scheme) {
    case 'env':
      return /^[A-Za-z_]\w*$/.test(place) ? `$${place}` : `$(printenv ${single(place)})`
    case 'file':
      return `$(cat ${single(place)})`
    case 'ssm':
      return awsCommand('ssm get-parameter --with-decryption --name', place, 'Parameter.Value')
    case 'secretsmanager':
      return awsCommand('secretsmanager get-secret-value --secret-id', place, 'SecretString')
    default:
      return undefined
  }
}

const awsCommand = (command: string, place: string, answer: string): string =>
  `$(aws ${command} ${single(place)} --query ${answer} --output text)`

/** A variable that the user sets, because a shell does not know the answers of earlier commands. */
export const afterPart = (address: string, pointer: string): WordPart =>
  ask(`after_${address}${pointer}`, asked.answer(address, pointer))

const livePart = (mark: LiveMark): WordPart =>
  ask(`live_${mark.$live}`, asked.object(mark.$live, Object.keys(mark.with).length === 0), layingIn(mark))

/** `undefined` if the value is not a mark. A value of any type is expected as JSON. */
const markPart = (value: Json): WordPart | undefined => {
  if (isSecret(value)) return secretPart(value.$secret)
  if (isAfter(value)) return afterPart(value.$after, value.pointer)
  if (isReference(value)) return afterPart(value.$ref, value.pointer)
  if (isLive(value)) return livePart(value)
  return isSealed(value) ? ask('sealed', asked.sealed) : undefined
}

export const textWord = (value: Json): Word => {
  if (isConcat(value)) return concatWord(value)
  const mark = markPart(value)
  if (mark !== undefined) return [mark]
  const inner = isLiteral(value) ? value.$literal : value
  return word(textOf(inner))
}

const concatWord = ({ $concat, encoding }: ConcatMark): Word => {
  const parts = $concat.flatMap(textWord)
  return encoding === undefined ? parts : [{ expand: `$(printf %s ${quoteWord(parts)} | base64 | tr -d '\\n')` }]
}

export const jsonWord = (value: Json): Word => {
  if (isSecret(value) && !value.$secret.startsWith('live:')) return [quote, inJson(secretPart(value.$secret)), quote]
  if (isConcat(value)) return [quote, ...insideText(value), quote]
  const mark = markPart(value)
  if (mark !== undefined) return [mark]
  if (isNumberMark(value)) return word(value.$number)
  const inner = isLiteral(value) ? value.$literal : value
  if (isArray(inner)) return [{ text: '[' }, ...separated(inner.map(jsonWord)), { text: ']' }]
  if (!isObject(inner)) return word(JSON.stringify(inner))
  const members = Object.entries(inner).map(([member, child]) => [
    { text: `${JSON.stringify(member)}:` },
    ...jsonWord(child),
  ])
  return [{ text: '{' }, ...separated(members), { text: '}' }]
}

const quote: WordPart = { text: '"' }

const separated = (words: readonly Word[]): Word =>
  words.flatMap((own, position) => (position === 0 ? own : [{ text: ',' }, ...own]))

const insideText = (value: Json): Word => {
  if (isConcat(value)) return value.encoding === undefined ? value.$concat.flatMap(insideText) : concatWord(value)
  const mark = markPart(value)
  return mark === undefined ? word(JSON.stringify(textOf(value)).slice(1, -1)) : [inJson(mark)]
}

const textOf = (value: Json): string => textOfValue(value) ?? spellValue(value)

/**
 * Escapes the value of an expansion for the inside of a JSON text. Avoids `!`, which an interactive shell reads as
 * history.
 */
const inJson = (part: WordPart): WordPart =>
  'text' in part
    ? part
    : { expand: `$(printf %s "${part.expand}" | sed 's/[\\\\"]/\\\\&/g;$q;s/$/\\\\n/' | tr -d '\\n')` }
