import { jsonIn } from '../../adapters/json-in.ts'

/** Looks for the numbers that an export of everything lacks: a damaged entry is not exported. */
export const watchGaps = () => {
  const gaps: string[] = []
  let next = 1
  return {
    /** Takes the lines in order; the last one is the head, with the number of entries. */
    look: (line: string): void => {
      const { seq, entries } = (jsonIn(line) ?? {}) as { readonly seq?: number; readonly entries?: number }
      const found = seq ?? (entries === undefined ? undefined : entries + 1)
      if (found === undefined) return
      if (found > next) gaps.push(found - next === 1 ? String(next) : `${next} to ${found - 1}`)
      next = found + 1
    },
    /** `entries 3, 7 to 9 are missing`; `undefined` if none is. */
    words: (): string | undefined => {
      const [only = '', ...others] = gaps
      if (only === '') return undefined
      return others.length === 0 && !only.includes(' ')
        ? `entry ${only} is missing`
        : `entries ${gaps.join(', ')} are missing`
    },
  }
}
