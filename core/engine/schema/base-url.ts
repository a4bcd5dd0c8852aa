/**
 * Whether no segment can be lost: parsers remove `.` and `../..`, also encoded, and servers ignore an empty segment.
 */
export const isStraight = (text: string): boolean => {
  const [path = ''] = text.replace(/^[a-z][\w+.-]*:\/\/[^/?#]*/i, '').split(/[?#]/)
  return !/(^|\/)(\.|%2e){1,2}(?=\/|$)/i.test(path) && !/\/\/./.test(path)
}

/**
 * Why no path can be put behind a text as the address of an API; `undefined` if one can. The text itself is looked at, because
 * a parser hides a bare `?` or `#`, behind which a path would not be one, and drops or moves spaces and backslashes.
 */
export const baseUrlFault = (text: string): 'form' | 'credentials' | 'lost' | undefined => {
  const url = URL.parse(text)
  if (url === null || !/^https?:\/\/[^/]/i.test(text) || /[?#\\\s\p{Cc}]/u.test(text)) return 'form'
  if (/^[^/]*\/\/[^/]*@/.test(text)) return 'credentials'
  return isStraight(text) ? undefined : 'lost'
}
