import { parseDocument } from 'yaml'
import type { ScalarNode } from './syntax-tree.ts'

export type ScalarValue = ScalarNode['value']

export interface ScalarPlace {
  readonly isJson: boolean
  readonly isFlow: boolean
  /** The style of the value before. */
  readonly like?: ScalarNode['style']
  /** Every text in double quotes, which can mean any text. */
  readonly isSafe?: boolean
}

/**
 * Characters that people do not see, or that turn the text around them: they are written as escapes. Line ends are
 * decided separately.
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

/** Whether the form means the value where it will be; a text without quotes also by YAML 1.1, which other programs use. */
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

/** A value in one line, in the style of the one before if that style can mean it. */
export const scalarText = (value: ScalarValue, place: ScalarPlace): string => {
  if (typeof value !== 'string') return JSON.stringify(value)
  if (place.isJson) return doubleQuoted(value)
  return formsOf(value, place).find((form) => isReadAs(form, value, place)) ?? doubleQuoted(value)
}

/** A key: without quotes where it is one word. */
export const keyText = (key: string, isJson: boolean): string => {
  const isPlain = !isJson && /^[A-Za-z_][\w.\-/]*$/.test(key) && read(`k: ${key}\n`, '1.2') === key
  return isPlain ? key : doubleQuoted(key)
}

/** The first and the other lines of a text after `|` or `>`; the lines are not indented yet. */
export interface BlockText {
  readonly header: string
  readonly lines: readonly string[]
}

/** The text as a block; `undefined` if no block means it. `folded`: the lines of the block before, without indentation. */
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

/** Paragraphs that exist already keep their lines; others keep the lines that are equal at their start. */
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
    // A fold stands for one space between two words.
    if (at < 1 || rest[at - 1] === ' ' || rest[at + 1] === ' ') break
    lines.push(rest.slice(0, at))
    rest = rest.slice(at + 1)
  }
  return [...lines, rest]
}
