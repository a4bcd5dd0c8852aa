import { isSecret, type SecretMark } from '../../schema/value.ts'
import type { WorkspaceFiles } from '../../schema/workspace-files.ts'
import type { ProviderTls } from '../provider.ts'
import { isWrong, type Wrong } from './configure-auth.ts'
import type { TlsEntry } from './document-auth.ts'
import { fill, type Scope } from './template.ts'

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
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  }
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
