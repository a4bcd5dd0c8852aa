import { readFile, writeFile } from 'node:fs/promises'
import { exportJWK, generateKeyPair, importJWK, type JSONWebKeySet, type JWK, SignJWT } from 'jose'

export const algorithm = 'ES256'
export const audience = 'plumbline'

export interface Issuer {
  readonly url: string
  readonly keys: JSONWebKeySet
  /** OpenID Connect discovery: https://openid.net/specs/openid-connect-discovery-1_0.html */
  readonly discovery: Readonly<Record<string, unknown>>
  /** A token with all scopes. `lifetime` as in `12h`. */
  issue(subject: string, lifetime: string): Promise<string>
}

const createKey = async (file: string): Promise<JWK> => {
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true })
  const key = { ...(await exportJWK(privateKey)), alg: algorithm, use: 'sig', kid: crypto.randomUUID() }
  await writeFile(file, JSON.stringify(key), { mode: 0o600, flag: 'wx' })
  return key
}

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT'

const readKey = async (file: string): Promise<JWK> => {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as JWK
  } catch (error) {
    if (isMissing(error)) return createKey(file)
    throw error
  }
}

/** Stands in for a company's identity provider. Its key is made at first use and kept in `file`, readable by its owner. */
export const openIssuer = async (file: string, url: string): Promise<Issuer> => {
  const { d, ...shown } = await readKey(file)
  const key = await importJWK({ ...shown, ...(d === undefined ? {} : { d }) }, algorithm)
  const kid = shown.kid ?? ''
  return {
    url,
    keys: { keys: [shown] },
    discovery: {
      issuer: url,
      jwks_uri: `${url}/.well-known/jwks.json`,
      response_types_supported: ['token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: [algorithm],
      scopes_supported: ['read', 'check', 'apply'],
    },
    issue: (subject, lifetime) =>
      new SignJWT({ scope: 'read check apply' })
        .setProtectedHeader({ alg: algorithm, kid, typ: 'JWT' })
        .setIssuer(url)
        .setAudience(audience)
        .setSubject(subject)
        .setIssuedAt()
        .setExpirationTime(lifetime)
        .sign(key),
  }
}
