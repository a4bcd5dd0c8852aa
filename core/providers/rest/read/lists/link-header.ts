import { defined } from '../../../../engine/values/defined.ts'
export interface WebLink {
  readonly target: string
  /** In lower case. */
  readonly relations: readonly string[]
  /** What the link is about, where that is not what was asked for. */
  readonly anchor?: string
}

/**
 * The links of Link headers, joined with commas: https://www.rfc-editor.org/rfc/rfc8288#appendix-B.2. `undefined` where
 * they cannot be read: one of them may be the next page.
 *
 * Own code, because of the libraries that were tried (http-link-header 1.1.4, li 1.3.0, parse-link-header 2.0.0) each ends
 * a list early with something that the RFC allows: a space before a comma, a parameter without a value, a comma in quotes,
 * names in upper case.
 */
export const parseLinks = (text: string): readonly WebLink[] | undefined => {
  const links: WebLink[] = []
  const input = { text, at: 0 }
  for (;;) {
    take(input, /[\s,]*/y)
    if (input.at === text.length) return links
    const target = take(input, /<([^>]*)>/y)?.[1]
    const parameters = target === undefined ? undefined : parametersIn(input)
    if (target === undefined || parameters === undefined) return undefined
    const anchor = parameters.get('anchor')
    const relations = (parameters.get('rel') ?? '').toLowerCase().split(/\s+/)
    links.push({ target: target.trim(), relations, ...defined({ anchor }) })
  }
}

interface HeaderText {
  readonly text: string
  at: number
}

/** The match of a sticky pattern at the current position, which then moves behind it. */
const take = (input: HeaderText, pattern: RegExp): RegExpExecArray | undefined => {
  pattern.lastIndex = input.at
  const found = pattern.exec(input.text) ?? undefined
  input.at += found?.[0].length ?? 0
  return found
}

/** Up to a comma or the end. The first of a name counts. */
const parametersIn = (input: HeaderText): ReadonlyMap<string, string> | undefined => {
  const found = new Map<string, string>()
  for (;;) {
    take(input, /\s*/y)
    if (input.at === input.text.length || input.text[input.at] === ',') return found
    if (take(input, /;\s*/y) === undefined) return undefined
    const name = take(input, /[^\s=;,"<>]*/y)?.[0].toLowerCase() ?? ''
    const value = take(input, /\s*=\s*/y) === undefined ? '' : valueIn(input)
    if (value === undefined) return undefined
    if (name !== '' && !found.has(name)) found.set(name, value)
  }
}

const valueIn = (input: HeaderText): string | undefined => {
  if (input.text[input.at] !== '"') return take(input, /[^\s;,"]*/y)?.[0]
  return take(input, /"((?:[^"\\]|\\.)*)"/sy)?.[1]?.replace(/\\(.)/gs, '$1')
}
