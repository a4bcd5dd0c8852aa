import { randomBytes } from 'node:crypto'

/** A value that nobody guesses: 256 bits. */
export const secret = (): string => randomBytes(32).toString('base64url')

/** Browsers that have opened the link. Their cookie goes to the sign-in alone, so the API knows none. */
export const openBrowserSessions = (port: string) => {
  // Cookies know no ports, and another Plumbline may run on another one.
  const name = `plumbline-${port}`
  const attributes = 'HttpOnly; SameSite=Strict; Path=/authorize'
  const known = new Set<string>()
  const idIn = (cookie: string): string | undefined =>
    cookie
      .split(/; */)
      .map((pair) => pair.split('='))
      .flatMap(([given, value = '']) => (given === name && known.has(value) ? [value] : []))[0]
  return {
    /** The cookie of a new one. */
    begin: (): string => {
      const id = secret()
      known.add(id)
      return `${name}=${id}; ${attributes}`
    },
    has: (cookie: string): boolean => idIn(cookie) !== undefined,
    /** The cookie that removes it. */
    end: (cookie: string): string => {
      known.delete(idIn(cookie) ?? '')
      return `${name}=; ${attributes}; Max-Age=0`
    },
  }
}
