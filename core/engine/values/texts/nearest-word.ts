import { nearest, none, oneOf } from '../words.ts'

/** Edit distance of two words: insertions, deletions, replacements, and swaps of two neighbours. */
const distance = (from: string, to: string): number => {
  let before: readonly number[] = []
  let row: readonly number[] = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 0; i < from.length; i += 1) {
    const next = [i + 1]
    for (let j = 0; j < to.length; j += 1) {
      const replaced = (row[j] ?? 0) + (from[i] === to[j] ? 0 : 1)
      const swapped = from[i] === to[j - 1] && from[i - 1] === to[j] ? (before[j - 1] ?? 0) + 1 : replaced
      next.push(Math.min(replaced, swapped, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    before = row
    row = next
  }
  return row[to.length] ?? 0
}

/** The word that was probably meant: at most a third of its letters differ. */
export const nearestWord = (word: string, words: Iterable<string>): string | undefined => {
  // A longer text is not a typing mistake, and comparing it takes its length times the length of every word.
  if (word.length > 100) return undefined
  let best: { readonly word: string; readonly edits: number } | undefined
  for (const each of words) {
    const edits = distance(word.toLowerCase(), each.toLowerCase())
    if (edits <= Math.max(1, Math.floor(each.length / 3)) && (best === undefined || edits < best.edits))
      best = { word: each, edits }
  }
  return best?.word
}

/** `did you mean "spec"?` or else `instead`, followed by the possible words. */
export const suggest = (word: string, words: Iterable<string>, instead?: string): string => {
  // What is refused where it stands is not what was meant.
  const all = [...words].filter((each) => each !== word)
  const meant = nearestWord(word, all)
  if (meant !== undefined) return nearest(meant)
  if (all.length === 0) return instead ?? none
  const shown = all.length > 20 ? [...all.slice(0, 20), '...'] : all
  return `${instead === undefined ? '' : `${instead}, or `}${oneOf(shown)}`
}
