import { Fragment, options } from 'preact'
import { printable } from '../../../core/pages/render/draw.ts'

/** Where an element has texts to read; what a reader types is in none of them. */
const places = ['children', 'title', 'aria-label'] as const

type SpeltTexts = Partial<Record<(typeof places)[number], unknown>>

const spelt = (text: unknown): unknown => {
  if (typeof text === 'string') return printable(text)
  return Array.isArray(text) ? text.map(spelt) : text
}

/**
 * From now on, no text of any view hides characters or turns the direction of a line: such characters are written out, whoever
 * has chosen the text, and whether or not the view thought of it.
 */
export const spellOutTexts = (): void => {
  options.vnode = ({ type, props }) => {
    if (typeof type !== 'string' && type !== Fragment) return
    const texts: SpeltTexts = props
    for (const place of places) if (texts[place] !== undefined) texts[place] = spelt(texts[place])
  }
}
