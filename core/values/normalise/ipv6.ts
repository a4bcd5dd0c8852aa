const groupsOf = (text: string): number[] | undefined => {
  if (text === '') return []
  const groups: number[] = []
  const parts = text.split(':')
  for (const [index, part] of parts.entries()) {
    const dotted = index === parts.length - 1 ? /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(part) : null
    if (dotted !== null) {
      const [a = 256, b = 256, c = 256, d = 256] = dotted.slice(1).map(Number)
      if (Math.max(a, b, c, d) > 255) return undefined
      groups.push(a * 256 + b, c * 256 + d)
    } else if (/^[0-9a-f]{1,4}$/i.test(part)) groups.push(Number.parseInt(part, 16))
    else return undefined
  }
  return groups
}

const parse = (text: string): readonly number[] | undefined => {
  const halves = text.split('::')
  if (halves.length > 2) return undefined
  const [head, tail] = halves.map(groupsOf)
  if (head === undefined) return undefined
  if (halves.length === 1) return head.length === 8 ? head : undefined
  if (tail === undefined || head.length + tail.length > 7) return undefined
  return [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => 0), ...tail]
}

/** Start and length of the longest run of zeros, the first of equals; single zeros stay. */
const longestZeros = (groups: readonly number[]): { readonly start: number; readonly length: number } => {
  let best = { start: 0, length: 0 }
  for (let start = 0; start < groups.length; start += 1) {
    let length = 0
    while (groups[start + length] === 0) length += 1
    if (length > best.length) best = { start, length }
  }
  return best
}

/** RFC 5952, with the last 32 bits of `::ffff:0:0/96` in dotted form; `undefined` for what is no IPv6 address. */
export const canonicalIpv6 = (text: string): string | undefined => {
  const groups = parse(text)
  if (groups === undefined) return undefined
  const hex = groups.map((group) => group.toString(16))
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) {
    return `::ffff:${groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 255])
      .join('.')}`
  }
  const { start, length } = longestZeros(groups)
  if (length < 2) return hex.join(':')
  return `${hex.slice(0, start).join(':')}::${hex.slice(start + length).join(':')}`
}
