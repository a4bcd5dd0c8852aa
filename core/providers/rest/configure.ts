import type { Auth } from '../../schema/command.ts'
import type { Issue } from '../../schema/issue.ts'
import type { Json, JsonObject } from '../../schema/json.ts'
import { isSecret, type SecretMark } from '../../schema/value.ts'
import type { ProviderInput } from '../provider.ts'
import type { Context } from './context.ts'
import type { AuthEntry, RestSettings } from './document.ts'
import { fill, type Scope, scopeOf } from './template.ts'

export type Configuring =
  | { readonly ok: true; readonly context: Context }
  | { readonly ok: false; readonly issues: readonly Issue[] }

interface Wrong {
  readonly message: string
  readonly fix: string
}

/** A document with what the workspace gives under `with`. Problems stand at the provider's entry. */
export const configureContext = (settings: RestSettings, input: ProviderInput): Configuring => {
  const given = withDefaults(settings, input.with)
  const scope = scopeOf({ with: given })
  const wrong: Wrong[] = checkGiven(settings, input.with)
  const baseUrl = baseUrlOf(fill(settings.baseUrl, scope))
  if (typeof baseUrl !== 'string') wrong.push(baseUrl)
  const auth = settings.auth === undefined ? undefined : authOf(settings.auth, scope)
  if (auth !== undefined && 'message' in auth) wrong.push(auth)
  if (wrong.length > 0 || typeof baseUrl !== 'string' || (auth !== undefined && 'message' in auth)) {
    return { ok: false, issues: wrong.map((one) => ({ ...input.position, ...one })) }
  }
  const params = fill(settings.params ?? {}, scope) as JsonObject
  return { ok: true, context: { settings, baseUrl, given, params, ...(auth === undefined ? {} : { auth }) } }
}

const withDefaults = (settings: RestSettings, given: JsonObject): JsonObject => {
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
  if (url.username !== '' || url.password !== '') {
    return { message: 'the base URL holds credentials', fix: 'take them out, and use auth with a secret' }
  }
  return url.href.replace(/\/+$/, '')
}

const secretOf = (template: string, scope: Scope): SecretMark | undefined => {
  const value = fill(template, scope)
  return isSecret(value) ? value : undefined
}

const noSecret: Wrong = {
  message: 'the provider signs in with a secret and got none',
  fix: 'refer to it under with, for example { secret: "env:NAME" }',
}

const authOf = (entry: AuthEntry, scope: Scope): Auth | Wrong => {
  if ('basic' in entry) {
    const password = secretOf(entry.basic.password, scope)
    const user = fill(entry.basic.user, scope)
    if (password === undefined) return noSecret
    if (typeof user === 'string' || isSecret(user)) return { kind: 'basic', user, password }
    return { message: 'the provider signs in with a user name and got none', fix: 'give it under with' }
  }
  if ('header' in entry) {
    const { name, template } = entry.header
    const secret = secretOf(entry.header.secret, scope)
    return secret === undefined ? noSecret : { kind: 'header', name, template, secret }
  }
  const secret = secretOf(entry.query.secret, scope)
  return secret === undefined ? noSecret : { kind: 'query', name: entry.query.name, secret }
}
