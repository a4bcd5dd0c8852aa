import * as z from 'zod'
import { AppError } from '#core'
import { type Env, type Scope, scopes } from '../env.ts'
import type { Caller } from '../routes/route.ts'

/** What API Gateway adds once it has verified the caller; a request without it was never verified.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html */
const contextShape = z.object({
  jwt: z.object({ claims: z.record(z.string(), z.unknown()) }).optional(),
  iam: z.object({ userArn: z.string().min(1), accountId: z.string().optional() }).optional(),
})

export type Access = Pick<Env, 'REQUIRED_SCOPES_IAM' | 'SCOPE_PREFIX'>

const isScope = (text: string): text is Scope => scopes.some((scope) => scope === text)

/** API Gateway hands on an array claim as the text `[a b]`; a local front may keep it an array. */
const tokensOf = (claim: unknown): readonly string[] => {
  if (Array.isArray(claim)) return claim.filter((token) => typeof token === 'string')
  if (typeof claim !== 'string') return []
  const text = claim.trim()
  return (text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text).split(/\s+/)
}

const scopesOf = (claims: Readonly<Record<string, unknown>>, prefix: string): ReadonlySet<Scope> =>
  new Set(
    [claims['scope'], claims['scopes'], claims['scp']]
      .flatMap(tokensOf)
      .filter((token) => token.startsWith(prefix))
      .map((token) => token.slice(prefix.length))
      .filter(isScope),
  )

const matches = (pattern: string, arn: string): boolean => {
  const parts = pattern.split('*').map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`, 's').test(arn)
}

/** The IAM policy has let the caller at the route already, so that without a map every scope is granted. */
const iamScopesOf = (arn: string, map: Access['REQUIRED_SCOPES_IAM']): ReadonlySet<Scope> =>
  new Set(
    map === undefined
      ? scopes
      : Object.entries(map).flatMap(([pattern, scopes]) => (matches(pattern, arn) ? scopes : [])),
  )

/** Who calls, from what the authoriser vouched for; UNAUTHENTICATED when it vouched for nothing usable. */
export const authenticate = (authorizer: unknown, access: Access): Caller => {
  const { jwt, iam } = contextShape.safeParse(authorizer ?? {}).data ?? {}
  if (jwt !== undefined) {
    const { sub, iss } = jwt.claims
    if (typeof sub !== 'string' || sub.trim() === '')
      throw new AppError('UNAUTHENTICATED', { detail: 'the token has no subject' })
    return {
      actor: { subject: sub, via: 'api', ...(typeof iss === 'string' ? { issuer: iss } : {}) },
      scopes: scopesOf(jwt.claims, access.SCOPE_PREFIX),
    }
  }
  if (iam === undefined) throw new AppError('UNAUTHENTICATED', { detail: 'it carries no token' })
  return {
    actor: {
      subject: iam.userArn,
      via: 'api',
      ...(iam.accountId === undefined ? {} : { issuer: `aws:${iam.accountId}` }),
    },
    scopes: iamScopesOf(iam.userArn, access.REQUIRED_SCOPES_IAM),
  }
}

/** Throws SCOPE_MISSING. */
export const requireScope = (caller: Caller, scope: Scope): void => {
  if (!caller.scopes.has(scope)) throw new AppError('SCOPE_MISSING', { needs: scope })
}
