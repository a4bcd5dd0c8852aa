import type { Request } from '#core'

/** Implements https://www.rfc-editor.org/rfc/rfc9110#section-13.1 */
export const meets = ({ headers }: Request, found: { readonly etag: string } | undefined): boolean => {
  const { 'if-match': match, 'if-none-match': noneMatch } = lowerCase(headers)
  return (match === undefined || match === found?.etag) && (noneMatch !== '*' || found === undefined)
}

const lowerCase = (headers: Request['headers'] = {}): Partial<Record<'if-match' | 'if-none-match', string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
