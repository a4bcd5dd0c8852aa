/**
 * Characters that do not show, or that move the cursor, colour, reorder or hide what does: controls, formats, halves of
 * pairs, line and paragraph separators. Only the joiner of emoji stays.
 */
export const unseen = /(?!\u200d)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** As JSON escapes it, by UTF-16 units, so that what stands in quotes stays JSON. */
export const spellOut = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, n) => `\\u${character.charCodeAt(n).toString(16).padStart(4, '0')}`,
  ).join('')
