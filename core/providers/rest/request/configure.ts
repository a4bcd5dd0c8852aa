import type { Issue } from '../../../schema/issue.ts'
import type { Json, JsonObject } from '../../../schema/json.ts'
import { isSecret } from '../../../schema/value.ts'
import { defined } from '../../../values/defined.ts'
import { isStraight } from '../../../values/url.ts'
import type { ProviderInput, Refusal } from '../../provider.ts'
import type { RestSettings } from '../document/provider.ts'
import { fill, scopeOf } from '../document/template.ts'
import { configureAuth, signInOf } from './configure-auth.ts'
import { configureSocket, configureTls } from './configure-connection.ts'
import type { Configuration, Context } from './context.ts'
import { refusals } from './words.ts'

export type Configuring =
  | { readonly ok: true; readonly context: Context }
  | { readonly ok: false; readonly issues: readonly Issue[] }

/** A document with what the workspace gives under `with`. All problems at once, at the provider's entry. */
export const configureContext = (settings: RestSettings, input: ProviderInput): Configuring => {
  const refused: Refusal[] = [...checkInputs(settings, input.with)]
  const refuse = (refusal: Refusal): undefined => {
    if (!refused.some(({ message }) => message === refusal.message)) refused.push(refusal)
    return undefined
  }
  const inputs = withDefaults(settings, input.with)
  const scope = scopeOf({ with: inputs })
  const baseUrl = baseUrlOf(fill(settings.baseUrl, scope), refuse)
  // An address to sign in at may be a path below the base URL.
  const configuration: Configuration = { scope, input, refuse, baseUrl: baseUrl ?? 'http://base.invalid' }
  const auth = settings.auth && configureAuth(settings.auth, configuration)
  const tls = settings.tls && configureTls(settings.tls, configuration)
  const socket = settings.socket === undefined ? undefined : configureSocket(settings.socket, configuration)
  const url = auth && signInOf(auth)?.url
  // Nothing but the socket is asked, and credentials go nowhere else.
  if (socket !== undefined && url !== undefined && new URL(url).origin !== socket.origin)
    refuse(refusals.signInBesideSocket(url, socket.origin, socket.path))
  if (refused.length > 0 || baseUrl === undefined) {
    return { ok: false, issues: refused.map((refusal) => ({ ...input.position, ...refusal })) }
  }
  const params = fill(settings.params ?? {}, scope) as JsonObject
  return { ok: true, context: { settings, baseUrl, inputs, params, ...defined({ auth, tls, socket }) } }
}

/** What the workspace gives, and the document's defaults for the rest. */
export const withDefaults = (settings: RestSettings, inputs: JsonObject): JsonObject => {
  const defaults = Object.entries(settings.with ?? {}).flatMap(([name, declared]): [string, Json][] =>
    declared.default === undefined ? [] : [[name, declared.default]],
  )
  return { ...Object.fromEntries(defaults), ...inputs }
}

const checkInputs = ({ id, with: declared = {} }: RestSettings, inputs: JsonObject): readonly Refusal[] => {
  const names = Object.keys(declared)
  const unknown = Object.keys(inputs).filter((name) => !names.includes(name))
  const missing = names.filter((name) => inputs[name] === undefined && declared[name]?.default === undefined)
  const plain = names.filter((name) => declared[name]?.secret && inputs[name] !== undefined && !isSecret(inputs[name]))
  return [
    ...unknown.map((name) => refusals.unknownWith(id, name, names)),
    ...missing.map((name) => refusals.missingWith(id, name)),
    ...plain.map(refusals.plainSecret),
  ]
}

const baseUrlOf = (value: Json | undefined, refuse: Configuration['refuse']): string | undefined => {
  const url = typeof value === 'string' ? URL.parse(value) : null
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.search !== '' || url.hash !== '') {
    return refuse(refusals.noBaseUrl())
  }
  if (typeof value === 'string' && !isStraight(value)) return refuse(refusals.lostBaseUrl())
  if (url.username !== '' || url.password !== '') return refuse(refusals.credentialsInUrl())
  return url.href.replace(/\/+$/, '')
}
