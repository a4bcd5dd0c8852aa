/** The text, cut to at most `most` UTF-16 units where it is longer: a cut text ends with `...`, and never with half a character. */
export const shorten = (text: string, most: number): string => {
  if (text.length <= most) return text
  const kept = text.slice(0, Math.max(0, most - 3))
  return `${/[\ud800-\udbff]$/.test(kept) ? kept.slice(0, -1) : kept}...`
}

/** The first of many, and how many more there are. */
export const firstOf = (texts: readonly string[], most: number): string => {
  const rest = texts.length - most
  return rest <= 0 ? texts.join(', ') : `${texts.slice(0, most).join(', ')} and ${rest} more`
}
