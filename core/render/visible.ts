const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

// Control and format characters, lone surrogates, line and paragraph separators. Only the joiner of emoji stays.
const unsafe = /(?!\u200d)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/**
 * Text from anywhere made safe for a terminal and for one line: what would move the cursor, colour, reorder or hide text
 * is spelt out as in JSON.
 */
export const visible = (text: string): string =>
  text.replaceAll(unsafe, (character) => short[character] ?? spell(character.codePointAt(0) ?? 0))

const spell = (point: number): string =>
  point > 0xffff ? `\\u{${point.toString(16)}}` : `\\u${point.toString(16).padStart(4, '0')}`

/** In double quotes, as in JSON. */
export const quoted = (text: string): string => visible(JSON.stringify(text))
