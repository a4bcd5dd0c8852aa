const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

// Control and format characters, lone surrogates, line and paragraph separators. Only the joiner of emoji stays.
const unsafe = /(?!\u200d)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/**
 * Text from anywhere made safe for a terminal and for one line: what would move the cursor, colour, reorder or hide text
 * is spelt out as in JSON.
 */
export const visible = (text: string): string =>
  text.replaceAll(unsafe, (character) => short[character] ?? spell(character))

/** By UTF-16 units, so that what stands in quotes stays JSON. */
const spell = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, n) => `\\u${character.charCodeAt(n).toString(16).padStart(4, '0')}`,
  ).join('')

/** In double quotes, as in JSON. */
export const quoted = (text: string): string => visible(JSON.stringify(text))
