import { digest } from '../../../json/digest.ts'
import type { Provider } from '../../../provider/provider.ts'
import type { Auth } from '../../../schema/auth.ts'
import { isArray, isObject, type Json } from '../../../schema/json.ts'
import type { Seal } from '../../../schema/ports.ts'
import { isSecret } from '../../../schema/value.ts'
import type { AnswerStore } from '../../../state/answers/answers.ts'
import type { KeyOf } from '../../../transport/conditional.ts'
import { once } from '../../../transport/memo.ts'
import type { EarlierAnswers } from '../../../transport/resumed.ts'
import { type ResolveOptions, resolveSource } from '../../../transport/sign-in/resolve-secrets.ts'
import { defined } from '../../../values/defined.ts'
import type { Deps } from '../../deps.ts'

/**
 * The kept answers of a workspace; with `check`, those of the earlier parts of a check. Code and answers are loaded at
 * their first use.
 */
export const openKeptAnswers = (
  workspace: string,
  { store, cipher, clock, warn }: Deps,
  check?: string,
): AnswerStore => {
  let opened: Promise<AnswerStore> | undefined
  const open = async (): Promise<AnswerStore> => {
    const { openAnswers } = await import('../../../state/answers/answers.ts')
    const lost = (error: unknown): void => warn({ kind: 'answers_lost', workspace, error })
    return openAnswers({ store, workspace, cipher, clock, warn: lost, ...defined({ check }) })
  }
  const answers = (): Promise<AnswerStore> => (opened ??= open())
  return {
    find: async (key) => (await answers()).find(key),
    keep: async (key, answer) => (await answers()).keep(key, answer),
    save: async () => (await answers()).save(),
  }
}

export interface EarlierReads extends EarlierAnswers {
  kept(): number
  save(): Promise<void>
}

/** `check` identifies everything that must be the same in all parts. */
export const openEarlierReads = (workspace: string, check: string, deps: Deps): EarlierReads => {
  const answers = openKeptAnswers(workspace, deps, check)
  let kept = 0
  return {
    find: async (key) => (await answers.find(key))?.response,
    keep: async (key, response) => {
      kept += 1
      await answers.keep(key, { etag: '', response })
    },
    kept: () => kept,
    save: () => answers.save(),
  }
}

/** Version of the form of the key and of the kept answers. */
const format = 1

/**
 * The key depends on everything that the answer depends on: the document, the server, the caller, and the request with
 * its headers. The caller is identified by the seals of the credentials, because a token that is fetched with them
 * changes.
 */
export const keyOfAnswers = (
  { keeps, socket, tls }: Pick<Provider, 'keeps' | 'socket' | 'tls'>,
  seal: Seal,
  resolving: ResolveOptions,
): KeyOf => {
  const callers = new Map<string, Promise<Json>>()
  const callerOf = (auth: Auth | undefined): Promise<Json> =>
    once(callers, digest(auth ?? null), () => sealed([auth ?? null, tls ?? null] as Json, seal, resolving))
  return async ({ method, url, headers = {}, auth, body }) => {
    // If the secret cannot be resolved, there is no key; the request itself then fails with the reason.
    const caller = await callerOf(auth).catch(() => undefined)
    if (caller === undefined) return undefined
    const about = [format, keeps?.version ?? '', socket?.path ?? '', caller, method, url, headers]
    return digest(body === undefined ? about : [...about, body]).slice('sha256:'.length)
  }
}

/** Seals the secrets in a value. What is signed or fetched with a secret needs no seal of its own. */
const sealed = async (value: Json, seal: Seal, resolving: ResolveOptions): Promise<Json> => {
  if (isSecret(value)) {
    const isNamed = resolving.allowed.has(value.$secret)
    return { $secret: isNamed ? seal(await resolveSource(value.$secret, undefined, resolving)) : value.$secret }
  }
  if (isArray(value)) return Promise.all(value.map((inner) => sealed(inner, seal, resolving)))
  if (!isObject(value)) return value
  const members = Object.entries(value).map(
    async ([name, inner]) => [name, await sealed(inner, seal, resolving)] as const,
  )
  return Object.fromEntries(await Promise.all(members))
}
