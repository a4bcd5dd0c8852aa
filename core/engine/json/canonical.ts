import canonicalize from 'canonicalize'

/**
 * The RFC 8785 spelling of a JSON value. Members that are `undefined` are left out. RFC 8785 has none for half of a surrogate pair,
 * which a target may answer at a place that nobody names: it is escaped, as JSON does, so that such values can still be compared.
 */
export const canonicalJson = (value: unknown): string => {
  try {
    return canonicalize(value) ?? 'null'
  } catch (error) {
    if (JSON.stringify(value)?.match(halfPair) === null) throw error
    return escaped(value)
  }
}

/** JSON escapes half a pair, and never a whole one. An escape that stands in a text has a backslash before its own. */
const halfPair = /(?<!\\)(?:\\\\)*\\ud[89a-f][0-9a-f]{2}/

const escaped = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(escaped).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  const sorted = members.toSorted(([left], [right]) => (left < right ? -1 : 1))
  return `{${sorted.map(([name, member]) => `${JSON.stringify(name)}:${escaped(member)}`).join(',')}}`
}
