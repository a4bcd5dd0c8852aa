import { parseDocument } from 'yaml'
import { isLargeNumber } from '../../values/large-integer.ts'
import type { ScalarNode } from './syntax-tree.ts'

export type ScalarValue = ScalarNode['value']

export interface ScalarPlace {
  readonly isJson: boolean
  readonly isFlow: boolean
  readonly like?: ScalarNode['style']
  /** Every text gets double quotes, which can represent any text. */
  readonly isSafe?: boolean
}

/**
 * Invisible characters and those that change the direction of a text; they are written as escapes. Line ends are
 * handled separately.
 */
const hidden = /(?!\n)[\p{Cc}\u00AD\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u2069\uFEFF\uFFF9-\uFFFB]/u
const allHidden = new RegExp(hidden, 'gu')

const isPrintable = (text: string): boolean => !hidden.test(text)

const escaped = (character: string): string => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`

const doubleQuoted = (text: string): string => JSON.stringify(text).replace(allHidden, escaped)

const singleQuoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

const read = (written: string, version: '1.1' | '1.2'): unknown => {
  const document = parseDocument(written, { version, prettyErrors: false, logLevel: 'silent' })
  return document.errors.length + document.warnings.length > 0 ? undefined : document.get('k')
}

/**
 * The form must give the value where it is inserted. A text without quotes must give it in YAML 1.1 too, which other
 * programs use.
 */
const isReadAs = (form: string, value: ScalarValue, { isFlow }: Pick<ScalarPlace, 'isFlow'>): boolean => {
  const written = isFlow ? `{ k: ${form} }` : `k: ${form}\n`
  if (read(written, '1.2') !== value) return false
  return typeof value !== 'string' || /^["'|>]/.test(form) || read(written, '1.1') === value
}

const formsOf = (text: string, { like, isSafe }: ScalarPlace): readonly string[] => {
  const double = doubleQuoted(text)
  if (isSafe || !isPrintable(text) || /[\n\t]/.test(text)) return [double]
  const single = singleQuoted(text)
  const quoted = like === 'single' || (like !== 'double' && double.includes('\\')) ? [single, double] : [double]
  return like === 'single' || like === 'double' ? quoted : [text, ...quoted]
}

export const scalarText = (value: ScalarValue, place: ScalarPlace): string => {
  if (isLargeNumber(value)) return value.$number
  if (typeof value !== 'string') return JSON.stringify(value)
  if (place.isJson) return doubleQuoted(value)
  return formsOf(value, place).find((form) => isReadAs(form, value, place)) ?? doubleQuoted(value)
}

/** Without quotes if the key is one word. */
export const keyText = (key: string, isJson: boolean): string => {
  const isPlain = !isJson && /^[A-Za-z_][\w.\-/]*$/.test(key) && read(`k: ${key}\n`, '1.2') === key
  return isPlain ? key : doubleQuoted(key)
}

/** Lines of a text after `|` or `>`, not indented yet. */
export interface BlockText {
  readonly header: string
  readonly lines: readonly string[]
}

/** `undefined` if no block gives the text. `folded`: the lines of the replaced block, without indentation. */
export const blockText = (text: string, indicator: string, folded?: readonly string[]): BlockText | undefined => {
  if (!isPrintable(text) || text.trim() === '') return undefined
  const body = text.replace(/\n+$/, '')
  const ending = text.length - body.length
  const chomp = ending === 0 ? '-' : ending === 1 ? '' : '+'
  const needed = indicator === '' && /^\s/.test(text) ? '2' : indicator
  const blanks = Array.from({ length: Math.max(0, ending - 1) }, () => '')
  const forms = [
    ...(folded === undefined
      ? []
      : [{ header: `>${needed}${chomp}`, lines: [...foldedLines(body, folded), ...blanks] }]),
    { header: `|${needed}${chomp}`, lines: [...body.split('\n'), ...blanks] },
  ]
  return forms.find(({ header, lines }) => {
    const shown = lines.map((line) => (line === '' ? '' : `  ${line}`)).join('\n')
    return read(`k: ${header.replace(/\d/, '2')}\n${shown}\n`, '1.2') === text
  })
}

/** Unchanged paragraphs keep their lines. Changed ones keep the lines at their start that are unchanged. */
const foldedLines = (body: string, before: readonly string[]): readonly string[] => {
  const groups = groupsOf(before)
  const known = new Map(groups.map((group) => [group.join(' '), group]))
  const width = Math.max(...before.map((line) => line.length), 40)
  let place = 0
  return body.split('\n').flatMap((paragraph, index) => {
    const gap = index === 0 ? [] : ['']
    if (paragraph === '') return gap
    const lines = known.get(paragraph) ?? wrapped(paragraph, groups[place] ?? [], width)
    place += 1
    return [...gap, ...lines]
  })
}

const groupsOf = (lines: readonly string[]): readonly (readonly string[])[] => {
  const groups: string[][] = [[]]
  for (const line of lines) {
    if (line !== '') groups.at(-1)?.push(line)
    else if (groups.at(-1)?.length !== 0) groups.push([])
  }
  return groups.filter((group) => group.length > 0)
}

const wrapped = (paragraph: string, before: readonly string[], width: number): readonly string[] => {
  const lines: string[] = []
  let rest = paragraph
  for (const line of before) {
    if (!rest.startsWith(`${line} `)) break
    lines.push(line)
    rest = rest.slice(line.length + 1)
  }
  while (rest.length > width) {
    const at = rest.lastIndexOf(' ', width)
    // A line may end only at a single space between two words, because a fold means one space.
    if (at < 1 || rest[at - 1] === ' ' || rest[at + 1] === ' ') break
    lines.push(rest.slice(0, at))
    rest = rest.slice(at + 1)
  }
  return [...lines, rest]
}
