import { readFile } from 'node:fs/promises'
import {
  AppError,
  type Clock,
  parseForeign,
  parseSecretSource,
  type SecretKind,
  type Secrets,
  secretKinds,
} from '#core'
import { type Patience, usual, waiting } from './aws/patience.ts'
import { errno, ifThere } from './files/system-errors.ts'
import { jsonFaults } from './json-in.ts'

export interface SecretsOptions {
  /** The variables that `env:` may read. A configuration can send each of them to any server. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly clock: Pick<Clock, 'now'>
  /** The kinds of sources that exist here; all when absent. */
  readonly kinds?: readonly SecretKind[]
  /** The time limit for reading one secret. 15 seconds when absent. */
  readonly limitMs?: number
  readonly patience?: Patience
}

const keepMs = 300_000

type SecretReader = (name: string, signal: AbortSignal, patience: Patience) => Promise<string | undefined>

/**
 * Reads secrets by source: `env:NAME`, `file:/path` (one line feed at its end is not part of the value), `ssm:/name`
 * and `secretsmanager:id`. `#member` picks a member of a JSON secret.
 */
export const createSecrets = ({
  environment,
  clock,
  kinds = secretKinds,
  limitMs = 15_000,
  patience = usual,
}: SecretsOptions): Secrets => {
  const readers: Readonly<Record<SecretKind, SecretReader>> = {
    env: async (name) => (Object.hasOwn(environment, name) ? environment[name] : undefined),
    file: readSecretFile,
    ssm: readParameter,
    secretsmanager: readManagedSecret,
  }
  const kept = new Map<string, CachedSecret>()
  const read = async (source: string, ends: AbortSignal | undefined): Promise<string> => {
    const { kind, name, member } = parseSource(source, kinds)
    const value = await inTime(source, limitMs, ends, (signal) => readers[kind](name, signal, patience)).catch(
      (error: unknown) => (error instanceof AppError ? Promise.reject(error) : refuse(source, reasonOf(error))),
    )
    const picked = member === undefined ? value : pick(source, value, member)
    if (picked === undefined) return refuse(source, 'it does not exist')
    // A variable or a file that was prepared and never filled may hold a blank.
    return picked.trim() === '' ? refuse(source, 'it is empty') : picked
  }
  const resolve: Secrets['resolve'] = (source, signal) => {
    const now = clock.now().getTime()
    const known = kept.get(source)
    if (known && known.until > now)
      // The work that asked first was cancelled, but the current work was not: the secret is read again.
      return known.value.catch((error: unknown) =>
        known.signal?.aborted && signal !== known.signal ? resolve(source, signal) : Promise.reject(error),
      )
    // A failure reaches all who wait for the value, and is not kept.
    const value = read(source, signal).catch((error: unknown) => {
      if (kept.get(source) === entry) kept.delete(source)
      throw error
    })
    const entry: CachedSecret = { until: now + keepMs, value, signal }
    kept.set(source, entry)
    return value
  }
  return { resolve }
}

interface CachedSecret {
  readonly until: number
  readonly value: Promise<string>
  readonly signal: AbortSignal | undefined
}

/** A file may hang like a service: on a lost mount, or a pipe without a writer. */
const inTime = <Value>(
  source: string,
  ms: number,
  ends: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> => {
  const { promise, reject } = Promise.withResolvers<never>()
  const over = new AbortController()
  const timer = setTimeout(() => {
    over.abort()
    reject(new AppError('SECRET_UNRESOLVED', { source, detail: `no answer within ${ms / 1_000} s` }))
  }, ms)
  const signal = ends === undefined ? over.signal : AbortSignal.any([over.signal, ends])
  return Promise.race([work(signal), promise]).finally(() => clearTimeout(timer))
}

const parseSource = (source: string, kinds: readonly SecretKind[]) => {
  const parsed = parseSecretSource(source)
  if (parsed !== undefined && kinds.includes(parsed.kind)) return parsed
  return refuse(source, `a source here is ${kinds.map((each) => `${each}:...`).join(', ')}`)
}

const refuse = (source: string, detail: string): never => {
  throw new AppError('SECRET_UNRESOLVED', { source, detail })
}

/** Returns only codes and names: a message may repeat what was read. */
const reasonOf = (error: unknown): string => errno(error) ?? (error instanceof Error ? error.name : 'unknown reason')

const pick = (source: string, text: string | undefined, member: string): string | undefined => {
  if (text === undefined) return undefined
  const parsed = parseForeign(text)
  if ('fault' in parsed && parsed.fault === 'repeated') return refuse(source, `it ${jsonFaults.repeated}`)
  const members = 'value' in parsed ? parsed.value : undefined
  if (typeof members !== 'object' || members === null) return refuse(source, 'it is no JSON object')
  const value: unknown = Object.hasOwn(members, member) ? Reflect.get(members, member) : undefined
  if (value === undefined) return refuse(source, `it has no member "${member}"`)
  // Everybody can guess the word null.
  if (value === null) return refuse(source, `its member "${member}" is null`)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const readSecretFile: SecretReader = async (path, signal) =>
  (await ifThere(readFile(path, { encoding: 'utf8', signal })))?.replace(/\r?\n$/, '')

// The clients load with the first secret that needs them, so that a function without such secrets starts faster.
const readParameter: SecretReader = async (name, abortSignal, patience) => {
  const { GetParameterCommand, SSMClient } = await import('@aws-sdk/client-ssm')
  const answer = await new SSMClient(waiting(patience)).send(
    new GetParameterCommand({ Name: name, WithDecryption: true }),
    {
      abortSignal,
    },
  )
  return answer.Parameter?.Value
}

const readManagedSecret: SecretReader = async (id, abortSignal, patience) => {
  const { GetSecretValueCommand, SecretsManagerClient } = await import('@aws-sdk/client-secrets-manager')
  const answer = await new SecretsManagerClient(waiting(patience)).send(new GetSecretValueCommand({ SecretId: id }), {
    abortSignal,
  })
  return answer.SecretString ?? (answer.SecretBinary && Buffer.from(answer.SecretBinary).toString('utf8'))
}
