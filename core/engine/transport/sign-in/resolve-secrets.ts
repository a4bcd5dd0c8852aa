import { AppError } from '../../errors/errors.ts'
import type { Request, Response } from '../../schema/command.ts'
import type { Json, JsonObject } from '../../schema/json.ts'
import type { BoxSealer } from '../../schema/ports.ts'
import type { LiveMark } from '../../schema/value.ts'
import { defined } from '../../values/defined.ts'
import { retry } from '../limits/retry.ts'
import { type Lookups, resolveValue } from '../secrets/resolve-value.ts'
import { sealValues } from '../secrets/seal-values.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { Transport, WireRequest } from '../transport.ts'
import { valueFaults } from '../words.ts'
import { authenticate } from './authenticate.ts'
import { createSignIn, type SignInOptions } from './sign-in.ts'

export interface ResolveOptions extends SignInOptions {
  readonly secrets: Secrets
  readonly sealBox: BoxSealer
  /** Sources named in the configuration. An answer of an API can never cause another secret to be sent. */
  readonly allowed: ReadonlySet<string>
  /**
   * Resolves `live:<address>#<pointer>`, a sensitive value of the object itself, from the read right before the write.
   */
  readonly live?: (source: string, digest?: string) => Promise<Json>
  /**
   * The object of a `$live` mark, from the read right before the write. Throws if it differs from the planned object.
   */
  readonly object?: (mark: LiveMark) => JsonObject
}

const keyAttempts = 3

export const resolveSecrets = (inner: Transport, options: ResolveOptions): Transport => {
  const signIn = createSignIn(inner, options)
  const { sealBox, learn, clock, random } = options
  const send: Transport['send'] = async ({ sealedBox, ...request }, signal) => {
    const used = { secrets: 0 }
    const lookups = lookupsFor(options, used)
    const body = request.body === undefined ? undefined : await resolveValue(request.body, lookups)
    const plain: Request = { ...request, ...defined({ body }) }
    const ask = (read: Request): Promise<Response> => patient.send(read, signal)
    const whole = sealedBox === undefined ? plain : await sealValues(plain, sealedBox, { sealBox, ask, learn })
    const { auth, ...resolved } = whole
    if (auth === undefined) {
      const wire: WireRequest = used.secrets === 0 ? { ...resolved, isAnonymous: true } : resolved
      return inner.send(wire, signal)
    }
    if (auth.kind === 'oauth2' || auth.kind === 'login') return signIn.send(resolved, auth, lookups, signal)
    return inner.send(await authenticate(resolved, auth, lookups), signal)
  }
  /** Used for the read of a public key, because its failure would fail the write. */
  const patient = retry({ send }, { attempts: keyAttempts, clock, random })
  return { send }
}

const lookupsFor = (options: ResolveOptions, used: { secrets: number }): Lookups => ({
  secret: async (source, digest) => {
    used.secrets += 1
    const value = await resolveSource(source, digest, options)
    learnAll(value, options.learn)
    return value
  },
  live: (mark) => {
    used.secrets += 1
    if (options.object) return options.object(mark)
    throw new AppError('OBJECT_CHANGED', { object: mark.$live, detail: valueFaults.onlyBeforeWrite })
  },
  ...defined({ learn: options.learn }),
})

/** The value of a secret; its source must be named in the configuration. */
export const resolveSource = async (
  source: string,
  digest: string | undefined,
  { secrets, allowed, live }: ResolveOptions,
): Promise<Json> => {
  if (source.startsWith('live:')) {
    if (live) return live(source, digest)
    throw new AppError('SECRET_UNRESOLVED', { source, detail: valueFaults.onlyBeforeWrite })
  }
  if (allowed.has(source)) return secrets.resolve(source)
  throw new AppError('SECRET_UNRESOLVED', { source, detail: valueFaults.notNamed })
}

/** A value of the target may be an object that contains secret texts. */
export const learnAll = (value: Json, learn: SignInOptions['learn']): void => {
  if (value === null || typeof value === 'boolean') return
  if (typeof value === 'object') for (const inner of Object.values(value)) learnAll(inner, learn)
  else learn?.(String(value))
}
