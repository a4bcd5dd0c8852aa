import { widest } from '../../characters/measure.ts'
import type { Prose } from '../../characters/prose.ts'
import { visible } from '../../characters/visible.ts'

/* Text from anywhere in GitHub's Markdown and in HTML: nothing in it is markup, a mention or a link. */

const longestRun = (texts: readonly string[]): number => widest(texts.flatMap((text) => text.match(/`+/g) ?? []))

/**
 * A code span: mentions and links are off in it. In a table `|` would end the cell, and a backslash before it would undo
 * its escape: https://github.github.com/gfm/#tables-extension-
 */
export const code = (text: string, place: 'prose' | 'cell' = 'prose'): string => {
  const safe =
    place === 'cell' ? visible(text).replaceAll(/\\+(?=\|)/g, (run) => '\\u005c'.repeat(run.length)) : visible(text)
  const fence = '`'.repeat(longestRun([safe]) + 1)
  const pad = safe === '' || /^[` ]|[` ]$/.test(safe) ? ' ' : ''
  const span = `${fence}${pad}${safe}${pad}${fence}`
  return place === 'cell' ? span.replaceAll('|', '\\|') : span
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '`': '&#96;',
  '*': '&#42;',
  '[': '&#91;',
  ']': '&#93;',
  '\\': '&#92;',
  '@': '&#64;',
}

/** For a line of HTML, as in `<summary>`. */
export const html = (text: string): string => visible(text).replaceAll(/[&<>"`*[\]\\@]/g, (c) => entities[c] ?? c)

/** Foreign parts as code, where nothing is a mention or a link. Two of them must not touch: their backticks would be one run. */
export const markdownProse = (prose: Prose): string =>
  prose.reduce<string>((text, part) => {
    if (typeof part === 'string') return text + part
    return `${text}${text.endsWith('`') ? ' ' : ''}${code(part.foreign)}`
  }, '')

export const htmlProse = (prose: Prose): string =>
  prose.map((part) => (typeof part === 'string' ? html(part) : `<code>${html(part.foreign)}</code>`)).join('')

/** A fence longer than any run of backticks inside, so that nothing inside can end it. */
export const fenced = (language: string, lines: readonly string[]): string => {
  const fence = '`'.repeat(Math.max(3, longestRun(lines) + 1))
  return [`${fence}${language}`, ...lines, fence].join('\n')
}
