/** The spelling of URLs, which is RFC 5952 without dots: https://url.spec.whatwg.org/#concept-ipv6-serializer */
const spelled = (text: string): string | undefined =>
  /^[0-9a-f:.]+$/i.test(text) ? URL.parse(`http://[${text}]/`)?.hostname.slice(1, -1) : undefined

/** RFC 5952, with the last 32 bits of `::ffff:0:0/96` in dotted form; `undefined` if it is not an IPv6 address. */
export const canonicalIpv6 = (text: string): string | undefined => {
  const address = spelled(text)
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(address ?? '') ?? []
  if (high === undefined || low === undefined) return address
  const octets = [high, low].map((group) => Number.parseInt(group, 16)).flatMap((group) => [group >> 8, group & 255])
  return `::ffff:${octets.join('.')}`
}

/** The eight groups of an address, 16 bits each. */
export const groupsOf = (text: string): readonly number[] => {
  const [head = [], tail = []] = (spelled(text) ?? '').split('::').map((part) => part.split(':').filter(Boolean))
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0')
  return [...head, ...zeros, ...tail].map((group) => Number.parseInt(group, 16))
}
