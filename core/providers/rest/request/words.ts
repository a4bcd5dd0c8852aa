import type { Request } from '../../../engine/schema/command.ts'
import { isArray, type Json } from '../../../engine/schema/json.ts'
import { uncoded as said } from '../../../engine/values/diagnose.ts'
import { spellValue } from '../../../engine/values/spell-value.ts'

/** All sentences about configuring a provider and reading its API. */

/** Why a provider cannot be configured with the values of the workspace. */
export const refusals = {
  noDefinition: (alias: string) =>
    said(`the provider "${alias}" has no provider document`, 'add definition: ./<name>.provider.yaml'),
  unknownWith: (provider: string, name: string, names: readonly string[]) =>
    said(
      `the provider ${provider} takes no "${name}" under with`,
      names.length === 0 ? 'remove it' : `it takes: ${names.join(', ')}`,
    ),
  missingWith: (provider: string, name: string, isSecret: boolean) =>
    said(
      `the provider ${provider} needs "${name}" under with`,
      `add it, such as with: { ${name}: ${isSecret ? '{ secret: "env:NAME" }' : '...'} }`,
    ),
  wrongWith: (name: string, value: Json, values: readonly Json[]) =>
    said(`"${name}" is ${spellValue(value)}`, `it takes: ${values.map(spellValue).join(', ')}`),
  plainSecret: (name: string) =>
    said(
      `"${name}" is a secret, but the configuration contains it as text`,
      'refer to it, for example { secret: "env:NAME" }',
    ),
  noBaseUrl: () =>
    said('the base URL is no http or https URL without ?, # and spaces', 'give one such as https://api.example.com/v1'),
  noGraphqlUrl: (baseUrl: string) =>
    said(
      `the GraphQL address is no http or https URL without a query at the origin of ${baseUrl}`,
      'give a path from the base URL, such as ../graphql',
    ),
  lostBaseUrl: () =>
    said(
      'the path of the base URL has an empty, "." or ".." segment, which is lost on the way',
      'write the final path',
    ),
  credentialsInUrl: () => said('the base URL holds credentials', 'remove them, and use auth with a secret'),
  noSecret: () =>
    said(
      'the provider signs in with a secret and got none',
      'refer to it under with, for example { secret: "env:NAME" }',
    ),
  noWay: (ways: readonly (readonly string[])[]) =>
    said('the provider signs in with one of several sets of settings, and none is complete', `give ${setsOf(ways)}`),
  severalWays: (ways: readonly (readonly string[])[]) =>
    said('the settings are those of more than one way to sign in', `give only ${setsOf(ways)}`),
  noClaims: () =>
    said(
      'a signed token needs an issuer, and all of its claims must be texts that are no secret',
      'give them as text under with; only the key is a secret',
    ),
  noUser: () => said('the provider signs in with a user name and got none', 'give it under with'),
  noRegion: () => said('the provider signs for a region and a service of AWS and got none', 'give them under with'),
  noAddress: () =>
    said(
      'the address to sign in at is no http or https URL and no path, or holds credentials or a secret',
      'give one such as https://id.example.com/token or /login, and send secrets in headers or the body',
    ),
  otherHost: (origin: string, url: string) =>
    said(`the login is on another host than ${origin}: ${url}`, 'correct the URL, or allow it with otherHost: true'),
  plainKey: () =>
    said('the key of tls is no secret', 'refer to it under with, for example { secret: "file:/run/key.pem" }'),
  noCertificate: (name: string, why: string) =>
    said(`${name} of tls: ${why}`, 'give the path of a PEM file from the folder of the workspace, or a secret'),
  noSocketPath: () => said('the socket is no path of a socket', 'give one such as /run/api.sock'),
  relativeSocket: (path: string) =>
    said(`the socket ${path} is relative, and this workspace has no folder on a machine`, 'write an absolute path'),
  lostSocketPath: (path: string) =>
    said(`the path of the socket has an empty, "." or ".." segment: ${path}`, 'write it without'),
  longSocketPath: (longest: number, path: string) =>
    said(`the path of the socket is longer than ${longest} bytes: ${path}`, 'use a shorter one'),
  signInBesideSocket: (url: string, origin: string, path: string) =>
    said(
      `the address to sign in at, ${url}, is not below ${origin}, and only that is asked at the socket ${path}`,
      'sign in at the socket, or reach the API without one',
    ),
}

const setsOf = (ways: readonly (readonly string[])[]): string => ways.map((names) => names.join(', ')).join('; or ')

export const noPem = (path: string): string => `${path} is no certificate in PEM`

/** The check of a document has found all operations that it names. */
export const noOperation = (type: string, op: string): string => `${type} has no operation ${op}`

/** What the value of an answer is. */
export const kindOf = (value: Json | undefined): string => {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : typeof value === 'string' ? 'text' : `a ${typeof value}`
}

/** What an object lacks in an answer. */
export const lackOf = {
  member: (name: string) => `no ${name}`,
  all: (names: readonly string[]) => `none of ${names.join(', ')}`,
  requestedId: (name: string) => `another ${name} than was asked for`,
}

export const answered = ({ method, url }: Pick<Request, 'method' | 'url'>, what: string): string =>
  `${method} ${url} answered ${what}`

/** An answer without a usable result; the text follows "GET <url> answered". */
export const answers = {
  /** `means`: the status that the document assigns to it. `isPart`: it would be a success if it were complete. */
  status: (status: number, means: number, isPart: boolean, words: string | undefined) => {
    const meaning = status === means ? '' : `, which means ${means}`
    const part = isPart ? ', which is no whole answer' : ''
    return `${status}${meaning}${part}${words === undefined ? '' : `: ${words}`}`
  },
  needs: (detail: string, permission: string) => `${detail} (it needs ${permission})`,
  /** A status that means "not there", in an answer that may not come from the API. */
  foreignAbsence: (status: number, type: string) => {
    const form = type === 'none' ? 'without a body' : type === 'unknown' ? 'as text' : `as ${type}`
    const expected = type === 'unknown' ? 'any' : type
    return `${status} ${form}: if this is an answer of the API itself, write { status: ${status}, type: ${expected} } under absent`
  },
  otherKind: (value: Json | undefined, expected: 'an object' | 'a list' | 'a cursor') =>
    `${kindOf(value)} where ${expected} was expected`,
  statusOnly: (type: string) => `${type} where only the status was expected`,
  cutList: (place: string) =>
    `the list at ${place} has more than the answer shows, or nothing says that it has not (pageInfo { hasNextPage })`,
  lacking: (lack: string) => `an object with ${lack}`,
}
