/**
 * How many items two lists or texts share at the start, and how many of the rest at the end. `most` limits each number.
 */
export const commonEnds = <T>(
  left: ArrayLike<T>,
  right: ArrayLike<T>,
  most = Number.POSITIVE_INFINITY,
): { readonly head: number; readonly tail: number } => {
  const shorter = Math.min(left.length, right.length)
  let head = 0
  while (head < Math.min(shorter, most) && left[head] === right[head]) head++
  let tail = 0
  while (tail < Math.min(shorter - head, most) && left[left.length - 1 - tail] === right[right.length - 1 - tail])
    tail++
  return { head, tail }
}

/** A number for each distinct text; equal texts on both sides have the same number. */
export const intern = (before: readonly string[], after: readonly string[]): readonly [Int32Array, Int32Array] => {
  const ids = new Map<string, number>()
  const idOf = (text: string): number => {
    const id = ids.get(text) ?? ids.size
    ids.set(text, id)
    return id
  }
  return [Int32Array.from(before, idOf), Int32Array.from(after, idOf)]
}
