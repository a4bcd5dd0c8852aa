import type { ProviderInput, ProviderSocket, ProviderTls } from '../../../engine/provider/provider.ts'
import { baseUrlFault, isStraight } from '../../../engine/schema/base-url.ts'
import type { Issue } from '../../../engine/schema/issue.ts'
import type { Json, JsonObject } from '../../../engine/schema/json.ts'
import { isSecret, type SecretMark } from '../../../engine/schema/value.ts'
import { defined } from '../../../engine/values/defined.ts'
import { shorten } from '../../../engine/values/texts/shorten.ts'
import type { TlsEntry } from '../document/api/auth.ts'
import type { RestSettings } from '../document/api/provider.ts'
import { fill, scopeOf, variablesOf } from '../document/shared/template.ts'
import { chooseWay, configureAuth, signInOf } from './configure-auth.ts'
import type { Configuration, RestContext } from './context.ts'
import { noPem, refusals } from './words.ts'

export type Configuring =
  | { readonly ok: true; readonly context: RestContext }
  | { readonly ok: false; readonly issues: readonly Issue[] }

/** A document with what the workspace gives under `with`. All problems at once, at the provider's entry. */
export const configureContext = (settings: RestSettings, input: ProviderInput): Configuring => {
  const refused: Issue[] = []
  const refuse: Configuration['refuse'] = (refusal, name = '') => {
    const position = input.inputs?.[name] ?? input.withPosition ?? input.position
    if (!refused.some(({ message }) => message === refusal.message)) refused.push({ ...position, ...refusal })
    return undefined
  }
  const wrong = checkInputs(settings, input.with, refuse)
  const inputs = withDefaults(settings, input.with)
  const scope = scopeOf({ with: inputs })
  const isOpen = variablesOf(settings.baseUrl).some(([, name]) => wrong.includes(String(name)))
  const baseUrl = isOpen
    ? undefined
    : baseUrlOf(fill(settings.baseUrl, scope), (refusal) => refuse(refusal, inputOf(settings.baseUrl)))
  // An address to sign in at may be a path below the base URL.
  const configuration: Configuration = { scope, input, refuse, baseUrl: baseUrl ?? 'http://base.invalid' }
  const graphqlUrl =
    settings.graphql === undefined ? undefined : graphqlOf(fill(settings.graphql, scope), baseUrl, refuse)
  const way = settings.auth && chooseWay(settings.auth, settings, configuration)
  // What is missing, or is a secret that was written as text, is none to sign in with: that is the same mistake.
  const auth = way && wrong.length === 0 ? configureAuth(way.way, configuration) : undefined
  const tls = settings.tls && configureTls(settings.tls, configuration)
  const socket = settings.socket === undefined ? undefined : configureSocket(settings.socket, configuration)
  const url = signInOf(defined({ auth, way }))?.url
  // Nothing but the socket is asked, and credentials go nowhere else.
  if (socket !== undefined && url !== undefined && new URL(url).origin !== socket.origin)
    refuse(refusals.signInBesideSocket(url, socket.origin, socket.path))
  if (refused.length > 0 || baseUrl === undefined) {
    return { ok: false, issues: refused }
  }
  const params = fill(settings.params ?? {}, scope) as JsonObject
  return {
    ok: true,
    context: { settings, baseUrl, inputs, params, ...defined({ graphqlUrl, auth, way, tls, socket }) },
  }
}

/** What the workspace gives, and the document's defaults for the rest. */
export const withDefaults = (settings: RestSettings, inputs: JsonObject): JsonObject => {
  const defaults = Object.entries(settings.with ?? {}).flatMap(([name, input]): [string, Json][] =>
    input.default === undefined ? [] : [[name, input.default]],
  )
  return { ...Object.fromEntries(defaults), ...inputs }
}

const isNeeded = ({ default: value, optional }: NonNullable<RestSettings['with']>[string] = {}): boolean =>
  value === undefined && optional !== true

/** The member of `with` that a template is, if it is nothing else. */
const inputOf = (template: string): string | undefined => /^\{with\.([\w-]+)\}$/.exec(template)?.[1]

/** Answers what is missing, and the secrets that are written as text. */
const checkInputs = (
  settings: RestSettings,
  inputs: JsonObject,
  refuse: Configuration['refuse'],
): readonly string[] => {
  const { id, with: params = {} } = settings
  const all = withDefaults(settings, inputs)
  const names = Object.keys(params)
  const unknown = Object.keys(inputs).filter((name) => !names.includes(name))
  const missing = names.filter((name) => inputs[name] === undefined && isNeeded(params[name]))
  for (const name of unknown) refuse(refusals.unknownWith(id, name, names), name)
  for (const name of missing) refuse(refusals.missingWith(id, name, params[name]?.secret === true))
  for (const name of names) {
    const { values } = params[name] ?? {}
    const value = all[name]
    if (values !== undefined && value !== undefined && !values.some((each) => each === value))
      refuse(refusals.wrongWith(name, value, values), name)
  }
  const plain = names.filter((name) => params[name]?.secret && inputs[name] !== undefined && !isSecret(inputs[name]))
  for (const name of plain) refuse(refusals.plainSecret(name), name)
  return [...missing, ...plain]
}

/** What may hold a password or a token is not shown. */
const shownUrl = (value: Json | undefined): { readonly value?: string } =>
  typeof value === 'string' && !/[@?#]/.test(value) ? { value: JSON.stringify(shorten(value, 60)) } : {}

const baseUrlOf = (value: Json | undefined, refuse: Configuration['refuse']): string | undefined => {
  const text = typeof value === 'string' ? value : ''
  const fault = baseUrlFault(text)
  if (fault === 'form') return refuse({ ...refusals.noBaseUrl(), ...shownUrl(value) })
  if (fault === 'lost') return refuse(refusals.lostBaseUrl())
  return fault === undefined ? new URL(text).href.replace(/\/+$/, '') : refuse(refusals.credentialsInUrl())
}

/** Credentials go with the requests, so it is at the origin of the API. */
const graphqlOf = (
  value: Json | undefined,
  baseUrl: string | undefined,
  refuse: Configuration['refuse'],
): string | undefined => {
  if (baseUrl === undefined) return undefined
  // The parser drops what a bare `?` or a space begins, so the text itself is looked at.
  const isPlain = typeof value === 'string' && !/[?#\\\s]/.test(value)
  const url = isPlain ? URL.parse(value, `${baseUrl}/`) : null
  const isHere = url !== null && baseUrlFault(url.href) === undefined && url.origin === new URL(baseUrl).origin
  if (!isHere) return refuse({ ...refusals.noGraphqlUrl(baseUrl), ...shownUrl(value) })
  return url.href.replace(/\/+$/, '')
}

/** Certificates by reference or from files of the workspace; a private key by reference only. */
const configureTls = (entry: TlsEntry, configuration: Configuration): ProviderTls => {
  const key = entry.key === undefined ? undefined : fill(entry.key, configuration.scope)
  return defined({
    ca: certificateOf('ca', entry.ca, configuration),
    cert: certificateOf('cert', entry.cert, configuration),
    key: key === undefined || isSecret(key) ? key : configuration.refuse(refusals.plainKey()),
  })
}

const certificateOf = (
  name: string,
  template: string | undefined,
  { scope, input: { files }, refuse }: Configuration,
): string | SecretMark | undefined => {
  if (template === undefined) return undefined
  const value = fill(template, scope)
  if (isSecret(value)) return value
  const path = typeof value === 'string' ? value : ''
  const text = files.get(path)
  if (text?.includes('-----BEGIN CERTIFICATE-----')) return text
  const why = text === undefined ? files.refusal(path).message : noPem(path)
  return refuse(refusals.noCertificate(name, why))
}

/** `sun_path` with its last zero, on the systems that have the least: https://man7.org/linux/man-pages/man7/unix.7.html */
const longest = 103

/** Where an API listens on this machine; `undefined` with an empty text. A relative path is below the workspace's folder. */
const configureSocket = (
  template: string,
  { scope, baseUrl, input: { folder }, refuse }: Configuration,
): ProviderSocket | undefined => {
  const value = fill(template, scope)
  if (value === '') return undefined
  if (typeof value !== 'string' || value.includes('\0') || /^[a-z][\w+.-]*:/i.test(value)) {
    return refuse(refusals.noSocketPath())
  }
  if (!value.startsWith('/') && folder === undefined) return refuse(refusals.relativeSocket(value))
  const path = value.startsWith('/') ? value : `${folder}/${value.replace(/^\.\//, '')}`
  if (!isStraight(path) || path.endsWith('/')) return refuse(refusals.lostSocketPath(path))
  const bytes = new TextEncoder().encode(path).length
  if (bytes > longest) return refuse(refusals.longSocketPath(longest, path))
  return { path, origin: new URL(baseUrl).origin }
}
