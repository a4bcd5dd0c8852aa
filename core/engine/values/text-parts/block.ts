import type { FoundPart, PartKind } from './part.ts'
import { numbersOf } from './part.ts'
import { appendLines, replaceLines, type TextFile } from './text-file.ts'
import { refused, unclear } from './words.ts'

export type BlockName = {
  readonly name: string
  /** The text that begins a comment in this file. */
  readonly comment: string
}

const marksOf = ({ name, comment }: BlockName) => ({
  begin: `${comment} >>> plumbline ${name} >>>`,
  end: `${comment} <<< plumbline ${name} <<<`,
})

const anyMark = /(>>> plumbline [\w.-]+ >>>|<<< plumbline [\w.-]+ <<<)\s*$/

const placesOf = ({ lines }: TextFile, mark: string): readonly number[] =>
  lines.flatMap(({ text }, n) => (text.trim() === mark ? [n] : []))

export const blockPart: PartKind<BlockName, string> = {
  find: (file, name): FoundPart<string> => {
    const { begin, end } = marksOf(name)
    const [begins, ends] = [placesOf(file, begin), placesOf(file, end)]
    const [at, other] = begins
    if (at === undefined) {
      const [stray] = ends
      return stray === undefined ? { kind: 'absent' } : broken(unclear.strayEnd(numbersOf([stray])))
    }
    if (other !== undefined)
      return { kind: 'unclear', reason: 'ambiguous', detail: unclear.severalBlocks(numbersOf(begins)) }
    const to = ends.find((each) => each > at)
    const inside = file.lines.slice(at + 1, to).map(({ text }) => text)
    // A mark of another block inside: the end that was found belongs to another block, or the other block is
    // incomplete.
    if (to === undefined || ends.length > 1 || inside.some((text) => anyMark.test(text)))
      return broken(unclear.openBlock(numbersOf([at])))
    return { kind: 'present', value: inside.map((text) => `${text}\n`).join(''), at, count: to - at + 1 }
  },
  refuse: ({ name, comment }, value) => {
    if (!/^[\w.-]{1,64}$/.test(name)) return refused.blockName
    if (!/^[^\s\w\p{Cc}]{1,4}$/u.test(comment)) return refused.comment
    if (value === null) return undefined
    if (/[\r\0]/.test(value)) return refused.blockLines
    return value.split('\n').some((line) => anyMark.test(line)) ? refused.markers : undefined
  },
  write: (file, name, value, found) => {
    const { begin, end } = marksOf(name)
    const texts = value === null ? [] : [begin, ...linesOf(value), end]
    return found.kind === 'present' ? replaceLines(file, found.at, found.count, texts) : appendLines(file, texts)
  },
}

const broken = (detail: string): FoundPart<string> => ({ kind: 'unclear', reason: 'bad_body', detail })

const linesOf = (content: string): readonly string[] => (content === '' ? [] : content.replace(/\n$/, '').split('\n'))

/** The names of all blocks whose marks begin with this comment text, each once. */
export const blockNames = ({ lines }: TextFile, comment: string): readonly string[] => {
  const names = lines.flatMap(({ text }) => {
    const [, sign, name] = /^(\S+) >>> plumbline ([\w.-]+) >>>$/.exec(text.trim()) ?? []
    return sign === comment && name !== undefined ? [name] : []
  })
  return [...new Set(names)]
}
