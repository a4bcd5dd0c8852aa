const flags: Readonly<Record<string, readonly string[]>> = { always: ['--color'], never: ['--no-color'], auto: [] }

const flagFor = (when: string | undefined): readonly string[] | undefined =>
  when !== undefined && Object.hasOwn(flags, when) ? flags[when] : undefined

/**
 * `--color never`, `always` or `auto`, also with "=", as the flags without a word: the parser knows either a flag or an
 * option with a word, and a flag takes no word by mistake.
 */
export const plainColorWords = (argv: readonly string[]): string[] => {
  const end = argv.indexOf('--')
  const words = end < 0 ? argv : argv.slice(0, end)
  const plain = words.flatMap((word, index) => {
    if (word === '--color') return flagFor(words[index + 1]) ?? [word]
    if (words[index - 1] === '--color' && flagFor(word) !== undefined) return []
    return (word.startsWith('--color=') ? flagFor(word.slice('--color='.length)) : undefined) ?? [word]
  })
  return end < 0 ? plain : [...plain, ...argv.slice(end)]
}
