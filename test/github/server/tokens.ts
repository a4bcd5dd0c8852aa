/** Who asks, and what a token lets him do. */

type Access = 'read' | 'write' | 'admin'

export interface Actor {
  readonly login: string
  /** The kind of the token; `none` is a request without one. */
  readonly kind: 'classic' | 'fine-grained' | 'installation' | 'app' | 'none'
  /** Of a classic token. Without a list it may do everything. */
  readonly scopes?: readonly string[]
  /** Of a fine-grained token or an installation. Without a map it may do everything. */
  readonly permissions?: Readonly<Record<string, Access>>
  readonly installation?: number
  readonly app?: number
}

export interface TokenOptions {
  readonly login?: string
  readonly scopes?: readonly string[]
  readonly permissions?: Readonly<Record<string, Access>>
}

export const newTokens = (defaultLogin: () => string) => {
  const known = new Map<string, Actor & { readonly expires?: number }>()
  let count = 0
  return {
    known,
    /** A token in the form of its kind: the prefix tells them apart, as at GitHub. */
    issue: ({ login = defaultLogin(), scopes, permissions }: TokenOptions = {}): string => {
      count += 1
      const kind = permissions === undefined ? 'classic' : 'fine-grained'
      const token = `${kind === 'classic' ? 'ghp_' : 'github_pat_'}${String(count).padStart(36, '0')}`
      known.set(token, { login, kind, ...(scopes && { scopes }), ...(permissions && { permissions }) })
      return token
    },
  }
}

/** `Authorization: Bearer TOKEN`, `token TOKEN`, or a basic password. */
export const tokenIn = (authorization: string | undefined): string | undefined => {
  const [scheme = '', value = ''] = (authorization ?? '').split(' ')
  if (/^(bearer|token)$/i.test(scheme)) return value
  if (!/^basic$/i.test(scheme)) return undefined
  return Buffer.from(value, 'base64').toString().split(':').pop()
}
