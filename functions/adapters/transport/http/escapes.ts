import type { Json } from '#core'

/** How the JSON of an origin spells characters beyond ASCII. */
export interface BodySpelling {
  /** Takes notice of an answer. */
  readonly notice: (text: string) => void
  /** A body as this origin spells one. */
  readonly write: (body: Json) => string
}

const beyondAscii = /[\u0080-\uffff]/g
const escaped = /\\u(?!00[0-7])[\da-f]{4}/i

/**
 * A body goes to an origin as its own answers come: with characters, or with escapes (`\u00fc`) where all of them do. There are
 * servers that take the bytes of a body for characters; what was read of them, and only comes back, would be another text.
 */
export const createSpelling = (): BodySpelling => {
  let answers: 'unknown' | 'escapes' | 'characters' = 'unknown'
  return {
    notice: (text) => {
      if (answers === 'characters') return
      if (text.search(beyondAscii) >= 0) answers = 'characters'
      else if (escaped.test(text)) answers = 'escapes'
    },
    write: (body) => {
      const text = JSON.stringify(body)
      return answers === 'escapes' ? text.replaceAll(beyondAscii, escapeOf) : text
    },
  }
}

const escapeOf = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
