/** What a page tells a reader to type (`sh`), and what it says that this prints (`text`, right below it). */
export interface Step {
  readonly commands: string
  readonly printed?: string
}

const blocks = /^```sh\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?/gms

export const stepsOf = (page: string): readonly Step[] =>
  [...page.matchAll(blocks)].map(([, commands = '', printed]) => ({
    commands,
    ...(printed === undefined ? {} : { printed }),
  }))

/** What is another one in each run: times, runs, digests, the person. */
const alike = (line: string): string =>
  line
    .trimEnd()
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?/g, 'TIME')
    .replace(/sha256:[0-9a-f]{64}/g, 'DIGEST')
    .replace(/\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b/g, 'ID')
    .replace(/\blocal:[\w.-]+/g, 'PERSON')

const linesOf = (text: string): readonly string[] => text.trimEnd().split('\n')

/** A documented line `...` stands for any lines. */
export const isAsDocumented = (documented: string, printed: string): boolean => {
  const fits = (left: readonly string[], right: readonly string[]): boolean => {
    const [first, ...rest] = left
    if (first === undefined) return right.length === 0
    if (first.trim() === '...') return right.some((_, skipped) => fits(rest, right.slice(skipped))) || rest.length === 0
    return right.length > 0 && alike(first) === alike(right[0] ?? '') && fits(rest, right.slice(1))
  }
  return fits(linesOf(documented), linesOf(printed))
}

/** The page with what was really printed wherever it says something else. */
export const withPrinted = (page: string, printed: readonly string[]): string => {
  let position = -1
  return page.replace(blocks, (block, _: string, documented: string | undefined) => {
    position += 1
    const real = printed[position] ?? ''
    if (documented === undefined || isAsDocumented(documented, real)) return block
    return block.replace(`\`\`\`text\n${documented}`, () => `\`\`\`text\n${real.trimEnd()}\n`)
  })
}
