import { type KeyObject, verify } from 'node:crypto'
import type { App } from '../state/shapes.ts'
import { refuse } from './refusal.ts'

/** Who asks, and what a token lets him do. */

type Access = 'read' | 'write' | 'admin'

export interface Actor {
  readonly login: string
  /** The kind of the token; `none` is a request without one, `outside` a change that a test makes by hand. */
  readonly kind: 'classic' | 'fine-grained' | 'installation' | 'app' | 'none' | 'outside'
  /** Of a classic token. Without a list it may do everything. */
  readonly scopes?: readonly string[]
  /** Of a fine-grained token or an installation. Without a map it may do everything. */
  readonly permissions?: Readonly<Record<string, string>>
  readonly installation?: number
  /** Of an installation: the only repositories that it sees. */
  readonly repositories?: ReadonlySet<number>
  readonly app?: number
  /** Milliseconds since 1970. */
  readonly expires?: number
}

export interface TokenOptions {
  readonly login?: string
  readonly scopes?: readonly string[]
  readonly permissions?: Readonly<Record<string, Access>>
  readonly expires?: number
}

/** Without a map of permissions everything may be read. */
export const mayRead = ({ permissions }: Actor, name: string): boolean =>
  permissions === undefined || permissions[name] !== undefined

export const newTokens = (defaultLogin: string) => {
  const known = new Map<string, Actor>()
  let count = 0
  /** In the form of its kind: the prefix tells them apart, as at GitHub. */
  const keep = (prefix: string, actor: Actor): string => {
    count += 1
    const token = `${prefix}${String(count).padStart(36, '0')}`
    known.set(token, actor)
    return token
  }
  return {
    known,
    issue: ({ login = defaultLogin, permissions, ...rest }: TokenOptions = {}): string =>
      permissions === undefined
        ? keep('ghp_', { login, kind: 'classic', ...rest })
        : keep('github_pat_', { login, kind: 'fine-grained', permissions, ...rest }),
    issueInstallation: (actor: Omit<Actor, 'kind'>): string => keep('ghs_', { ...actor, kind: 'installation' }),
    revoke: (actor: Actor): void => {
      for (const [token, own] of known) if (own === actor) known.delete(token)
    },
  }
}

export type Tokens = ReturnType<typeof newTokens>

/** `Authorization: Bearer TOKEN`, `token TOKEN`, or a basic password. */
export const tokenIn = (authorization: string | undefined): string | undefined => {
  const [scheme = '', value = ''] = (authorization ?? '').split(' ')
  if (/^(bearer|token)$/i.test(scheme)) return value
  if (!/^basic$/i.test(scheme)) return undefined
  return Buffer.from(value, 'base64').toString().split(':').pop()
}

const unreadable = (): never => refuse(401, 'A JSON web token could not be decoded')

const decoded = (part: string): Record<string, unknown> => {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>
  } catch {
    return unreadable()
  }
}

/**
 * The app that signed the token: RS256, issued not in the future, for ten minutes at most.
 * https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/generating-a-json-web-token-jwt-for-a-github-app
 */
export const appOfJwt = (token: string, apps: ReadonlyMap<number, App>, now: number): Actor => {
  const [head = '', claims = '', signature = ''] = token.split('.')
  const { alg } = decoded(head)
  const { iss, iat, exp } = decoded(claims)
  const app = [...apps.values()].find(({ id }) => String(id) === String(iss) || `Iv1.${id}` === iss) ?? unreadable()
  const key: string | KeyObject = app.publicKey
  const isSigned = verify('sha256', Buffer.from(`${head}.${claims}`), key, Buffer.from(signature, 'base64url'))
  if (alg !== 'RS256' || !isSigned) unreadable()
  const seconds = now / 1000
  if (Number(iat) > seconds + 60)
    refuse(401, "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued")
  if (!(Number(exp) > seconds))
    refuse(
      401,
      "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires",
    )
  if (Number(exp) > seconds + 600 + 60) refuse(401, "'Expiration time' claim ('exp') is too far in the future")
  return { login: app.slug, kind: 'app', app: app.id }
}

export const isJwt = (token: string): boolean => token.split('.').length === 3
