import type { FoundPart, PartKind } from './part.ts'
import { numbersOf } from './part.ts'
import { appendLines, isOneLine, replaceLines, type TextFile } from './text-file.ts'
import { refused, unclear } from './words.ts'

/** The only line that begins with a text. `exact`: the text is the whole line. */
export type LineName = {
  readonly startsWith: string
  readonly exact: boolean
}

const places = ({ lines }: TextFile, { startsWith, exact }: LineName): readonly number[] =>
  lines.flatMap(({ text }, n) => ((exact ? text === startsWith : text.startsWith(startsWith)) ? [n] : []))

export const linePart: PartKind<LineName, string> = {
  find: (file, name): FoundPart<string> => {
    const [at, ...others] = places(file, name)
    if (at === undefined) return { kind: 'absent' }
    if (others.length > 0)
      return { kind: 'unclear', reason: 'ambiguous', detail: unclear.severalLines(numbersOf([at, ...others])) }
    return { kind: 'present', value: file.lines[at]?.text ?? '', at, count: 1 }
  },
  refuse: ({ startsWith }, value) => {
    if (startsWith === '') return refused.blank
    if (!isOneLine(startsWith) || (value !== null && !isOneLine(value))) return refused.lines
    return value === null || value.startsWith(startsWith) ? undefined : refused.start
  },
  write: (file, _, value, found) => {
    const texts = value === null ? [] : [value]
    return found.kind === 'present' ? replaceLines(file, found.at, found.count, texts) : appendLines(file, texts)
  },
}
