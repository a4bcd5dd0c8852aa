/* Numbers that look drawn at random, and are the same for the same seed: mulberry32. */

export interface Draw {
  /** From 0 up to and without `limit`. */
  below(limit: number): number
  /** True in so many of a hundred cases. */
  chance(percent: number): boolean
  of<Item>(items: readonly Item[]): Item
  /** Each item in so many of a hundred cases. */
  some<Item>(items: readonly Item[], percent: number): Item[]
  shuffled<Item>(items: readonly Item[]): Item[]
}

export const startDraw = (seed: number): Draw => {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  const chance = (percent: number): boolean => next() * 100 < percent
  return {
    below,
    chance,
    of: (items) => {
      const item = items[below(items.length)]
      if (item === undefined) throw new Error('nothing to draw from')
      return item
    },
    some: (items, percent) => items.filter(() => chance(percent)),
    shuffled: (items) =>
      items
        .map((item) => ({ item, at: next() }))
        .toSorted((left, right) => left.at - right.at)
        .map(({ item }) => item),
  }
}
