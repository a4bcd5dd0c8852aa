import { exportJWK, generateKeyPair, importJWK, type JSONWebKeySet, type JWK, SignJWT } from 'jose'
import { AppError } from '#core'
import { keepFile } from '../../adapters/files/keep-file.ts'
import { readKeyFile } from '../../adapters/files/read-key-file.ts'
import { scopes } from '../../rights.ts'

/** A new key uses the first algorithm, which the JWT authorizer of API Gateway accepts. */
export const algorithms = ['RS256', 'ES256'] as const
type Algorithm = (typeof algorithms)[number]
export const audience = 'plumbline'

const createKey = async (file: string): Promise<void> => {
  const [alg] = algorithms
  const { privateKey } = await generateKeyPair(alg, { extractable: true })
  const key = { ...(await exportJWK(privateKey)), alg, use: 'sig', kid: crypto.randomUUID() }
  await keepFile(file, JSON.stringify(key), { once: true })
}

const readText = async (file: string): Promise<string> => {
  const text = await readKeyFile(file)
  if (text !== undefined) return text
  await createKey(file)
  // The file is read again, because another process may have created it first.
  return (await readKeyFile(file)) ?? ''
}

/** The public members of RSA and elliptic curve keys; all other members of a key file are private. */
const publicMembers = ['kty', 'kid', 'alg', 'use', 'n', 'e', 'crv', 'x', 'y'] as const
const shownOf = (key: JWK): JWK =>
  Object.fromEntries(publicMembers.flatMap((name) => (key[name] === undefined ? [] : [[name, key[name]]])))

const isKnown = (alg: unknown): alg is Algorithm => algorithms.some((each) => each === alg)

const parseKey = async (text: string) => {
  try {
    const written = JSON.parse(text) as JWK
    const { d, kid, alg } = written
    if (d === undefined || kid === undefined || !isKnown(alg)) return undefined
    const key = await importJWK(written, alg)
    return key instanceof Uint8Array ? undefined : { shown: shownOf(written), key, alg }
  } catch {
    // The parser's error may quote the key.
    return undefined
  }
}

const readKey = async (file: string) => {
  const found = await parseKey(await readText(file))
  if (found === undefined) throw new AppError('KEY_INVALID', { file, detail: 'it is not a private key in JSON' })
  return found
}

/**
 * Opens the local identity provider. Its key is made at first use and stored in `file`, readable only by its owner.
 * Rejects with KEY_INVALID.
 */
export const openIssuer = async (file: string, url: string) => {
  const { shown, key, alg } = await readKey(file)
  const kid = shown.kid ?? ''
  return {
    url,
    keys: { keys: [shown] } satisfies JSONWebKeySet,
    /** OpenID Connect discovery: https://openid.net/specs/openid-connect-discovery-1_0.html */
    discovery: {
      issuer: url,
      jwks_uri: `${url}/.well-known/jwks.json`,
      authorization_endpoint: `${url}/authorize`,
      token_endpoint: `${url}/token`,
      end_session_endpoint: `${url}/authorize/sign-out`,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      authorization_response_iss_parameter_supported: true,
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: [alg],
      scopes_supported: scopes,
    },
    /** Issues a token, with all scopes if they are not named. `lifetime` is written as `12h`. */
    issue: (subject: string, lifetime: string, scope = scopes.join(' ')): Promise<string> =>
      new SignJWT({ scope })
        .setProtectedHeader({ alg, kid, typ: 'JWT' })
        .setIssuer(url)
        .setAudience(audience)
        .setSubject(subject)
        .setIssuedAt()
        .setExpirationTime(lifetime)
        .sign(key),
  }
}

export type Issuer = Awaited<ReturnType<typeof openIssuer>>
