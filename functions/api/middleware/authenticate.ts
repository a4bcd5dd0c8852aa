import * as z from 'zod'
import { AppError, defined, globPattern } from '#core'
import { jsonIn } from '../../adapters/json-in.ts'
import type { Env } from '../../env.ts'
import { commonRights, distinctRights, type Right, readRight } from '../../rights.ts'
import type { Caller } from '../route/route.ts'

/**
 * The fields that API Gateway adds once it has verified the caller; a request without them was never verified.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
const contextShape = z.object({
  jwt: z.object({ claims: z.record(z.string(), z.unknown()) }).optional(),
  iam: z.object({ userArn: z.string().min(1), accountId: z.string().optional() }).optional(),
})

export type Access = Pick<Env, 'REQUIRED_SCOPES_IAM' | 'SCOPE_PREFIX' | 'GROUPS_CLAIM' | 'GROUP_RIGHTS' | 'SIGN_IN'>

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

const tokenShape = z.looseObject({ sub: z.string(), iss: z.string() })

/**
 * The groups in the token that API Gateway has verified. It passes an array claim as one text, in which names with
 * spaces cannot be told apart, so the token itself is read. Without the token of this subject there are no groups.
 */
const groupsIn = (token: string, claim: string, subject: string): readonly string[] => {
  const [, payload = ''] = /^(?:Bearer +)?[\w-]+\.([\w-]+)\.[\w-]*$/i.exec(token) ?? []
  const { data } = tokenShape.safeParse(jsonIn(Buffer.from(payload, 'base64url').toString('utf8')))
  const groups = data?.sub === subject ? data[claim] : []
  return [groups].flat().filter((each) => typeof each === 'string')
}

/** Where the settings give rights to groups, a person has those of their groups, as far as the token has their scopes. */
const ofGroups = (
  rights: readonly Right[],
  { GROUP_RIGHTS: byGroup, GROUPS_CLAIM: claim = 'groups' }: Access,
  { token, subject }: { readonly token: string; readonly subject: string },
): readonly Right[] => {
  if (byGroup === undefined) return rights
  const groups = new Set(groupsIn(token, claim, subject))
  return commonRights(
    Object.entries(byGroup).flatMap(([group, given]) => (groups.has(group) ? given : [])),
    rights,
  )
}

/** ISO time of `exp`, which API Gateway passes as a text. */
const endOf = (exp: unknown): string | undefined => {
  const seconds = Number(exp ?? Number.NaN)
  return Number.isFinite(seconds) && seconds > 0 && seconds < 1e11 ? new Date(seconds * 1_000).toISOString() : undefined
}

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

/** Returns the caller that the authorizer verified; throws UNAUTHENTICATED if there is none. `token`: the header. */
export const authenticate = (authorizer: unknown, access: Access, token = ''): Caller => {
  const { jwt, iam } = contextShape.safeParse(authorizer ?? {}).data ?? {}
  if (jwt !== undefined) {
    const { sub, iss } = jwt.claims
    if (!isName(sub)) throw new AppError('UNAUTHENTICATED', { detail: 'the token has no subject' })
    // A subject is unique only together with its issuer.
    if (!isName(iss)) throw new AppError('UNAUTHENTICATED', { detail: 'the token has no issuer' })
    const scopes = rightsOf(jwt.claims, access.SCOPE_PREFIX)
    return {
      actor: { subject: sub, via: 'api', issuer: iss },
      rights: distinctRights(ofGroups(scopes, access, { token, subject: sub })),
      ...defined({ expiresAt: endOf(jwt.claims['exp']) }),
    }
  }
  if (iam === undefined) throw new AppError('UNAUTHENTICATED', { detail: 'it carries no token' })
  return {
    actor: {
      subject: iam.userArn,
      via: 'api',
      ...defined({ issuer: iam.accountId === undefined ? undefined : `aws:${iam.accountId}` }),
    },
    rights: distinctRights(iamRightsOf(iam.userArn, access.REQUIRED_SCOPES_IAM)),
  }
}
