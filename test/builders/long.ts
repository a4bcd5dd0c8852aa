import type { describe, test } from 'vitest'

/*
 * Tests that one does not wait for: `npm test` passes over them, `npm run test:long` plays them and nothing else. What they show
 * has a short case beside them, in the same table or the same file.
 */

export const longTag = 'long'

/** The options of a test, or of several in a `describe`. */
export const long = { tags: [longTag] }

/** Whether a row is one of `kept` that are spread over a table from the first one on. */
export const isSpread = (index: number, length: number, kept: number): boolean =>
  index === 0 || Math.floor((index * kept) / length) > Math.floor(((index - 1) * kept) / length)

/**
 * `it.each` or `describe.each` of a long table: `npm test` plays `kept` of its rows, spread over it from the first one on, and
 * `npm run test:long` the others.
 */
export const eachOf = <Api extends typeof describe | typeof test>(api: Api, kept: number): Api['each'] =>
  ((rows: readonly unknown[]) =>
    (title: string, run: (...values: readonly unknown[]) => void): void => {
      const isKept = (index: number): boolean => isSpread(index, rows.length, kept)
      api.each(rows.filter((_, index) => isKept(index)))(title, run)
      api.each(rows.filter((_, index) => !isKept(index)))(title, long, run)
    }) as unknown as Api['each']
