import type { Prose } from '../../characters/prose.ts'
import { visible } from '../../characters/visible.ts'

/** Finished HTML. Only the template below makes it from texts, so that no text is written unescaped. */
export interface Html {
  readonly html: string
}

type HtmlPart = string | Html | undefined | readonly Html[]

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string): string => visible(text).replaceAll(/[&<>"']/g, (character) => entities[character] ?? '')

const written = (part: HtmlPart): string => {
  if (part === undefined) return ''
  if (typeof part === 'string') return escaped(part)
  return 'html' in part ? part.html : part.map((one) => one.html).join('')
}

/** A template whose texts are escaped for an element and for a quoted attribute alike; what is HTML already goes in as it is. */
export const html = (literals: readonly string[], ...parts: readonly HtmlPart[]): Html => ({
  html: literals.map((literal, position) => literal + written(parts[position])).join(''),
})

export const nothing: Html = { html: '' }

/** Joined with a separator of ours. */
export const joined = (parts: readonly Html[], between: string): Html => ({
  html: parts.map((part) => part.html).join(written(between)),
})

/** Texts from elsewhere as code. */
export const proseHtml = (prose: Prose): Html =>
  html`${prose.map((part) => (typeof part === 'string' ? html`${part}` : html`<code>${part.foreign}</code>`))}`
