import type { Part } from '../../rows/row.ts'
import type { Html } from './html.ts'
import { html } from './html.ts'

export const markParts = (parts: readonly Part[]): Html =>
  html`${parts.map(({ text, changed }) => (changed ? html`<mark>${text}</mark>` : html`${text}`))}`
