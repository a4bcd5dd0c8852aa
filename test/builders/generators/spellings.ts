const bytesOf = (text: string): readonly number[] => [...Buffer.from(text)]
const hexOf = (byte: number): string => byte.toString(16).padStart(2, '0')
const unitsOf = (text: string): readonly number[] => Array.from({ length: text.length }, (_, n) => text.charCodeAt(n))
const wrap = (text: string, width: number, between: string): string =>
  (text.match(new RegExp(`.{1,${width}}`, 'gs')) ?? []).join(between)
const entities = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
const percentAll = (text: string): string =>
  bytesOf(text)
    .map((byte) => `%${hexOf(byte)}`)
    .join('')

/** How servers, proxies, loggers and error pages write a text that they were given. */
export const spellings: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  'JSON text': (text) => JSON.stringify(text),
  'JSON in JSON': (text) => JSON.stringify(JSON.stringify(text)),
  'JSON in JSON in JSON': (text) => JSON.stringify({ a: JSON.stringify({ b: JSON.stringify(text) }) }),
  'JSON with escaped slashes': (text) => JSON.stringify(text).replaceAll('/', '\\/'),
  'JSON in ASCII': (text) =>
    JSON.stringify(text).replace(/[^ -~]/g, (c) => `\\u${hexOf(c.charCodeAt(0)).padStart(4, '0')}`),
  'unicode escapes': (text) =>
    unitsOf(text)
      .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
      .join(''),
  'unicode escapes in upper case': (text) =>
    unitsOf(text)
      .map((unit) => `\\u${unit.toString(16).toUpperCase().padStart(4, '0')}`)
      .join(''),
  'unicode escapes with braces': (text) =>
    [...text].map((c) => `\\u{${(c.codePointAt(0) ?? 0).toString(16)}}`).join(''),
  'byte escapes': (text) =>
    bytesOf(text)
      .map((byte) => `\\x${hexOf(byte)}`)
      .join(''),
  'a component of a URL': encodeURIComponent,
  'a component in lower case': (text) => encodeURIComponent(text).replace(/%../g, (hex) => hex.toLowerCase()),
  'a path': encodeURI,
  'a form': (text) => new URLSearchParams({ a: text }).toString(),
  'percent, each byte': percentAll,
  'percent, twice': (text) => encodeURIComponent(encodeURIComponent(text)),
  'percent, each byte, three times': (text) => encodeURIComponent(encodeURIComponent(percentAll(text))),
  'percent with u': (text) =>
    unitsOf(text)
      .map((unit) => `%u${unit.toString(16).padStart(4, '0')}`)
      .join(''),
  'HTML entities': entities,
  'HTML entities, twice': (text) => entities(entities(text)),
  'HTML entities by number': (text) => [...text].map((c) => `&#${c.codePointAt(0)};`).join(''),
  'HTML entities in hex': (text) => [...text].map((c) => `&#x${(c.codePointAt(0) ?? 0).toString(16)};`).join(''),
  'HTML around JSON': (text) => entities(JSON.stringify({ a: text })),
  base64: (text) => Buffer.from(text).toString('base64'),
  'base64 for URLs': (text) => Buffer.from(text).toString('base64url'),
  'base64 in a URL': (text) => encodeURIComponent(Buffer.from(text).toString('base64')),
  'base64, wrapped': (text) => wrap(Buffer.from(`${'head '.repeat(9)}${text}`).toString('base64'), 16, '\n'),
  'base64, wrapped by CRLF in JSON': (text) => JSON.stringify(wrap(Buffer.from(text).toString('base64'), 8, '\r\n')),
  'base64, shifted by one': (text) => Buffer.from(`u:${text}:x`).toString('base64'),
  'base64, shifted by two': (text) => Buffer.from(`u${text}`).toString('base64'),
  'base64 of JSON': (text) => Buffer.from(JSON.stringify({ auth: text })).toString('base64'),
  'base64, twice': (text) => Buffer.from(`a:${Buffer.from(`me:${text}`).toString('base64')}`).toString('base64'),
  'base64 after a word': (text) => `token=${Buffer.from(text).toString('base64')}`,
  hex: (text) => Buffer.from(text).toString('hex'),
  'hex in upper case': (text) => Buffer.from(text).toString('hex').toUpperCase(),
  'hex with colons': (text) => bytesOf(text).map(hexOf).join(':'),
  'hex with 0x': (text) =>
    bytesOf(text)
      .map((byte) => `0x${hexOf(byte)}`)
      .join(', '),
  'hex after an odd digit': (text) => `f${Buffer.from(text).toString('hex')}`,
}
