import type { FoundPart, PartKind } from './part.ts'
import { numbersOf } from './part.ts'
import { isOneLine, replaceLines, type TextFile } from './text-file.ts'
import { refused, unclear } from './words.ts'

/** A section of a file such as `~/.aws/credentials`: `[name]`, then lines `key = value`. */
export interface SectionName {
  readonly section: string
  readonly keys?: readonly string[]
}

/** Values by key. In a write, `null` removes a key, and keys that are not named stay. */
export type SectionValues = Readonly<Record<string, string | null>>

// With the flag `s`, `.` matches U+2028, which does not end a line of a file.
const header = /^\s*\[([^[\]]*)\]\s*(?:[#;].*)?$/s
const isComment = (text: string): boolean => /^\s*(?:[#;]|$)/.test(text)
/** A line that begins with a space belongs to the previous key. */
const isNested = (text: string): boolean => /^\s+[^\s#;]/.test(text)
const pair = /^([^\s=:[#;][^=:]*?)(\s*[=:]\s*)(.*?)(\s*)$/s

export const sectionPart: PartKind<SectionName, SectionValues> = {
  find: (file, { section }): FoundPart<SectionValues> => {
    const begins = placesOf(file, section)
    const [at, other] = begins
    if (at === undefined) return { kind: 'absent' }
    if (other !== undefined)
      return { kind: 'unclear', reason: 'ambiguous', detail: unclear.severalSections(section, numbersOf(begins)) }
    const count = endOf(file, at) - at
    const keys = keysIn(file, at, count)
    const double = keys.find(({ key }, n) => keys.findIndex((each) => each.key === key) !== n)
    if (double !== undefined) {
      const places = keys.filter(({ key }) => key === double.key).map((each) => each.at)
      return { kind: 'unclear', reason: 'ambiguous', detail: unclear.severalKeys(double.key, numbersOf(places)) }
    }
    const plain = keys.filter(({ hasLines }) => !hasLines)
    return { kind: 'present', value: Object.fromEntries(plain.map(({ key, value }) => [key, value])), at, count }
  },
  refuse: ({ section }, values) => {
    if (section !== section.trim() || section === '' || /[[\]"\p{Cc}]/u.test(section)) return refused.section
    for (const [key, value] of Object.entries(values ?? {})) {
      if (!/^[^\s=:[\]#;"]+$/.test(key)) return refused.key
      if (value !== null && (!isOneLine(value) || value !== value.trim())) return refused.keyValue
    }
    return undefined
  },
  write: (file, { section }, values, found) => {
    if (found.kind !== 'present') return values === null ? file : withSection(file, section, values)
    return values === null ? withoutSection(file, found) : withKeys(file, found.at, values)
  },
}

/** Says which of the keys has nested lines, and so no value that fits on one line. */
export const nestedKey = (file: TextFile, section: string, keys: readonly string[]): string | undefined => {
  const [at] = placesOf(file, section)
  if (at === undefined) return undefined
  const found = keysIn(file, at, endOf(file, at) - at).find(({ key, hasLines }) => hasLines && keys.includes(key))
  return found && unclear.nested(found.key, numbersOf([found.at]))
}

const placesOf = ({ lines }: TextFile, section: string): readonly number[] =>
  lines.flatMap(({ text }, n) => (header.exec(text)?.[1]?.trim() === section ? [n] : []))

/** Index of the next section, or of the comments before it. */
const endOf = ({ lines }: TextFile, at: number): number => {
  const next = lines.findIndex(({ text }, n) => n > at && header.test(text))
  if (next === -1) return lines.length
  let end = next
  while (end > at + 1 && isComment(lines[end - 1]?.text ?? '')) end -= 1
  return end
}

interface SectionKey {
  readonly key: string
  readonly value: string
  readonly at: number
  readonly hasLines: boolean
}

const keysIn = ({ lines }: TextFile, at: number, count: number): readonly SectionKey[] =>
  lines.slice(at + 1, at + count).flatMap(({ text }, n) => {
    const [, key, , value = ''] = pair.exec(text) ?? []
    const place = at + 1 + n
    const next = place + 1 < at + count ? (lines[place + 1]?.text ?? '') : ''
    return key === undefined ? [] : [{ key, value, at: place, hasLines: isNested(next) }]
  })

const withKeys = (file: TextFile, at: number, values: SectionValues): TextFile =>
  Object.entries(values).reduce((current, [key, value]) => {
    const count = endOf(current, at) - at
    const old = keysIn(current, at, count).find((each) => each.key === key)
    if (old !== undefined) {
      const text = current.lines[old.at]?.text ?? ''
      const [, name = '', sign = ' = ', , after = ''] = pair.exec(text) ?? []
      return replaceLines(current, old.at, 1, value === null ? [] : [`${name}${sign}${value}${after}`])
    }
    return value === null ? current : replaceLines(current, lastOf(current, at, count) + 1, 0, [`${key} = ${value}`])
  }, file)

/** The last line that is not empty. */
const lastOf = ({ lines }: TextFile, at: number, count: number): number => {
  let last = at + count - 1
  while (last > at && (lines[last]?.text.trim() ?? '') === '') last -= 1
  return last
}

const withSection = (file: TextFile, section: string, values: SectionValues): TextFile => {
  const last = file.lines.at(-1)?.text ?? ''
  const texts = Object.entries(values).flatMap(([key, value]) => (value === null ? [] : [`${key} = ${value}`]))
  return replaceLines(file, file.lines.length, 0, [...(last.trim() === '' ? [] : ['']), `[${section}]`, ...texts])
}

/** Also removes the empty line between the section and the lines before it. */
const withoutSection = (file: TextFile, { at, count }: { readonly at: number; readonly count: number }): TextFile => {
  const isLast = at + count >= file.lines.length
  const isParted = isLast && at > 0 && file.lines[at - 1]?.text.trim() === ''
  return isParted ? replaceLines(file, at - 1, count + 1, []) : replaceLines(file, at, count, [])
}

export const sectionNames = ({ lines }: TextFile): readonly string[] => [
  ...new Set(lines.flatMap(({ text }) => header.exec(text)?.[1]?.trim() ?? [])),
]
