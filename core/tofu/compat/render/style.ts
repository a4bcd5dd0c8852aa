import type { Mark } from './mark.ts'
import type { Product } from './products.ts'
import { wrapWords } from './quote.ts'

export interface Style {
  readonly mark: Mark
  readonly product: Product
  /** Columns; prose stays below. */
  readonly width: number
}

export const prose = (text: string, { width }: Style): string => `${wrapWords(text, width)}\n`

/** A rule across the page, with an empty line before it. */
export const ruleLine = ({ mark, width }: Style): string =>
  width <= 1 ? '\n\n' : `${mark`[dark_gray]\n${'─'.repeat(width - 1)}`}\n`
