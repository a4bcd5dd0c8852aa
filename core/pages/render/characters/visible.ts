import { spellOut, unseen } from '../../../engine/values/spell-value.ts'

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/**
 * Text from anywhere made safe for a terminal and for one line: what would move the cursor, colour, reorder or hide text
 * is spelt out as in JSON.
 */
export const visible = (text: string): string =>
  text.replaceAll(unseen, (character) => short[character] ?? spellOut(character))

/** What another program says, in one line of ours: its line ends are spaces. */
export const inOneLine = (text: string): string =>
  visible(
    text
      .split(/[\r\n]+/)
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .join(' '),
  )

// What the palettes of the pages write, and nothing that hides, moves or asks the terminal: codes of ECMA-48.
const colours = new RegExp(`(${String.fromCharCode(27)}\\[(?:0|1|2|4|22|24|31|32|33|34|35|36|39|90)m)`)

/**
 * A page for a terminal, at the last step before it: lines, tabs and (with `color`) the colours of our own pages stay, and
 * whatever else would not show is spelt out. JSON keeps its meaning, as it has no such characters but in texts.
 */
export const printable = (text: string, color = false): string => {
  if (/^[\x20-\x7e\n\t]*$/.test(text)) return text
  const parts = color ? text.split(colours) : [text]
  return parts
    .map((part, n) =>
      n % 2 === 1 ? part : part.replaceAll(unseen, (each) => (stays.has(each) ? each : spellOut(each))),
    )
    .join('')
}

const stays = new Set(['\n', '\t'])

/** In double quotes, as in JSON. */
export const quoted = (text: string): string => visible(JSON.stringify(text))
