/*
 * Finds the imports of a Jsonnet text. They are literal texts in the language, so they are known before anything is
 * evaluated: https://jsonnet.org/ref/spec.html#import
 */

const gap = /(?:\s+|\/\/[^\n]*|#[^\n]*|\/\*[\s\S]*?\*\/)*/y
const token =
  /\|\|\||@"(?:[^"]|"")*"|@'(?:[^']|'')*'|"(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\])*'|[A-Za-z_]\w*|[\s\S]/y
const keywords = new Set(['import', 'importstr', 'importbin'])

interface Tokens {
  readonly text: string
  at: number
}

const take = (tokens: Tokens, pattern: RegExp): string => {
  pattern.lastIndex = tokens.at
  const found = pattern.exec(tokens.text)?.[0] ?? ''
  tokens.at += found.length
  return found
}

const nextToken = (tokens: Tokens): string => {
  take(tokens, gap)
  return tokens.at < tokens.text.length ? take(tokens, token) : ''
}

const skipBlock = (tokens: Tokens): void => {
  const { text } = tokens
  const first = /-?[^\n]*\n(?:[ \t]*\n)*([ \t]+)/y
  first.lastIndex = tokens.at
  const indent = first.exec(text)?.[1]
  const lines = text.slice(tokens.at).split('\n')
  let at = tokens.at + (lines[0]?.length ?? 0) + 1
  for (const line of lines.slice(1)) {
    const isInside = line.trim() === '' || (indent !== undefined && line.startsWith(indent))
    if (!isInside) break
    at += line.length + 1
  }
  const end = text.indexOf('|||', Math.min(at, text.length))
  tokens.at = end < 0 ? text.length : end + 3
}

/** Returns the path of a literal; `undefined` if it has escapes, which no path needs. */
const pathIn = (literal: string): string | undefined => {
  const [, quote = '', inside = ''] = /^@?(["'])([\s\S]*)\1$/.exec(literal) ?? []
  return quote === '' || inside.includes('\\') || inside.includes(quote) ? undefined : inside
}

interface Import {
  /** `undefined` if it cannot be known. */
  readonly path: string | undefined
  /** Offset of the path. */
  readonly at: number
  /** True if the file is Jsonnet too and may import others; of any other file only the text counts. */
  readonly isCode: boolean
}

export const importsIn = (text: string): readonly Import[] => {
  const found: Import[] = []
  const tokens: Tokens = { text, at: 0 }
  let last = ''
  for (let next = nextToken(tokens); next !== ''; next = nextToken(tokens)) {
    const at = tokens.at - next.length
    if (keywords.has(last)) found.push({ path: pathIn(next), at, isCode: last === 'import' })
    if (next === '|||') skipBlock(tokens)
    last = next
  }
  return found
}
