import { isStraight } from '../../schema/url.ts'
import type { ProviderInput, ProviderSocket } from '../provider.ts'
import type { Wrong } from './configure-auth.ts'
import { fill, type Scope } from './template.ts'

/** `sun_path` with its last zero, on the systems that have the least: https://man7.org/linux/man-pages/man7/unix.7.html */
const longest = 103

/** Where an API listens on this machine; `undefined` with an empty text. A relative path is below the workspace's folder. */
export const configureSocket = (
  template: string,
  baseUrl: string,
  { folder }: Pick<ProviderInput, 'folder'>,
  scope: Scope,
): ProviderSocket | Wrong | undefined => {
  const value = fill(template, scope)
  if (value === '') return undefined
  if (typeof value !== 'string' || value.includes('\0') || /^[a-z][\w+.-]*:/i.test(value)) {
    return { message: 'the socket is no path of a socket', fix: 'give one such as /run/api.sock' }
  }
  if (!value.startsWith('/') && folder === undefined) {
    return {
      message: `the socket ${value} is relative, and this workspace has no folder on a machine`,
      fix: 'write an absolute path',
    }
  }
  const path = value.startsWith('/') ? value : `${folder}/${value.replace(/^\.\//, '')}`
  if (!isStraight(path) || path.endsWith('/')) {
    return { message: `the path of the socket has an empty, "." or ".." segment: ${path}`, fix: 'write it without' }
  }
  const bytes = new TextEncoder().encode(path).length
  return bytes > longest
    ? { message: `the path of the socket is longer than ${longest} bytes: ${path}`, fix: 'use a shorter one' }
    : { path, origin: new URL(baseUrl).origin }
}

/** Where requests sign in, if not at the socket: nothing else is asked there, and credentials go nowhere else. */
export const wrongSignIn = ({ path, origin }: ProviderSocket, url: string | undefined): Wrong | undefined =>
  url === undefined || new URL(url).origin === origin
    ? undefined
    : {
        message: `the address to sign in at, ${url}, is not below ${origin}, and only that is asked at the socket ${path}`,
        fix: 'sign in at the socket, or reach the API without one',
      }
