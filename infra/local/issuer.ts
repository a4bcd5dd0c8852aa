import { readFile } from 'node:fs/promises'
import { exportJWK, generateKeyPair, importJWK, type JSONWebKeySet, type JWK, SignJWT } from 'jose'
import { keepFile } from '../../functions/adapters/keep-file.ts'
import { keyInvalid } from '../../functions/cli/refusals.ts'

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

const createKey = async (file: string): Promise<void> => {
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true })
  const key = { ...(await exportJWK(privateKey)), alg: algorithm, use: 'sig', kid: crypto.randomUUID() }
  await keepFile(file, JSON.stringify(key), { once: true })
}

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT'

const readText = async (file: string): Promise<string> => {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (!isMissing(error)) throw error
    await createKey(file)
    // Not the one that was just made: another process may have been first.
    return readFile(file, 'utf8')
  }
}

/** The parts of a private key, or `undefined` where the text is not one. */
const parseKey = async (text: string) => {
  try {
    const { d, ...shown } = JSON.parse(text) as JWK
    if (d === undefined || shown.kid === undefined) return undefined
    const key = await importJWK({ ...shown, d }, algorithm)
    return key instanceof Uint8Array ? undefined : { shown, key }
  } catch {
    // Whatever a parser says of it may quote the key.
    return undefined
  }
}

const readKey = async (file: string) => {
  const found = await parseKey(await readText(file))
  if (found === undefined) throw keyInvalid(file, 'it is no private key as JSON')
  return found
}

/** Stands in for a company's identity provider. Its key is made at first use and kept in `file`, readable by its owner.
 * Rejects with KEY_INVALID. */
export const openIssuer = async (file: string, url: string): Promise<Issuer> => {
  const { shown, key } = await readKey(file)
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
