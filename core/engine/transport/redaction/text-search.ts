import { type Automaton, createAutomaton, gram } from './automaton.ts'
import { readingsOf, unescapedForms } from './spellings.ts'

/** Finds texts in every spelling. Texts can be added at any time. */
export interface TextSearch {
  add(text: string): void
  /** The places in order, without overlaps; `undefined` if the search would take too long. */
  places(text: string): readonly Span[] | undefined
}

export type Span = readonly [start: number, end: number]

/** Units that are read for each unit of a text. The limit stops the decoding of malicious texts. */
const mostWork = 40
/** This many units may always be read. */
const leastWork = 100_000

export const createTextSearch = (): TextSearch => {
  const known = new Set<string>()
  const levels: Automaton[] = []
  let added: Uint16Array[] = []
  const buildAdded = (): void => {
    if (added.length === 0) return
    levels.push(createAutomaton(added))
    added = []
    // Sizes at least double from the last automaton to the first, so each text is built in only a few times, in
    // whatever order texts are added.
    for (let last = levels.at(-1), other = levels.at(-2); last && other && last.size * 2 >= other.size; ) {
      levels.splice(-2, 2, createAutomaton([...other.texts, ...last.texts]))
      last = levels.at(-1)
      other = levels.at(-2)
    }
  }
  return {
    add: (text) => {
      for (const form of formsOf(text)) {
        if (form.length < gram || known.has(form)) continue
        known.add(form)
        added.push(Uint16Array.from({ length: form.length }, (_, n) => form.charCodeAt(n)))
      }
    },
    places: (text) => {
      buildAdded()
      const found: Span[] = []
      let left = Math.max(leastWork, text.length * mostWork)
      for (const reading of readingsOf(text)) {
        left -= reading.length
        if (left < 0) return undefined
        for (const level of levels) level.scan(reading, (start, end) => found.push(reading.range(start, end)))
      }
      return joined(found)
    },
  }
}

/** The text itself, the text without the escapes that it contains, and its bytes, which encodings are made from. */
const formsOf = (text: string): ReadonlySet<string> => {
  if (/^[\w-]*$/.test(text)) return new Set([text])
  const forms = [text, ...unescapedForms(text)]
  return new Set([...forms, ...forms.map((form) => Buffer.from(form).toString('latin1'))])
}

const joined = (places: readonly Span[]): readonly Span[] => {
  const joined: [number, number][] = []
  for (const [start, end] of places.toSorted(([a], [b]) => a - b)) {
    const last = joined.at(-1)
    if (last !== undefined && start < last[1]) last[1] = Math.max(last[1], end)
    else joined.push([start, end])
  }
  return joined
}
