import { referencesIn } from '../../../config/expressions/references.ts'
import { AppError } from '../../../errors/errors.ts'
import { fromPointer } from '../../../json/pointer.ts'
import type { Provider, ProviderTls } from '../../../provider/provider.ts'
import type { Path } from '../../../schema/json.ts'
import type { Address } from '../../../schema/resource.ts'
import type { AnswerStore } from '../../../state/answers/answers.ts'
import { conditional } from '../../../transport/conditional.ts'
import { confined } from '../../../transport/confined.ts'
import { type Budget, budgeted, createBudget, shallow, withBudgets } from '../../../transport/limits/budget.ts'
import { type Circuits, createCircuits } from '../../../transport/limits/circuit.ts'
import { type Deadline, openDeadline, until } from '../../../transport/limits/deadline.ts'
import { type Fence, fenced } from '../../../transport/limits/fenced.ts'
import type { Left } from '../../../transport/limits/lefts.ts'
import { createMeter, type Meter, type ReadCost, readerOf } from '../../../transport/limits/meter.ts'
import { pace, throttle } from '../../../transport/limits/pace.ts'
import { createGauge, type Gauge } from '../../../transport/limits/quota.ts'
import { retry } from '../../../transport/limits/retry.ts'
import type { Spent } from '../../../transport/limits/spacing.ts'
import { memo } from '../../../transport/memo.ts'
import { readOnly } from '../../../transport/read-only.ts'
import { createRedactor, type Redactor, redacted } from '../../../transport/redaction/redact.ts'
import { type EarlierAnswers, resumed } from '../../../transport/resumed.ts'
import {
  learnAll,
  type ResolveOptions,
  resolveSecrets,
  resolveSource,
} from '../../../transport/sign-in/resolve-secrets.ts'
import { defaultTimeoutMs, type Transport } from '../../../transport/transport.ts'
import { defined } from '../../../values/defined.ts'
import type { Confines, Deps } from '../../deps.ts'
import { type EarlierReads, keyOfAnswers, openKeptAnswers } from './keep-answers.ts'
import { type LoadedWorkspace, withSpec } from './loaded-workspace.ts'
import { secretSources } from './seal-values.ts'
import { noProvider, reading } from './words.ts'

interface ProviderTransports {
  /** For planning: refuses everything except reads, and answers equal reads from a cache. */
  readonly cachedRead: Transport
  /** For the read right before a write: refuses everything except reads, and sends every read. */
  readonly read: Transport
  /** For approved commands; read-only if nothing may be sent. */
  readonly write: Transport
}

export interface Sending {
  of(alias: string): ProviderTransports
}

export interface Redacting {
  /** Knows every resolved secret, and removes it from texts. */
  readonly redactor: Redactor
  /** Knows only the secrets of the configuration (each of them before the first read) and the tokens of sign-ins. */
  readonly configured: Pick<Redactor, 'text'>
}

interface Spending {
  costs(): ReadonlyMap<Address, ReadCost>
  /**
   * What is left of the limit of each provider. If a provider has several limits, the one that most requests counted
   * for.
   */
  limits(): ReadonlyMap<string, Left>
  /** By provider: what was spent of limits that no answer reports, and how long requests waited for them. */
  spent(): ReadonlyMap<string, Pick<Gauge, 'spent' | 'waitedMs'>>
}

export interface Transports extends Sending, Redacting, Spending {
  /** Paths in a resource that references of other resources read. */
  named(address: Address): readonly Path[]
  /** Stores the answers that a later run may use. Call it after everything was read. */
  saveAnswers(): Promise<void>
  /** Resolves the secrets of the configuration. A secret that cannot be resolved is reported where it is needed. */
  learnSecrets(): Promise<void>
}

/** Characters. A shorter secret occurs in other texts by coincidence. */
const shortestEcho = 4

export interface TransportOptions extends Pick<ResolveOptions, 'live' | 'object'> {
  /** What earlier runs spent of limits that no answer reports, by provider. */
  readonly spent?: Readonly<Record<string, readonly Spent[]>> | undefined
  /** Every write passes the fence. If missing, nothing can be written. */
  readonly fence?: Fence
  /** Present for a check that may continue in another invocation. */
  readonly resume?: {
    readonly earlier: EarlierReads
    /** Milliseconds since the first part of the check began. */
    readonly elapsedMs: number
  }
}

const attempts = 4

interface Shared {
  readonly loaded: LoadedWorkspace
  readonly deps: Deps
  readonly options: TransportOptions
  readonly redactor: Redactor
  readonly configured: Redactor
  readonly circuits: Circuits
  readonly meter: Meter
  readonly gauges: Map<string, Gauge>
  readonly budget: Budget
  readonly answers: AnswerStore
  readonly deadline: () => Deadline
}

/**
 * Opens the transports to each provider. The schedule of an apply limits writes; they do not wait in the throttle,
 * because the fence needs a place in it for the read right before a write. Only secrets that the configuration names
 * for a provider or its resources can be sent to that provider.
 */
export const openTransports = (loaded: LoadedWorkspace, deps: Deps, options: TransportOptions): Transports => {
  const { limits, workspace } = loaded.configuration
  let planning: Deadline | undefined
  const readingMs = Math.max(0, limits.seconds * 1_000 - (options.resume?.elapsedMs ?? 0))
  const shared: Shared = {
    loaded,
    deps,
    options,
    redactor: createRedactor(),
    configured: createRedactor(),
    circuits: createCircuits(deps.clock),
    meter: createMeter(),
    gauges: new Map(),
    budget: createBudget(reading, limits),
    answers: openKeptAnswers(workspace, deps),
    // The time starts with the first read, so waiting for the commands of another worker does not count.
    deadline: () => (planning ??= openDeadline(reading, readingMs, deps.clock, deps.deadline)),
  }
  const opened = new Map([...loaded.providers].map(([alias, one]) => [alias, openProvider(alias, one, shared)]))
  const { redactor, configured, answers, meter, gauges } = shared
  const named = placesNamed(loaded)
  return {
    of: (alias) => {
      const found = opened.get(alias)
      if (found === undefined) throw new AppError('INTERNAL', { detail: noProvider(alias) })
      return found
    },
    redactor,
    configured,
    costs: meter.costs,
    limits: () => leftOf(gauges),
    spent: () => gauges,
    named: (address) => named.get(address) ?? [],
    learnSecrets: () => learnSources(shared),
    saveAnswers: async () => {
      if ([...loaded.providers.values()].some(({ keeps }) => keeps !== undefined)) await answers.save()
    },
  }
}

/**
 * The layers from the inside to the outside: http < confined < fenced < shallow < secrets < redaction < gauge < pace <
 * circuit < throttle < retry, then the deadline and read-only. For planning: throttle < kept answers < budget < retry <
 * deadline < read-only < earlier parts < meter < memo < budgets of lists.
 */
const openProvider = (alias: string, provider: Provider, shared: Shared): ProviderTransports => {
  const { deps, options, redactor, circuits, meter, gauges, budget, answers, deadline } = shared
  const { fence } = options
  const { clock, ids } = deps
  const resolving = resolvingFor(alias, shared)
  const { concurrency = deps.limits.concurrency, rate, quota, timeoutMs = defaultTimeoutMs } = provider.limits ?? {}
  const { baseUrls } = provider
  const whole = deps.transport({ ...confinesOf(provider, resolving), timeoutMs })
  const wire = baseUrls === undefined ? whole : confined(whole, baseUrls)
  const secrets = resolveSecrets(shallow(fenced(wire, fence, { timeoutMs, deadline: deps.deadline })), resolving)
  const silent = redacted(secrets, redactor)
  const reserve = fence && 0
  const gauge = quota && createGauge(quota, clock, defined({ reserve, spent: options.spent?.[alias] }))
  if (gauge !== undefined) gauges.set(alias, gauge)
  const metered = gauge?.around(silent) ?? silent
  const paced = rate === undefined ? metered : pace(metered, rate, clock)
  const answering = circuits.around(paced, provider.socket?.path)
  const limited = throttle(answering, concurrency)
  const again = { attempts, clock, random: ids.random }
  const all = retry(limited, again)
  const uncached = (inner: Transport): Transport =>
    readOnly(deps.deadline === undefined ? inner : until(inner, deps.deadline))
  const keyOf = keyOfAnswers(provider, deps.seal, resolving)
  const asking = provider.keeps === undefined ? limited : conditional(limited, answers, keyOf)
  const confirming = asking === limited ? undefined : uncached(retry(asking, again))
  const read: Transport = { ...uncached(all), ...defined({ confirming }) }
  const within = retry(budgeted(asking, budget), again)
  const sending = readOnly(until(within, { hold: (work) => deadline().hold(work) }))
  const { resume } = options
  const going = resume === undefined ? sending : resumed(sending, counting(resume.earlier, budget), keyOf)
  const cachedRead = withBudgets(memo(meter.around(going)), clock)
  return { cachedRead, read, write: fence === undefined ? read : retry(answering, again) }
}

/** Answers of an earlier part count for the budget of the whole check. */
const counting = ({ find, keep }: EarlierReads, budget: Budget): EarlierAnswers => ({
  keep,
  find: async (key) => {
    const found = await find(key)
    return found && budget.spend(async () => found)
  },
})

const resolvingFor = (alias: string, { loaded, deps, options, redactor, configured }: Shared): ResolveOptions => {
  const { fence: _, ...lookups } = options
  return {
    ...lookups,
    secrets: deps.secrets,
    allowed: sourcesOf(loaded, alias),
    learn: redactor.learn,
    ...defined({ signal: deps.deadline?.signal }),
    learnToken: (text) => (text.length < shortestEcho ? undefined : configured.learn(text)),
    clock: deps.clock,
    random: deps.ids.random,
    uuid: deps.ids.uuid,
    signJwt: deps.signJwt,
    sealBox: deps.sealBox,
  }
}

const leftOf = (gauges: ReadonlyMap<string, Gauge>): ReadonlyMap<string, Left> =>
  new Map(
    [...gauges].flatMap(([alias, gauge]): [string, Left][] => {
      const left = gauge.left()
      return left === undefined ? [] : [[alias, left]]
    }),
  )

/** Attributes the reads to one resource, for `costs`. */
export const readingFor = (transports: Transports, address: Address): Transports => ({
  ...transports,
  of: (alias) => {
    const found = transports.of(alias)
    return { ...found, cachedRead: readerOf(found.cachedRead, address) }
  },
})

const learnSources = async ({ loaded, deps: { secrets }, redactor, configured }: Shared): Promise<void> => {
  const sources = new Set(loaded.configuration.providers.flatMap(({ alias }) => [...sourcesOf(loaded, alias)]))
  const values = await Promise.allSettled([...sources].map((source) => secrets.resolve(source)))
  for (const value of values) {
    if (value.status === 'rejected') continue
    redactor.learn(value.value)
    if (value.value.length >= shortestEcho) configured.learn(value.value)
  }
}

const placesNamed = (loaded: LoadedWorkspace): ReadonlyMap<Address, readonly Path[]> => {
  const named = new Map<Address, Path[]>()
  for (const { $ref, pointer } of withSpec(loaded).flatMap(({ attributes }) => referencesIn(attributes))) {
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

const sourcesOf = (loaded: LoadedWorkspace, alias: string): ReadonlySet<string> =>
  new Set([
    ...loaded.configuration.providers
      .filter((each) => each.alias === alias)
      .flatMap((each) => secretSources(each.with)),
    ...withSpec(loaded)
      .filter((each) => each.provider === alias)
      .flatMap((each) => secretSources(each.attributes)),
  ])
