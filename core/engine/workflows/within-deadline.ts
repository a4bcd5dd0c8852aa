import { AppError } from '../errors/errors.ts'
import { type Deadline, openDeadline, until } from '../transport/limits/deadline.ts'
import type { Deps } from './deps.ts'

export interface Limit {
  /** What the time is for, in words for the error message. */
  readonly of: string
  /** Milliseconds from now for everything, including storing and alerting. Missing: no limit. */
  readonly ms?: number
  /** Aborted if the caller wants the work to end at once. */
  readonly signal?: AbortSignal
}

/**
 * Storing a large run takes seconds. If the time is short, a quarter of it is reserved, so that there is always time to
 * read.
 */
const storingMs = 20_000
const keptBack = (ms: number): number => Math.min(storingMs, ms / 4)

/**
 * Does work within a time. Reads and commands start and run until `deps.deadline`; storing and alerting until the end.
 * The work reaches everything outside through ports, and each port is aborted at its end. When the work has ended, in
 * any way, nothing that it started continues. Throws DEADLINE_REACHED, INTERRUPTED and what `work` throws.
 */
export const withinDeadline = async <Value>(
  { of, ms = Number.POSITIVE_INFINITY, signal }: Limit,
  deps: Deps,
  work: (deps: Deps) => Promise<Value>,
): Promise<Value> => {
  const end = openDeadline(of, ms, deps.clock, deps.deadline)
  const deadline = openDeadline(of, ms - (Number.isFinite(ms) ? keptBack(ms) : 0), deps.clock, end)
  const interrupt = (): void => end.end(new AppError('INTERRUPTED', { what: of }))
  if (signal?.aborted) interrupt()
  signal?.addEventListener('abort', interrupt, { once: true })
  try {
    return await end.hold(() => work({ ...bound(deps, end, deadline), deadline }))
  } finally {
    signal?.removeEventListener('abort', interrupt)
    interrupt()
  }
}

/** Limits every port that waits for something outside of this process. */
const bound = (deps: Deps, { hold }: Deadline, reading: Deadline): Deps => {
  const { store, config, secrets, alerts, queue, transport } = deps
  return {
    ...deps,
    store: {
      ...store,
      get: (key) => hold((signal) => store.get(key, signal)),
      query: (query) => hold((signal) => store.query(query, signal)),
      write: (writes) => hold((signal) => store.write(writes, signal)),
    },
    config: { load: (workspace) => hold((signal) => config.load(workspace, signal)) },
    secrets: { resolve: (source) => reading.hold((signal) => secrets.resolve(source, signal)) },
    alerts: { publish: (alert) => hold((signal) => alerts.publish(alert, signal)) },
    queue: {
      checks: (messages) => hold((signal) => queue.checks(messages, signal)),
      apply: (message) => hold((signal) => queue.apply(message, signal)),
    },
    transport: (confines) => until(transport(confines), { hold }),
  }
}
