/** The value of a word of a shell. `expand`: the shell replaces variables in it when it reads the file. */
export interface ShellValue {
  readonly value: string
  readonly expand: boolean
}

export type ReadWord = ShellValue & { readonly rest: string }

/** Whether double quotes keep all characters literal, except `$NAME` and `${NAME}`. */
export const isExpandable = (value: string): boolean =>
  /^(?:[^$"`\\\n\r\0]|\$[A-Za-z_]\w*|\$\{[A-Za-z_]\w*\})*$/.test(value)

const single = /^'([^'\n]*)'/
const double = /^"((?:[^"\\`\n]|\\.)*)"/
/** An unquoted word; the shell would replace a tilde, a glob or a brace. */
const bare = /^(?:[\w@%+=:,./-]|\\[^\n]|\$(?:[A-Za-z_]\w*|\{[A-Za-z_]\w*\}))+/

/** Reads the word at the start of a text; `undefined` if it is not one of the simple forms. */
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
  // A word with a literal dollar sign and a variable is not a supported form.
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
  // A text with variables may contain nothing else that the shell treats specially.
  return isExpandable(source) ? [{ value: source, expand: true }, whole.length] : undefined
}

/** Inside double quotes a backslash stays, unless it is before one of these characters. */
const unescaped = (source: string, isDouble: boolean): string =>
  source.replace(isDouble ? /\\([$`"\\])/g : /\\(.)/g, '$1')

export const writeShellWord = ({ value, expand }: ShellValue): string =>
  expand ? `"${value}"` : `'${value.replaceAll("'", "'\\''")}'`
