import { forgetKept, keep, kept } from './kept.ts'
import { comeBack, type IssuedTokens, type IssuerClient, isBack, leaveToSignIn, renew } from './sign-in.ts'

export interface ReaderSession {
  /** The token to send, renewed if it ends soon; `undefined` if the reader has to sign in again. */
  token(): Promise<string | undefined>
  /** Goes to the issuer and comes back to the same place. */
  signInAgain(): Promise<void>
  /** Forgets the tokens and all drafts. */
  end(): void
}

/** What a reader sees first. */
export type FirstView =
  | { readonly kind: 'signed_in'; readonly session: ReaderSession }
  | {
      readonly kind: 'signed_out'
      readonly detail?: string
      readonly signIn?: () => Promise<void>
      /** It was not found out who reads, and may be in a moment. */
      readonly isUnknown?: true
    }
  /** On its way to the issuer. */
  | { readonly kind: 'leaving' }

/** A token that ends within this time is renewed first. */
const soonMs = 60_000

const isOfHere = ({ issuer }: IssuerClient): boolean => new URL(issuer).origin === location.origin

const createSession = (way: IssuerClient, first: IssuedTokens): ReaderSession => {
  let tokens: IssuedTokens | undefined = first
  let renewing: Promise<IssuedTokens | undefined> | undefined
  const endsSoon = ({ endsAt }: IssuedTokens): boolean => endsAt !== undefined && endsAt - Date.now() < soonMs
  const renewed = ({ renewal, endsAt }: IssuedTokens): Promise<IssuedTokens | undefined> => {
    const isOver = (endsAt ?? 0) <= Date.now()
    if (renewal === undefined) return Promise.resolve(isOver ? undefined : tokens)
    renewing ??= renew(way, renewal)
      // An issuer that fails for a moment ends no session: the token is good until it ends.
      .catch(() => (isOver ? undefined : tokens))
      .finally(() => {
        renewing = undefined
      })
    return renewing
  }
  return {
    token: async () => {
      if (tokens !== undefined && endsSoon(tokens)) tokens = await renewed(tokens)
      return tokens?.access
    },
    signInAgain: () => leaveToSignIn(way),
    end: () => {
      tokens = undefined
      forgetKept()
      // The issuer of one machine forgets the browser, too. Elsewhere a session of the issuer is for other programs as well.
      if (isOfHere(way)) location.replace('authorize/sign-out')
    },
  }
}

const readWay = async (): Promise<IssuerClient | string> => {
  try {
    const answer = await fetch('v1/sign-in')
    const { issuer, clientId, scope } = (await answer.json()) as Partial<IssuerClient>
    if (!answer.ok) return `the endpoint answers ${answer.status}`
    if (!issuer || !clientId || !scope)
      return 'this deployment names no client for people: its setting signIn, or identity, does'
    return { issuer, clientId, scope }
  } catch {
    return 'the endpoint does not answer'
  }
}

const codeOf = (error: unknown): string => {
  const { error: named, code } = error as { readonly error?: unknown; readonly code?: unknown }
  return String(named ?? code ?? 'no usable answer').slice(0, 80)
}

/** Finds out who reads. A reload, and the page of this machine, ask the issuer without a word. */
export const begin = async (): Promise<FirstView> => {
  const way = await readWay()
  if (typeof way === 'string') return { kind: 'signed_out', detail: way, isUnknown: true }
  const signIn = () => leaveToSignIn(way)
  const isHere = isOfHere(way)
  try {
    if (isBack()) {
      const tokens = await comeBack(way)
      if (tokens !== undefined) {
        keep('was-here', true)
        return { kind: 'signed_in', session: createSession(way, tokens) }
      }
      keep('was-here', undefined)
      if (isHere)
        return {
          kind: 'signed_out',
          detail: 'open the link that `plumbline dev` shows in its terminal, then reload this tab',
        }
      return { kind: 'signed_out', signIn }
    }
    if (!isHere && kept('was-here') !== true) return { kind: 'signed_out', signIn }
    await signIn()
    return { kind: 'leaving' }
  } catch (error) {
    return { kind: 'signed_out', detail: `the issuer answers: ${codeOf(error)}`, signIn }
  }
}
