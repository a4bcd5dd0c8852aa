import type { Json } from '../../core/schema/json.ts'

/** What a test of the stand-in sends, over the socket. */
export const asking =
  ({ url }: { readonly url: string }, token: string, more: Readonly<Record<string, string>> = {}) =>
  async (method: string, path: string, body?: Json, own: Readonly<Record<string, string>> = {}) => {
    const headers = { authorization: `Bearer ${token}`, ...more, ...own }
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
