import { valueAt } from '../../../engine/json/pointer.ts'
import type { ProviderDocument } from '../../../engine/provider/provider.ts'
import type { Issue } from '../../../engine/schema/issue.ts'
import type { Json, JsonObject, Path } from '../../../engine/schema/json.ts'
import { namesStatus } from '../../../engine/transport/answer/absence.ts'
import { soundsSecret } from '../../../engine/values/texts/name-words.ts'
import { type AuthEntry, type LoginEntry, type TokenUseEntry, waysOf } from '../document/api/auth.ts'
import type { RestSettings } from '../document/api/provider.ts'
import type { RestDocument } from '../document/document.ts'
import { isRead, type Operation, tellsExistence } from '../document/operation/operation.ts'
import { onePage } from '../document/operation/pages.ts'
import { names, neededIn, pathOf } from '../document/shared/template.ts'
import { checkHeaders, undeclaredIn } from './shared/headers.ts'
import { checkEmptyWhen, checkEndpoint, checkErrors, checkPages, checkRule } from './shared/operation.ts'
import { type Findings, found, issueAt, problem } from './shared/problem.ts'

/** Rules for the parts of a document that hold for all resources. */
export const checkProvider = ({ provider }: RestDocument): Findings => {
  const { reads, auth, tls, pagination, errors, envelope, with: given = {} } = provider
  return found(
    ['provider'],
    checkTexts(provider),
    Object.keys(reads.unknown)
      .filter((status) => namesStatus(reads.absent, Number(status)))
      .map((status) => problem(['reads', 'unknown', status], 'absentAndUnknown', status)),
    auth && found(['auth'], ...waysOf(auth).map(({ at, way }) => found(at, checkAuth(way)))),
    Object.entries(given).map(
      ([name, { default: value, optional }]) =>
        optional === true && value !== undefined && problem(['with', name, 'optional'], 'optionalDefault'),
    ),
    tls && checkCertificates(tls),
    checkRedirects(provider),
    found(['pagination'], checkPages(pagination ?? onePage)),
    errors && found(['errors'], checkErrors(errors)),
    envelope?.body !== undefined && !names(envelope.body, 'fields') && problem(['envelope', 'body'], 'hollowEnvelope'),
    reads.emptyWhen && checkEmptyWhen(reads.emptyWhen, ['reads', 'emptyWhen']),
    provider.sight && found(['sight'], checkSight(provider.sight, provider)),
    provider.me && found(['me'], checkMe(provider.me, provider)),
  )
}

const checkSight = ({ read, sees }: NonNullable<RestSettings['sight']>, provider: RestSettings): Findings => [
  !isRead(read) && problem(['read'], 'sightWrites'),
  sees.map((rule, index) => checkRule(rule, ['sees', index])),
  checkFirstRead(read, provider),
]

const checkMe = ({ read, as }: NonNullable<RestSettings['me']>, provider: RestSettings): Findings => [
  !isRead(read) && problem(['read'], 'meWrites'),
  tellsExistence(read) && problem(['read'], 'meIsToldByABody'),
  Object.entries(as)
    .filter(([, place]) => soundsSecret(String(pathOf(place).at(-1) ?? '')))
    .map(([name, place]) => problem(['as', name], 'secretCaller', name, place)),
  Object.hasOwn(provider.params ?? {}, 'me') && problem(['as'], 'twoCallers'),
  checkFirstRead(read, provider),
]

/** This request is sent before any object is known. */
const checkFirstRead = (read: Operation, provider: RestSettings): Findings => {
  const sent = { path: read.path, query: read.query ?? {}, body: read.body ?? null }
  const constants = Object.keys(provider.params ?? {})
  return [
    found(['read'], checkEndpoint(provider, read)),
    undeclaredIn(sent, provider).map((name) => problem(['read'], 'undeclaredWith', name)),
    neededIn(sent)
      .filter(({ variable: [first] }) => first !== 'with' && !constants.includes(String(first)))
      .map(({ at, variable }) => problem(['read', ...at], 'noValueHere', variable.join('.'))),
  ]
}

/** At this place no object is known, only the values of the workspace. `template` has its own variables. */
const checkTexts = (provider: RestSettings): Findings => [
  found(['headers'], checkHeaders(provider, provider.headers)),
  checkSettings(provider),
]

const checkSettings = (provider: RestSettings): Findings => {
  const texts: JsonObject = {
    baseUrl: provider.baseUrl,
    graphql: provider.graphql ?? null,
    socket: provider.socket ?? null,
    auth: (provider.auth ?? null) as Json,
    tls: (provider.tls ?? null) as Json,
    params: provider.params ?? {},
  }
  return Object.entries(texts).map(([key, text]) => [
    undeclaredIn(text, provider).map((name) => problem([key], 'undeclaredWith', name)),
    neededIn(text)
      .filter(
        ({ at, variable }) => variable[0] !== 'with' && at.at(-1) !== 'template' && !isSigned(provider, at, variable),
      )
      .map(({ at, variable }) => problem([key, ...at], 'noValueHere', variable.join('.'))),
  ])
}

/** `{jwt}` where a login sends it. */
const isSigned = ({ auth }: RestSettings, at: Path, [name, ...rest]: Path): boolean =>
  auth !== undefined &&
  name === 'jwt' &&
  rest.length === 0 &&
  waysOf(auth).some(({ at: base, way }) => {
    const [key, place] = at.slice(base.length)
    const isHere = base.every((step, index) => at[index] === step)
    return isHere && 'login' in way && way.login.jwt !== undefined && key === 'login' && sends.has(String(place))
  })

const sends: ReadonlySet<string> = new Set(['headers', 'body'])

const checkAuth = (auth: AuthEntry): Findings => {
  if ('header' in auth) return checkVariable(['header', 'template'], auth.header.template, '{secret}')
  if ('oauth2' in auth) return found(['oauth2', 'send'], checkUse(auth.oauth2.send))
  return 'login' in auth && found(['login'], checkLogin(auth.login))
}

const checkLogin = ({ basic, always, send, also = [], jwt, headers, body }: LoginEntry): Findings => {
  const isTwice = [send, ...also.map((more) => more.send)].some(
    (use) => 'header' in use && use.header.toLowerCase() === 'authorization',
  )
  return [
    found(['send'], checkUse(send)),
    also.map((more, index) => found(['also', index, 'send'], checkUse(more.send))),
    jwt !== undefined && !names([headers ?? {}, body ?? null], 'jwt') && problem(['jwt'], 'unsentJwt'),
    Object.keys(jwt?.claims ?? {})
      .filter((claim) => ownClaims.has(claim))
      .map((claim) => problem(['jwt', 'claims', claim], 'ownClaim', claim)),
    always === true && basic === undefined && problem(['always'], 'alwaysNothing'),
    always === true && isTwice && problem(['always'], 'alwaysTwice'),
  ]
}

/** Each has a key of its own beside `claims`. */
const ownClaims: ReadonlySet<string> = new Set(['iss', 'sub', 'aud', 'iat', 'exp', 'nbf', 'jti'])

const checkUse = ({ template }: TokenUseEntry): Findings => checkVariable(['template'], template, '{token}')

const checkVariable = (path: Path, template: string, variable: string): Findings =>
  !template.includes(variable) && problem(path, 'noTemplateVariable', variable)

const checkCertificates = ({ cert, key }: NonNullable<RestSettings['tls']>): Findings => [
  cert === undefined && key !== undefined && problem(['tls', 'key'], 'noCertificatePair', 'cert'),
  key === undefined && cert !== undefined && problem(['tls', 'cert'], 'noCertificatePair', 'key'),
]

/** A key that would have no effect is an error. */
const checkRedirects = ({ redirects, socket, auth, tls }: RestSettings): Findings =>
  redirects === 'anyOrigin' && [
    socket !== undefined && problem(['redirects'], 'redirectedSocket'),
    (auth !== undefined || tls !== undefined) && problem(['redirects'], 'redirectedCredentials'),
  ]

/**
 * A document that uses a member which the given value does not have: no part of a rule, a sign-in or a request may be left
 * out silently. A value that is missing as a whole is reported at the provider's entry.
 */
export const checkInputParts = (document: ProviderDocument, inputs: JsonObject): readonly Issue[] =>
  neededIn(document.value).flatMap(({ at, variable: [first, ...rest] }) =>
    first === 'with' && valueAt(inputs, rest.slice(0, 1)) !== undefined && valueAt(inputs, rest) === undefined
      ? [issueAt(document, problem(at, 'noSuchPart', rest.join('.'), String(rest[0])))]
      : [],
  )
