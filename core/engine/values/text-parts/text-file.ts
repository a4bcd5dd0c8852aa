/** A text file as lines, from which the same bytes come back. */
export interface TextFile {
  /** A byte order mark, or nothing. It belongs to no line. */
  readonly mark: string
  /** What ends a new line. */
  readonly ending: '\n' | '\r\n'
  /** The last line has no ending, and so has the one that takes its place. */
  readonly isOpen: boolean
  readonly lines: readonly FileLine[]
}

interface FileLine {
  readonly text: string
  /** Its own, in files that mix them; that of the file when absent. */
  readonly ending?: '\n' | '\r\n'
}

export const parseText = (text: string): TextFile => {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : ''
  const body = text.slice(mark.length)
  const lines = [...body.matchAll(/([^\n]*?)(\r?\n|$)/g)]
    .filter(([whole]) => whole !== '')
    .map(
      ([, line = '', ending]): FileLine =>
        ending === '\n' || ending === '\r\n' ? { text: line, ending } : { text: line },
    )
  return {
    mark,
    ending: lines[0]?.ending ?? '\n',
    isOpen: body !== '' && !body.endsWith('\n'),
    lines,
  }
}

export const printText = ({ mark, ending, isOpen, lines }: TextFile): string => {
  const last = lines.length - 1
  return mark + lines.map((line, n) => line.text + (n === last && isOpen ? '' : (line.ending ?? ending))).join('')
}

/** The file with `texts` in the place of `count` lines from `at`. All others keep their bytes. */
export const replaceLines = (file: TextFile, at: number, count: number, texts: readonly string[]): TextFile => ({
  ...file,
  lines: [
    ...file.lines.slice(0, at),
    // A line that stays in its place keeps its ending.
    ...texts.map((text, n) => ({ ...(n < count ? file.lines[at + n] : {}), text })),
    ...file.lines.slice(at + count),
  ],
})

export const appendLines = (file: TextFile, texts: readonly string[]): TextFile =>
  replaceLines(file, file.lines.length, 0, texts)

/** Whether a text is one line: it would end, or be cut off, within. */
export const isOneLine = (text: string): boolean => !/[\n\r\0]/.test(text)
