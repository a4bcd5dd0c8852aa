import { createLocalJWKSet, errors, type JWTVerifyResult, jwtVerify } from 'jose'
import { mapMembers, parseForeign } from '#core'
import { algorithms, audience, type Issuer } from './issuer.ts'

export type Claims = Readonly<Record<string, string>>

export type Verdict =
  /** `claims` is absent if the request has no token: the route decides whether it needs one. */
  { readonly ok: true; readonly claims?: Claims } | { readonly ok: false; readonly detail: string }

const asText = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(asText).join(' ')}]`
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
}

const bearer = /^Bearer +([\w-]+\.[\w-]+\.[\w-]*)$/i

/** Of two claims with one name jose believes the last one; the service that verifies in the cloud may believe the first. */
const hasTwice = (token: string): boolean =>
  token
    .split('.', 2)
    .map((part) => parseForeign(Buffer.from(part, 'base64url').toString('utf8')))
    .some((parsed) => 'fault' in parsed && parsed.fault === 'repeated')

/** Checks rules that jose does not: the key has a name, the subject is a text, and `iat` is not in the future. */
const whyNot = ({ payload, protectedHeader }: JWTVerifyResult): string | undefined => {
  if (protectedHeader.kid === undefined) return 'the token does not name its key'
  if (typeof payload.sub !== 'string' || payload.sub === '') return '"sub" is no text'
  return payload.iat !== undefined && payload.iat * 1_000 > Date.now() ? '"iat" is in the future' : undefined
}

/**
 * Verifies bearer tokens as the JWT authorizer of an HTTP API does: signature, algorithm, issuer, audience, times, name
 * of the key. API Gateway accepts RS256 (RSA) only, this one ES256 too.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-jwt-authorizer.html
 */
export const createAuthoriser = (issuer: Pick<Issuer, 'url' | 'keys'>) => {
  const keys = createLocalJWKSet(issuer.keys)
  const rules = { issuer: issuer.url, audience, algorithms: [...algorithms], requiredClaims: ['exp', 'sub'] }
  return async (header: string | undefined): Promise<Verdict> => {
    if (header === undefined) return { ok: true }
    const token = bearer.exec(header)?.[1]
    if (token === undefined) return { ok: false, detail: 'the Authorization header is not `Bearer` and a JWT' }
    if (hasTwice(token)) return { ok: false, detail: 'the token has one claim or header twice' }
    try {
      const verified = await jwtVerify(token, keys, rules)
      const detail = whyNot(verified)
      if (detail !== undefined) return { ok: false, detail }
      return { ok: true, claims: mapMembers(verified.payload, asText) }
    } catch (error) {
      // Jose's messages name the claim that failed, never its value.
      return { ok: false, detail: error instanceof errors.JOSEError ? error.message : 'the token cannot be read' }
    }
  }
}
