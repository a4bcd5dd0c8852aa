import * as z from 'zod'
import { AppError, defined, globPattern } from '#core'
import type { Env } from '../../env.ts'
import { type Right, readRight } from '../../rights.ts'
import type { Caller } from '../route/route.ts'

/**
 * The fields that API Gateway adds once it has verified the caller; a request without them was never verified.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
const contextShape = z.object({
  jwt: z.object({ claims: z.record(z.string(), z.unknown()) }).optional(),
  iam: z.object({ userArn: z.string().min(1), accountId: z.string().optional() }).optional(),
})

export type Access = Pick<Env, 'REQUIRED_SCOPES_IAM' | 'SCOPE_PREFIX'>

/** Other spaces are a part of a token, and no token has one: https://www.rfc-editor.org/rfc/rfc6749#section-3.3 */
const isToken = (text: unknown): text is string => typeof text === 'string' && /^[!\x23-\x5b\x5d-\x7e]+$/.test(text)

/** API Gateway passes an array claim as the text `[a b]`; a local server may pass an array. */
const tokensOf = (claim: unknown): readonly string[] => {
  if (Array.isArray(claim)) return claim.filter(isToken)
  if (typeof claim !== 'string') return []
  return claim
    .replace(/^\[(.*)\]$/s, '$1')
    .split(' ')
    .filter(isToken)
}

const rightsOf = (claims: Readonly<Record<string, unknown>>, prefix: string): readonly Right[] =>
  [claims['scope'], claims['scopes'], claims['scp']]
    .flatMap(tokensOf)
    .filter((token) => token.startsWith(prefix))
    .flatMap((token) => readRight(token.slice(prefix.length)) ?? [])

/** API Gateway and others pass a claim that is not a text as one: `null`, `[a b]`, `{"a":1}`. */
const isName = (claim: unknown): claim is string =>
  typeof claim === 'string' &&
  claim !== '' &&
  claim.trim() === claim &&
  // A blank or an invisible character would make one name look like another one in the ledger.
  !/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/u.test(claim) &&
  !/^(null|undefined|true|false|\[.*\]|\{.*\})$/.test(claim)

/** An IAM policy allows the route, but knows no workspaces: without the map a caller has no rights. */
const iamRightsOf = (arn: string, map: Access['REQUIRED_SCOPES_IAM'] = {}): readonly Right[] =>
  Object.entries(map).flatMap(([pattern, rights]) => (globPattern(pattern)(arn) ? rights : []))

/** Returns the caller that the authorizer verified; throws UNAUTHENTICATED if there is none. */
export const authenticate = (authorizer: unknown, access: Access): Caller => {
  const { jwt, iam } = contextShape.safeParse(authorizer ?? {}).data ?? {}
  if (jwt !== undefined) {
    const { sub, iss } = jwt.claims
    if (!isName(sub)) throw new AppError('UNAUTHENTICATED', { detail: 'the token has no subject' })
    // A subject is unique only together with its issuer.
    if (!isName(iss)) throw new AppError('UNAUTHENTICATED', { detail: 'the token has no issuer' })
    return { actor: { subject: sub, via: 'api', issuer: iss }, rights: rightsOf(jwt.claims, access.SCOPE_PREFIX) }
  }
  if (iam === undefined) throw new AppError('UNAUTHENTICATED', { detail: 'it carries no token' })
  return {
    actor: {
      subject: iam.userArn,
      via: 'api',
      ...defined({ issuer: iam.accountId === undefined ? undefined : `aws:${iam.accountId}` }),
    },
    rights: iamRightsOf(iam.userArn, access.REQUIRED_SCOPES_IAM),
  }
}
