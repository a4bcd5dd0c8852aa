export type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

/**
 * `members` without those that are `undefined`: stored data has no member without a value. The names of the members are
 * written in the code and never come from data. A loop is four times as fast as `Object.entries`, and every member of
 * every diff passes here.
 */
export const defined = <const T extends object>(members: T): Defined<T> => {
  const kept: Record<string, unknown> = {}
  for (const name of Object.keys(members)) {
    const value = members[name as keyof T]
    if (value !== undefined) kept[name] = value
  }
  return kept as Defined<T>
}

/** The items in their order, without `undefined` and `false` (of `isSo && item`). */
export const present = <T>(...items: readonly (T | undefined | false)[]): T[] => presentIn(items)

/** For a list of any length: a call has room for about a hundred thousand arguments. */
export const presentIn = <T>(items: readonly (T | undefined | false)[]): T[] =>
  items.filter((item) => item !== undefined && item !== false) as T[]
