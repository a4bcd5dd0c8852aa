import { isSecret, type SecretMark } from '../../../schema/value.ts'
import { defined } from '../../../values/defined.ts'
import { isStraight } from '../../../values/url.ts'
import type { ProviderSocket, ProviderTls } from '../../provider.ts'
import type { TlsEntry } from '../document/auth.ts'
import { fill } from '../document/template.ts'
import type { Configuration } from './context.ts'
import { refusals } from './words.ts'

/** Certificates by reference or from files of the workspace; a private key by reference only. */
export const configureTls = (entry: TlsEntry, configuration: Configuration): ProviderTls => {
  const key = entry.key === undefined ? undefined : fill(entry.key, configuration.scope)
  return defined({
    ca: certificateOf('ca', entry.ca, configuration),
    cert: certificateOf('cert', entry.cert, configuration),
    key: key === undefined || isSecret(key) ? key : configuration.refuse(refusals.plainKey()),
  })
}

const certificateOf = (
  name: string,
  template: string | undefined,
  { scope, input: { files }, refuse }: Configuration,
): string | SecretMark | undefined => {
  if (template === undefined) return undefined
  const value = fill(template, scope)
  if (isSecret(value)) return value
  const path = typeof value === 'string' ? value : ''
  const text = files.get(path)
  if (text?.includes('-----BEGIN CERTIFICATE-----')) return text
  const why = text === undefined ? files.refusal(path).message : `${path} is no certificate in PEM`
  return refuse(refusals.noCertificate(name, why))
}

/** `sun_path` with its last zero, on the systems that have the least: https://man7.org/linux/man-pages/man7/unix.7.html */
const longest = 103

/** Where an API listens on this machine; `undefined` with an empty text. A relative path is below the workspace's folder. */
export const configureSocket = (
  template: string,
  { scope, baseUrl, input: { folder }, refuse }: Configuration,
): ProviderSocket | undefined => {
  const value = fill(template, scope)
  if (value === '') return undefined
  if (typeof value !== 'string' || value.includes('\0') || /^[a-z][\w+.-]*:/i.test(value)) {
    return refuse(refusals.noSocketPath())
  }
  if (!value.startsWith('/') && folder === undefined) return refuse(refusals.relativeSocket(value))
  const path = value.startsWith('/') ? value : `${folder}/${value.replace(/^\.\//, '')}`
  if (!isStraight(path) || path.endsWith('/')) return refuse(refusals.lostSocketPath(path))
  const bytes = new TextEncoder().encode(path).length
  if (bytes > longest) return refuse(refusals.longSocketPath(longest, path))
  return { path, origin: new URL(baseUrl).origin }
}
