const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' }

const characterOf = (entity: string): string | undefined => {
  const code = /^#x/i.test(entity)
    ? Number.parseInt(entity.slice(2), 16)
    : entity.startsWith('#')
      ? Number(entity.slice(1))
      : undefined
  if (code === undefined) return Object.hasOwn(named, entity) ? named[entity] : undefined
  return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : undefined
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** The text that a reader of the HTML sees, with `&`, `<` and `>` escaped, so that no new tag appears. */
export const htmlText = (html: string): string =>
  html
    .replaceAll(/<!--[\s\S]*?-->/g, '')
    .replaceAll(/<(script|style)\b[\s\S]*?<\/\1\s*>/gi, '')
    .replaceAll(/<\/?(p|div|br|li|ul|ol|tr|td|th|table|h[1-6]|blockquote|pre|hr)\b[^>]*>/gi, ' ')
    .replaceAll(/<\/?[a-z][^>]*>/gi, '')
    .replaceAll(/&(#x[0-9a-f]+|#\d+|\w+);/gi, (whole, entity: string) => characterOf(entity) ?? whole)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/[&<>]/g, (character) => escapes[character] ?? character)
