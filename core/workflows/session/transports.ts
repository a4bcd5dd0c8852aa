import { referencesIn } from '../../config/references/references.ts'
import { AppError } from '../../errors.ts'
import { fromPointer } from '../../json/pointer.ts'
import type { Provider, ProviderTls } from '../../providers/provider.ts'
import type { Path } from '../../schema/json.ts'
import type { Address } from '../../schema/resource.ts'
import { conditional } from '../../transport/conditional.ts'
import { confined } from '../../transport/confined.ts'
import { type Fence, fenced } from '../../transport/fenced.ts'
import { budgeted, createBudget, shallow, withBudgets } from '../../transport/limits/budget.ts'
import { createCircuits } from '../../transport/limits/circuit.ts'
import { type Deadline, openDeadline, until } from '../../transport/limits/deadline.ts'
import { pace, throttle } from '../../transport/limits/pace.ts'
import { createGauge } from '../../transport/limits/quota.ts'
import { retry } from '../../transport/limits/retry.ts'
import { memo } from '../../transport/memo.ts'
import { readOnly } from '../../transport/read-only.ts'
import { createRedactor, type Redactor, redacted } from '../../transport/redaction/redact.ts'
import {
  learnAll,
  type ResolveOptions,
  resolveSecrets,
  resolveSource,
} from '../../transport/secrets/resolve-secrets.ts'
import { defaultTimeoutMs, type Transport } from '../../transport/transport.ts'
import { defined } from '../../values/defined.ts'
import type { Confines, Deps } from '../deps.ts'
import { keyOfAnswers, openKeptAnswers } from './keep-answers.ts'
import type { LoadedWorkspace } from './load/loaded-workspace.ts'
import { secretSources } from './read/seal-values.ts'
import { noProvider, reading } from './words.ts'

/** The transports to the target of one provider. */
interface ProviderTransports {
  /** For planning: refuses everything except reads, and answers equal reads from a cache. */
  readonly cachedRead: Transport
  /** For the read right before a write: as `cachedRead`, but every read is sent. */
  readonly read: Transport
  /** For approved commands; read-only if nothing may be sent. */
  readonly write: Transport
}

export interface Transports {
  of(alias: string): ProviderTransports
  /** Knows every resolved secret, and removes it from texts. */
  readonly redactor: Redactor
  /** Knows the secrets of the configuration (each of them before the first read) and the tokens of sign-ins, and no other. */
  readonly configured: Pick<Redactor, 'text'>
  /** Paths in a resource that references of other resources read. */
  named(address: Address): readonly Path[]
  /** Stores the answers that a later run may use. Call it when everything was read. */
  saveAnswers(): Promise<void>
  /** Resolves the secrets of the configuration. A secret that cannot be resolved is reported where it is needed. */
  learnSecrets(): Promise<void>
}

/** A shorter secret occurs in other texts by coincidence. */
const shortestEcho = 4

export interface TransportOptions extends Pick<ResolveOptions, 'live' | 'object'> {
  /** The fence that every write passes. Missing: nothing can be written. */
  readonly fence?: Fence
}

const attempts = 4

/**
 * Opens the transports to each provider: http < confined < fenced < shallow < secrets < redaction < pace < circuit < throttle <
 * retry, then the deadline and read-only; for planning also kept answers (outside throttle), memo and budgets. The schedule
 * of an apply limits writes: they do not wait in the throttle, because the fence needs a place in it for the read right before a write. Only secrets
 * that the configuration names for that provider or its resources can be sent to it.
 */
export const openTransports = (loaded: LoadedWorkspace, deps: Deps, options: TransportOptions): Transports => {
  const redactor = createRedactor()
  const configured = createRedactor()
  const { fence, ...lookups } = options
  const opened = new Map<string, ProviderTransports>()
  const circuits = createCircuits(deps.clock)
  const { limits } = loaded.configuration
  const budget = createBudget(reading, limits)
  const answers = openKeptAnswers(loaded.configuration.workspace, deps)
  let planning: Deadline | undefined
  // Time before the first read does not count, for example waiting for the commands of another worker.
  const deadline = (): Deadline =>
    (planning ??= openDeadline(reading, limits.seconds * 1_000, deps.clock, deps.deadline))
  for (const [alias, provider] of loaded.providers) {
    const resolving = {
      ...lookups,
      secrets: deps.secrets,
      allowed: sourcesOf(loaded, alias),
      learn: redactor.learn,
      ...defined({ signal: deps.deadline?.signal }),
      learnToken: (text: string) => (text.length < shortestEcho ? undefined : configured.learn(text)),
      clock: deps.clock,
      random: deps.ids.random,
      uuid: deps.ids.uuid,
      signJwt: deps.signJwt,
    }
    const { concurrency = deps.limits.concurrency, rate, quota, timeoutMs = defaultTimeoutMs } = provider.limits ?? {}
    const { baseUrls } = provider
    const whole = deps.transport({ ...confinesOf(provider, resolving), timeoutMs })
    const wire = baseUrls === undefined ? whole : confined(whole, baseUrls)
    const secrets = resolveSecrets(shallow(fenced(wire, fence, { timeoutMs, deadline: deps.deadline })), resolving)
    const silent = redacted(secrets, redactor)
    const metered = quota === undefined ? silent : createGauge(quota, deps.clock, fence && 0).around(silent)
    const paced = rate === undefined ? metered : pace(metered, rate, deps.clock)
    const answering = circuits.around(paced, provider.socket?.path)
    const limited = throttle(answering, concurrency)
    const again = { attempts, clock: deps.clock, random: deps.ids.random }
    const all = retry(limited, again)
    const read = readOnly(deps.deadline === undefined ? all : until(all, deps.deadline))
    const asking = provider.keeps
      ? conditional(limited, answers, keyOfAnswers(provider, deps.seal, resolving))
      : limited
    const within = retry(budgeted(asking, budget), again)
    const cachedRead = withBudgets(memo(readOnly(until(within, { hold: (work) => deadline().hold(work) }))), deps.clock)
    opened.set(alias, { cachedRead, read, write: fence === undefined ? read : retry(answering, again) })
  }
  const of = (alias: string): ProviderTransports => {
    const found = opened.get(alias)
    if (found === undefined) throw new AppError('INTERNAL', { detail: noProvider(alias) })
    return found
  }
  const learnSecrets = async (): Promise<void> => {
    const sources = new Set(loaded.configuration.providers.flatMap(({ alias }) => [...sourcesOf(loaded, alias)]))
    const values = await Promise.allSettled([...sources].map((source) => deps.secrets.resolve(source)))
    for (const value of values) {
      if (value.status === 'rejected') continue
      redactor.learn(value.value)
      if (value.value.length >= shortestEcho) configured.learn(value.value)
    }
  }
  const saveAnswers = async (): Promise<void> => {
    if ([...loaded.providers.values()].some(({ keeps }) => keeps !== undefined)) await answers.save()
  }
  const named = placesNamed(loaded)
  return { of, redactor, configured, saveAnswers, named: (address) => named.get(address) ?? [], learnSecrets }
}

const placesNamed = ({ configuration }: LoadedWorkspace): ReadonlyMap<Address, readonly Path[]> => {
  const named = new Map<Address, Path[]>()
  for (const { $ref, pointer } of configuration.resources.flatMap(({ attributes }) => referencesIn(attributes))) {
    named.set($ref, [...(named.get($ref) ?? []), fromPointer(pointer)])
  }
  return named
}

const confinesOf = (
  { fileRoots = [], programs = [], limits = {}, tls, socket }: Provider,
  resolving: ResolveOptions,
): Confines => {
  const { concurrency: _, writeConcurrency: __, rate: ___, quota: ____, ...rest } = limits
  return { fileRoots, programs, ...rest, ...defined({ socket, tls: tls && (() => certificatesOf(tls, resolving)) }) }
}

const certificatesOf = async (tls: ProviderTls, options: ResolveOptions): ReturnType<NonNullable<Confines['tls']>> => {
  const entries = Object.entries(tls).map(async ([name, value]) => {
    const text = typeof value === 'string' ? value : await resolveSource(value.$secret, undefined, options)
    if (name === 'key') learnAll(text, options.learn)
    return [name, text] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}

const sourcesOf = ({ configuration }: LoadedWorkspace, alias: string): ReadonlySet<string> =>
  new Set([
    ...configuration.providers.filter((each) => each.alias === alias).flatMap((each) => secretSources(each.with)),
    ...configuration.resources
      .filter((each) => each.provider === alias)
      .flatMap((each) => secretSources(each.attributes)),
  ])
