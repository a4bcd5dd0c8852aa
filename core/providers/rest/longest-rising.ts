/** The most members, in their order, whose numbers rise: https://en.wikipedia.org/wiki/Longest_increasing_subsequence */
export const longestRising = <Member>(
  members: readonly Member[],
  numberOf: (member: Member) => number,
): readonly Member[] => {
  interface Link {
    readonly member: Member
    readonly number: number
    readonly before: Link | undefined
  }
  // By length: the chain that ends with the smallest number.
  const ends: Link[] = []
  for (const member of members) {
    const number = numberOf(member)
    const length = placeFor(ends, number)
    ends[length] = { member, number, before: ends[length - 1] }
  }
  const chain: Member[] = []
  for (let link = ends.at(-1); link !== undefined; link = link.before) chain.unshift(link.member)
  return chain
}

/** The first end that is not smaller. */
const placeFor = (ends: readonly { readonly number: number }[], number: number): number => {
  let [low, high] = [0, ends.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ends[middle]?.number ?? 0) < number) low = middle + 1
    else high = middle
  }
  return low
}
