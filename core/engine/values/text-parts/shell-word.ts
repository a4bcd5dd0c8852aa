/** What a word of a shell stands for. `expand`: variables in it are replaced when the shell reads it. */
export interface ShellValue {
  readonly value: string
  readonly expand: boolean
}

export type ReadWord = ShellValue & { /** What follows the word. */ readonly rest: string }

/** Within double quotes these characters say only themselves, but for `$NAME` and `${NAME}`. */
export const isExpandable = (value: string): boolean =>
  /^(?:[^$"`\\\n\r\0]|\$[A-Za-z_]\w*|\$\{[A-Za-z_]\w*\})*$/.test(value)

const single = /^'([^'\n]*)'/
const double = /^"((?:[^"\\`\n]|\\.)*)"/
/** Outside of quotes; a tilde, a glob or a brace would stand for something else. */
const bare = /^(?:[\w@%+=:,./-]|\\[^\n]|\$(?:[A-Za-z_]\w*|\{[A-Za-z_]\w*\}))+/

/** Reads the word that a text begins with; `undefined` where it is not one of the simple forms. */
export const readShellWord = (text: string): ReadWord | undefined => {
  let rest = text
  const parts: ShellValue[] = []
  while (rest !== '' && !/^\s/.test(rest)) {
    const [part, length] = partOf(rest) ?? []
    if (part === undefined || length === undefined) return undefined
    parts.push(part)
    rest = rest.slice(length)
  }
  const value = parts.map((part) => part.value).join('')
  const expand = parts.some((part) => part.expand)
  // A literal dollar sign beside a variable has no form of ours.
  if (expand && (!isExpandable(value) || parts.some((part) => !part.expand && part.value.includes('$'))))
    return undefined
  return { value, expand, rest }
}

const partOf = (text: string): readonly [ShellValue, number] | undefined => {
  const quoted = single.exec(text)
  if (quoted) return [{ value: quoted[1] ?? '', expand: false }, quoted[0].length]
  const [whole, inner] = double.exec(text) ?? bare.exec(text) ?? []
  if (whole === undefined) return undefined
  const isDouble = inner !== undefined
  const source = inner ?? whole
  const variables = source.replace(/\\./g, '')
  if (!variables.includes('$')) return [{ value: unescaped(source, isDouble), expand: false }, whole.length]
  // With variables there must be nothing else that the shell treats in a special way.
  return isExpandable(source) ? [{ value: source, expand: true }, whole.length] : undefined
}

/** Within double quotes a backslash stays unless it is before one of these. */
const unescaped = (source: string, isDouble: boolean): string =>
  source.replace(isDouble ? /\\([$`"\\])/g : /\\(.)/g, '$1')

export const writeShellWord = ({ value, expand }: ShellValue): string =>
  expand ? `"${value}"` : `'${value.replaceAll("'", "'\\''")}'`
