import { createSign } from 'node:crypto'
import type { Json } from '../../core/engine/schema/json.ts'

/** What a test of the stand-in sends, over the socket. */
export const asking =
  ({ url }: { readonly url: string }, token: string, more: Readonly<Record<string, string>> = {}) =>
  async (method: string, path: string, body?: Json, own: Readonly<Record<string, string>> = {}) => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const headers = { authorization: `Bearer ${token}`, ...type, ...more, ...own }
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await fetch(new URL(path, url), { method, headers, redirect: 'manual', ...sent })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      // A test reads members that it knows; the description has checked the rest.
      // biome-ignore lint/suspicious/noExplicitAny: answers of 270 operations
      body: (text === '' ? undefined : JSON.parse(text)) as any,
    }
  }

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** The token that an app signs for itself, for ten minutes. */
export const jwtOf = (
  { id, privateKey }: { readonly id: number; readonly privateKey: string },
  now: number,
): string => {
  const at = Math.floor(now / 1000)
  const text = `${part({ alg: 'RS256', typ: 'JWT' })}.${part({ iss: String(id), iat: at - 60, exp: at + 540 })}`
  return `${text}.${createSign('sha256').update(text).sign(privateKey, 'base64url')}`
}
