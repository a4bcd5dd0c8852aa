/** Texts that differ in one place share one of these: with one character more, or with another one. */
const signatures = (text: string): readonly string[] => [
  ` ${text}`,
  ...[...text].flatMap((character, at) => {
    const rest = text.slice(0, at) + text.slice(at + 1)
    // Another digit is another number, and no mistake.
    return /\d/.test(character) ? [] : [` ${rest}`, `${at} ${rest}`]
  }),
]

/** The one of `words` that is one edit away from a word, if there is one alone. The work grows with the length of the texts. */
export const oneEditAway = (words: readonly string[]): ((word: string) => string | undefined) => {
  const bySignature = Map.groupBy(
    words.flatMap((word) => signatures(word).map((signature) => ({ word, signature }))),
    ({ signature }) => signature,
  )
  return (word) => {
    const found = new Set(signatures(word).flatMap((each) => bySignature.get(each)?.map((one) => one.word) ?? []))
    return found.size === 1 ? [...found][0] : undefined
  }
}
