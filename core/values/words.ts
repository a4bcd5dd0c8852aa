/** What to do where a word must be one of several. */
export const oneOf = (words: readonly string[]): string => `use one of: ${words.join(', ')}`

/** A value that an earlier command will return. */
export const knownAfterApply = '(known after apply)'
