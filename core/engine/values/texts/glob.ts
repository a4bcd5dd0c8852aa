/**
 * `*` matches any text. It is not a regular expression, which would need exponential time for several stars and one
 * repeated letter.
 */
export const globPattern = (text: string): ((value: string) => boolean) => {
  const [first = '', ...rest] = text.split('*')
  const last = rest.pop()
  if (last === undefined) return (value) => value === first
  return (value) => {
    const end = value.length - last.length
    if (end < first.length || !value.startsWith(first) || !value.endsWith(last)) return false
    let at = first.length
    for (const part of rest) {
      const found = value.indexOf(part, at)
      if (found < 0) return false
      at = found + part.length
    }
    return at <= end
  }
}
