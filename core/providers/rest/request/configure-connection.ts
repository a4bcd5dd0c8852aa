import { isStraight } from '../../../schema/url.ts'
import { isSecret, type SecretMark } from '../../../schema/value.ts'
import type { WorkspaceFiles } from '../../../schema/workspace-files.ts'
import { defined } from '../../../values/defined.ts'
import type { ProviderInput, ProviderSocket, ProviderTls } from '../../provider.ts'
import type { TlsEntry } from '../document/auth.ts'
import type { Wrong } from '../document/problem.ts'
import { fill, type Scope } from '../document/template.ts'
import { isWrong } from './configure-auth.ts'

/** Certificates by reference or from files of the workspace; a private key by reference only. */
export const configureTls = (entry: TlsEntry, files: WorkspaceFiles, scope: Scope): ProviderTls | Wrong => {
  const ca = entry.ca === undefined ? undefined : certificateOf('ca', entry.ca, files, scope)
  const cert = entry.cert === undefined ? undefined : certificateOf('cert', entry.cert, files, scope)
  const key = entry.key === undefined ? undefined : fill(entry.key, scope)
  if (ca !== undefined && isWrong(ca)) return ca
  if (cert !== undefined && isWrong(cert)) return cert
  if (key !== undefined && !isSecret(key)) {
    return {
      message: 'the key of tls is no secret',
      fix: 'refer to it under with, for example { secret: "file:/run/key.pem" }',
    }
  }
  return defined({ ca, cert, key })
}

const certificateOf = (
  name: string,
  template: string,
  files: WorkspaceFiles,
  scope: Scope,
): string | SecretMark | Wrong => {
  const value = fill(template, scope)
  if (isSecret(value)) return value
  const path = typeof value === 'string' ? value : ''
  const text = files.get(path)
  if (text?.includes('-----BEGIN CERTIFICATE-----')) return text
  const message = text === undefined ? files.refusal(path).message : `${path} is no certificate in PEM`
  return {
    message: `${name} of tls: ${message}`,
    fix: 'give the path of a PEM file from the folder of the workspace, or a secret',
  }
}

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
