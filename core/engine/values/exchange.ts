interface Exchange<Item> {
  readonly items: readonly Item[]
  /** How many places there are. */
  readonly places: number
  fits(place: number, item: Item): boolean
  /** Whether a place is looked for at all. */
  isOpen(item: Item): boolean
}

/**
 * Gives a place to items that have none, by augmenting paths (Kuhn's algorithm, breadth first): whoever has a place keeps
 * one, but it may be another one. All places are different.
 */
export const exchange = <Item>(
  given: readonly (number | undefined)[],
  { items, places: count, fits, isOpen }: Exchange<Item>,
): readonly (number | undefined)[] => {
  const places = [...given]
  const owners = new Map<number, number>()
  for (const [index, place] of places.entries()) if (place !== undefined) owners.set(place, index)
  const findFree = (start: number, askedBy: Map<number, number>): number | undefined => {
    const asking = [start]
    for (const index of asking) {
      for (let place = 0; place < count; place += 1) {
        if (askedBy.has(place) || !fits(place, items[index] as Item)) continue
        askedBy.set(place, index)
        const owner = owners.get(place)
        if (owner === undefined) return place
        asking.push(owner)
      }
    }
    return undefined
  }
  for (const [start, item] of items.entries()) {
    if (places[start] !== undefined || !isOpen(item)) continue
    const askedBy = new Map<number, number>()
    let place = findFree(start, askedBy)
    while (place !== undefined) {
      const index = askedBy.get(place) as number
      const left = places[index]
      places[index] = place
      owners.set(place, index)
      place = left
    }
  }
  return places
}
