import { isArray, isObject, type Json } from '../../schema/json.ts'
import {
  isAfter,
  isConcat,
  isLiteral,
  isLive,
  isNumberMark,
  isReference,
  isSealed,
  isSecret,
} from '../../schema/value.ts'
import { spellOut, spellValue, unseen } from '../../values/spell-value.ts'
import { textOfValue } from '../../values/texts/json-text.ts'
import { asked } from '../words.ts'

/** A part of one word of a POSIX shell: literal text, or an expansion in double quotes. */
export type WordPart = { readonly text: string } | { readonly expand: string }
export type Word = readonly WordPart[]

export const word = (text: string): Word => [{ text }]

/** The word in source form; the shell turns it into exactly one argument. */
export const quoteWord = (parts: Word): string => {
  const quoted = joinTexts(parts).map((part) => ('text' in part ? quoteText(part.text) : `"${part.expand}"`))
  return quoted.length === 0 ? "''" : quoted.join('')
}

/** Texts next to each other become one. */
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

/** Invisible characters except NUL, which no argument can contain, and line feed and tab, which are visible in quotes. */
const unseenRuns = new RegExp(`((?:(?![\\0\\n\\t])${unseen.source})+)`, 'u')

/** Text that a terminal would not show as it is, by its bytes. */
const printed = (text: string): string => {
  const bytes = [...new TextEncoder().encode(text)]
  return `"$(printf '${bytes.map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')}')"`
}

/** A text that is not a command is one comment line: a line feed in it would end the comment. */
export const comment = (what: string, why: string): string =>
  `# ${JSON.stringify(what).replaceAll(unseen, spellOut)}: ${why}`

/** An expansion that stops the line with a message until the variable is set. Nothing in it is special to a shell. */
export const ask = (name: string, message: string): WordPart => ({
  expand: `\${${name.replaceAll(/\W+/g, '_')}:?${message.replaceAll(/[^\w ./:#-]/g, '_')}}`,
})

const single = (text: string): string => quoteWord(word(text))

/** The shell expression that gives a secret, by the scheme of its source. */
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

/** A variable that the reader sets, because a shell does not know the answers of earlier commands. */
export const afterPart = (address: string, pointer: string): WordPart =>
  ask(`after_${address}${pointer}`, asked.answer(address, pointer))

/** The mark's own value, as text or as JSON where it can be anything. `undefined` if the value is not a mark. */
const markPart = (value: Json): WordPart | undefined => {
  if (isSecret(value)) return secretPart(value.$secret)
  if (isAfter(value)) return afterPart(value.$after, value.pointer)
  if (isReference(value)) return afterPart(value.$ref, value.pointer)
  if (isLive(value)) return ask(`live_${value.$live}`, asked.object(value.$live, Object.keys(value.with)))
  return isSealed(value) ? ask('sealed', asked.sealed) : undefined
}

/** A value as bare text: the content of a file, a part of a header. */
export const textWord = (value: Json): Word => {
  if (isConcat(value)) return value.$concat.flatMap(textWord)
  const mark = markPart(value)
  if (mark !== undefined) return [mark]
  const inner = isLiteral(value) ? value.$literal : value
  return word(textOf(inner))
}

/** A value as JSON text. */
export const jsonWord = (value: Json): Word => {
  if (isSecret(value) && !value.$secret.startsWith('live:')) return [quote, inJson(secretPart(value.$secret)), quote]
  if (isConcat(value)) return [quote, ...value.$concat.flatMap(insideText), quote]
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

/** A part of a text inside the quotes of a JSON text. */
const insideText = (value: Json): Word => {
  if (isConcat(value)) return value.$concat.flatMap(insideText)
  const mark = markPart(value)
  return mark === undefined ? word(JSON.stringify(textOf(value)).slice(1, -1)) : [inJson(mark)]
}

/** A value that is not a mark; a shell cannot insert marks inside it. */
const textOf = (value: Json): string => textOfValue(value) ?? spellValue(value)

/**
 * The value of an expansion, escaped for the inside of a JSON text. Without `!`, which is history in an interactive shell.
 */
const inJson = (part: WordPart): WordPart =>
  'text' in part
    ? part
    : { expand: `$(printf %s "${part.expand}" | sed 's/[\\\\"]/\\\\&/g;$q;s/$/\\\\n/' | tr -d '\\n')` }
