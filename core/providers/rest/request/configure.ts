import type { Issue } from '../../../schema/issue.ts'
import type { Json, JsonObject } from '../../../schema/json.ts'
import { isStraight } from '../../../schema/url.ts'
import { isSecret } from '../../../schema/value.ts'
import { defined } from '../../../values/defined.ts'
import type { ProviderInput } from '../../provider.ts'
import type { Wrong } from '../document/problem.ts'
import type { RestSettings } from '../document/provider.ts'
import { signInOf } from '../document/sign-in.ts'
import { fill, scopeOf } from '../document/template.ts'
import { configureAuth, isWrong } from './configure-auth.ts'
import { configureSocket, configureTls, wrongSignIn } from './configure-connection.ts'
import type { Context } from './context.ts'

export type Configuring =
  | { readonly ok: true; readonly context: Context }
  | { readonly ok: false; readonly issues: readonly Issue[] }

/** A document with what the workspace gives under `with`. Problems stand at the provider's entry. */
export const configureContext = (settings: RestSettings, input: ProviderInput): Configuring => {
  const given = withDefaults(settings, input.with)
  const scope = scopeOf({ with: given })
  const baseUrl = baseUrlOf(fill(settings.baseUrl, scope))
  // An address to sign in at may be a path below the base URL.
  const below = typeof baseUrl === 'string' ? baseUrl : 'http://base.invalid'
  const auth = settings.auth === undefined ? undefined : configureAuth(settings.auth, below, scope)
  const tls = settings.tls === undefined ? undefined : configureTls(settings.tls, input.files, scope)
  const socket = settings.socket === undefined ? undefined : configureSocket(settings.socket, below, input, scope)
  const isConfined = socket !== undefined && !isWrong(socket)
  const signIn =
    isConfined && auth !== undefined && !isWrong(auth) ? wrongSignIn(socket, signInOf(auth)?.url) : undefined
  const parts = [baseUrl, auth, tls, socket, signIn].filter((part) => part !== undefined)
  const wrong: readonly Wrong[] = [...checkGiven(settings, input.with), ...parts.filter(isWrong)]
  if (wrong.length > 0 || typeof baseUrl !== 'string') {
    return { ok: false, issues: wrong.map((one) => ({ ...input.position, ...one })) }
  }
  const params = fill(settings.params ?? {}, scope) as JsonObject
  const own = defined({
    auth: auth === undefined || isWrong(auth) ? undefined : auth,
    tls: tls === undefined || isWrong(tls) ? undefined : tls,
    socket: isConfined ? socket : undefined,
  })
  return { ok: true, context: { settings, baseUrl, given, params, ...own } }
}

/** What the workspace gives, over what the document says for whoever gives nothing. */
export const withDefaults = (settings: RestSettings, given: JsonObject): JsonObject => {
  const defaults = Object.entries(settings.with ?? {}).flatMap(([name, declared]): [string, Json][] =>
    declared.default === undefined ? [] : [[name, declared.default]],
  )
  return { ...Object.fromEntries(defaults), ...given }
}

const checkGiven = (settings: RestSettings, given: JsonObject): Wrong[] => {
  const declared = settings.with ?? {}
  const names = Object.keys(declared)
  return [
    ...Object.keys(given)
      .filter((name) => !names.includes(name))
      .map((name) => ({
        message: `the provider ${settings.id} takes no "${name}" under with`,
        fix: names.length === 0 ? 'remove it' : `it takes: ${names.join(', ')}`,
      })),
    ...names
      .filter((name) => given[name] === undefined && declared[name]?.default === undefined)
      .map((name) => ({ message: `the provider ${settings.id} needs "${name}" under with`, fix: 'add it' })),
    ...names
      .filter((name) => declared[name]?.secret && given[name] !== undefined && !isSecret(given[name]))
      .map((name) => ({
        message: `"${name}" is a secret and stands in the configuration as text`,
        fix: 'refer to it, for example { secret: "env:NAME" }',
      })),
  ]
}

const baseUrlOf = (value: Json | undefined): string | Wrong => {
  const url = typeof value === 'string' ? URL.parse(value) : null
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.search !== '' || url.hash !== '') {
    return {
      message: 'the base URL is no http or https URL without a query',
      fix: 'give one such as https://api.example.com/v1',
    }
  }
  if (typeof value === 'string' && !isStraight(value)) {
    return {
      message: 'the path of the base URL has an empty, "." or ".." segment, which is lost on the way',
      fix: 'write the path that shall be asked for',
    }
  }
  if (url.username !== '' || url.password !== '') {
    return { message: 'the base URL holds credentials', fix: 'take them out, and use auth with a secret' }
  }
  return url.href.replace(/\/+$/, '')
}
