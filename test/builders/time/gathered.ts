/** A list that grows while a test runs, and that can be waited for: no test asks it again and again. */
export const gathered = <Item>() => {
  const items: Item[] = []
  const waiting = new Set<() => void>()
  return {
    items: items as readonly Item[],
    add: (...more: readonly Item[]): void => {
      items.push(...more)
      for (const look of waiting) look()
    },
    /** Resolves once the list is as wanted; the runner guards against for ever. */
    until: (isSo: (items: readonly Item[]) => boolean): Promise<void> =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!isSo(items)) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        look()
      }),
  }
}
