import type { FoundPart, PartKind } from './part.ts'
import { numbersOf } from './part.ts'
import { isExpandable, readShellWord, type ShellValue, writeShellWord } from './shell-word.ts'
import { appendLines, isOneLine, replaceLines, type TextFile } from './text-file.ts'
import { refused, unclear } from './words.ts'

/** What one line of a shell file sets: an alias or an environment variable. */
export type SetName = {
  readonly word: 'alias' | 'export'
  readonly name: string
}

type SetValue = { readonly value: string; readonly expand: boolean }

const names = { alias: /^[A-Za-z0-9_.:@%+,!?][\w.:@%+,!?-]*$/, export: /^[A-Za-z_]\w*$/ } as const

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** The start of a line that sets one name: `alias ll=`. */
const beginningOf = ({ word, name }: SetName): RegExp => new RegExp(`^(\\s*${word}\\s+)${escaped(name)}=`)

/** Any line that sets the name: also after another command, without `export`, or together with another name. */
const anywhere = ({ word, name }: SetName): RegExp =>
  new RegExp(`^[^#]*${word === 'alias' ? '\\balias\\s(?:[^#]*\\s)?' : '(?:^|[\\s;&|(])'}${escaped(name)}=`)

interface ShellLine {
  readonly before: string
  readonly set: ShellValue
  /** A comment or spaces. */
  readonly after: string
}

const readLine = (text: string, name: SetName): ShellLine | undefined => {
  const [whole, before = ''] = beginningOf(name).exec(text) ?? []
  if (whole === undefined) return undefined
  const word = readShellWord(text.slice(whole.length))
  if (word === undefined || !/^\s*(?:\s#.*)?$/.test(word.rest)) return undefined
  // The shell expands an alias when it is used; an alias that is expanded when it is defined is not a supported form.
  if (name.word === 'alias' && word.expand) return undefined
  return { before, set: word, after: word.rest }
}

export const shellSetPart: PartKind<SetName, SetValue> = {
  find: (file, name): FoundPart<SetValue> => {
    const pattern = anywhere(name)
    const places = file.lines.flatMap(({ text }, n) => (pattern.test(text) || beginningOf(name).test(text) ? [n] : []))
    const odd = places.filter((n) => readLine(file.lines[n]?.text ?? '', name) === undefined)
    if (odd.length > 0)
      return { kind: 'unclear', reason: 'bad_body', detail: unclear.otherForm(name.name, numbersOf(odd)) }
    const [at, ...others] = places
    const line = at === undefined ? undefined : readLine(file.lines[at]?.text ?? '', name)
    if (at === undefined || line === undefined) return { kind: 'absent' }
    if (others.length > 0)
      return { kind: 'unclear', reason: 'ambiguous', detail: unclear.severalSets(name.name, numbersOf(places)) }
    const { value, expand } = line.set
    return { kind: 'present', value: { value, expand }, at, count: 1 }
  },
  refuse: ({ word, name }, set) => {
    if (!names[word].test(name)) return refused.name
    if (set === null) return undefined
    if (!isOneLine(set.value)) return refused.lines
    return set.expand && !isExpandable(set.value) ? refused.expand : undefined
  },
  write: (file, name, set, found) => {
    const old = found.kind === 'present' ? readLine(file.lines[found.at]?.text ?? '', name) : undefined
    const { before = `${name.word} `, after = '' } = old ?? {}
    const texts = set === null ? [] : [`${before}${name.name}=${writeShellWord(set)}${after}`]
    return found.kind === 'present' ? replaceLines(file, found.at, found.count, texts) : appendLines(file, texts)
  },
}

/** The names that lines set in the simple form, each once. */
export const namesSet = ({ lines }: TextFile, word: SetName['word']): readonly string[] => {
  const pattern = new RegExp(`^\\s*${word}\\s+([^\\s=]+)=`)
  const found = lines.flatMap(({ text }) => pattern.exec(text)?.[1] ?? [])
  return [...new Set(found)].filter((name) => names[word].test(name))
}
