/** The lines of a text file; writing them gives the same bytes. */
export interface TextFile {
  /** A byte order mark, or an empty text. It belongs to no line. */
  readonly mark: string
  /** The ending of new lines. */
  readonly ending: '\n' | '\r\n'
  /** The last line has no ending; a line that replaces it has none either. */
  readonly isOpen: boolean
  readonly lines: readonly FileLine[]
}

interface FileLine {
  readonly text: string
  /** The line's own ending, in files that mix them. Absent: the ending of the file. */
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

/** Replaces `count` lines from `at` by `texts`. All other lines keep their bytes. */
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

/** A line feed would end the line; a null character would cut it off. */
export const isOneLine = (text: string): boolean => !/[\n\r\0]/.test(text)
