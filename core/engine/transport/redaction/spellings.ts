import { asShown, fromUtf8 } from './characters.ts'
import { encodedIn } from './encodings.ts'
import { unescaped, withSpaces } from './escapes.ts'
import { type Spelling, textOfUnits } from './spelling.ts'

/** More layers than any server uses. */
const mostLayers = 12
/**
 * Levels of encoded texts within encoded texts, such as a password in the configuration of a registry in a secret of
 * Kubernetes.
 */
const deepest = 2

/** Yields all decoded forms one at a time, because each is about as long as the text. */
export function* readingsOf(text: string): Generator<Spelling> {
  yield* exploring(textOfUnits(text), 0)
}

function* exploring(whole: Spelling, depth: number): Generator<Spelling> {
  let reading: Spelling | undefined = whole
  let last = whole
  for (let n = 0; reading !== undefined && n < mostLayers; n += 1) {
    last = reading
    yield reading
    if (reading.isNoise) return
    if (depth < deepest) for (const inner of encodedIn(reading)) yield* exploring(inner, depth + 1)
    reading = unescaped(reading)
  }
  yield* lastReadings(last)
}

/** What is without escapes may still be read in several ways, and a plus sign may be a space in each of them. */
function* lastReadings(last: Spelling): Generator<Spelling> {
  const characters = fromUtf8(last)
  const shown = asShown(characters ?? last)
  for (const reading of [characters, shown]) if (reading !== undefined) yield reading
  for (const reading of [last, characters, shown]) {
    const spaced = reading && withSpaces(reading)
    if (spaced !== undefined) yield spaced
  }
}

export const unescapedForms = (text: string): readonly string[] => {
  let reading = textOfUnits(text)
  for (let n = 0; n < mostLayers; n += 1) reading = unescaped(reading) ?? reading
  return [reading, withSpaces(reading)].flatMap((each) => (each === undefined ? [] : [wordsOf(each)]))
}

const wordsOf = ({ units, length }: Spelling): string =>
  Array.from(units.subarray(0, length), (unit) => String.fromCharCode(unit)).join('')
