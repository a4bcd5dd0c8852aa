const escapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
}

const toEscape = /["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu

const escapeCharacter = (character: string): string => {
  const known = escapes[character]
  if (known !== undefined) return known
  const point = character.codePointAt(0) ?? 0
  const digits = point.toString(16)
  if (point < 0x80) return `\\x${digits.padStart(2, '0')}`
  return point < 0x10000 ? `\\u${digits.padStart(4, '0')}` : `\\U${digits.padStart(8, '0')}`
}

/** In double quotes, with what cannot be printed escaped as Go's %q does. */
export const quote = (text: string): string => `"${text.replace(toEscape, escapeCharacter)}"`

/** HCL identifiers are without quotes, all other names with them. */
export const attributeName = (name: string): string =>
  /^[\p{ID_Start}_][\p{ID_Continue}-]*$/u.test(name) ? name : quote(name)

const bytes = new TextEncoder()

/** Measured in bytes and filled in characters: upstream does so, and names beyond ASCII are not aligned. */
export const widthOf = (names: readonly string[]): number =>
  names.reduce((most, name) => Math.max(most, bytes.encode(name).length), 0)

export const fill = (name: string, width: number): string => name + ' '.repeat(Math.max(0, width - [...name].length))

/** Lines at spaces, at most `width - 1` characters wide; one that starts with a space stays whole. */
export const wrapWords = (text: string, width: number): string =>
  width <= 1
    ? text
    : text
        .split('\n')
        .map((line) => (line.startsWith(' ') ? line : wrapLine(line, width - 1)))
        .join('\n')

const wrapLine = (line: string, room: number): string => {
  const lines: string[] = []
  let current: string | undefined
  for (const word of line.split(' ')) {
    const longer: string = current === undefined ? word : `${current} ${word}`
    if (current !== undefined && [...longer].length > room) {
      lines.push(current)
      current = word
    } else current = longer
  }
  return [...lines, current ?? ''].join('\n')
}
