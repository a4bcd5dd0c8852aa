import { AppError, isAppError } from '../../errors/errors.ts'
import type { Request } from '../../schema/command.ts'
import type { Clock } from '../../schema/ports.ts'
import { isRead } from '../read-only.ts'
import type { Transport } from '../transport.ts'

/** Stops requests to hosts that do not answer. Shared by all transports of a run. */
export interface Circuits {
  /** `at` distinguishes transports that reach different servers by the same URL. */
  around(inner: Transport, at?: string): Transport
}

/** The weight of a failure. A time-out weighs more than a refused connection, because it waited longer. */
const weights = { timeout: 3, network: 2 } as const
/**
 * Sum of weights. For sibling paths: two time-outs or three failed connections. For a single path and for a whole host:
 * three time-outs or four failed connections.
 */
const limits = { path: 8, folder: 6, host: 8 } as const
/** A host that restarts refuses connections for a moment; retries handle that. */
const shortestSilenceMs = 1_000
/** After this time one request is tried again. */
const pauseMs = 30_000

type LineKind = keyof typeof limits

interface SilenceCause {
  readonly reason: keyof typeof weights
  readonly detail: string
}

interface SilentLine {
  readonly kind: LineKind
  readonly what: string
  weight: number
  /**
   * Failures of overlapping requests count once: a failure counts only if its request began after the last counted
   * failure.
   */
  round: number
  /** The round of the last answer. Requests that began before do not count. */
  answered: number
  /** The parts that failed since the last answer: one slow part proves nothing about the others. */
  readonly silent: Set<string>
  /** Time of the first failure since the last answer, by the monotonic clock. */
  since: number
  given?: SilenceCause & { triedAt: number }
}

const parts = (url: URL): readonly { readonly kind: LineKind; readonly what: string; readonly part: string }[] => {
  const path = `${url.origin}${url.pathname}`
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  return [
    { kind: 'path', what: path, part: path },
    { kind: 'folder', what: folder, part: path },
    { kind: 'host', what: url.origin, part: folder },
  ]
}

/**
 * A circuit for each host, and within it for each path and for sibling paths, so that one slow endpoint does not stop
 * requests to its host. An answer with any status closes the circuit. While it is open, reads are not sent and all
 * reject with the same HOST_SILENT. Only reads count and are held back: an unsent write must not look like a sent one.
 */
export const createCircuits = (clock: Pick<Clock, 'monotonic'>): Circuits => {
  const all = new Map<string, SilentLine>()
  const linesOf = (url: URL, at: string): readonly (readonly [SilentLine, string])[] =>
    parts(url).map(({ kind, what, part }) => {
      const key = `${kind} ${at} ${what}`
      const line = all.get(key) ?? { kind, what, weight: 0, round: 0, answered: 0, silent: new Set(), since: 0 }
      all.set(key, line)
      return [line, part]
    })
  return {
    around: (inner, at = '') => ({
      ...inner,
      send: async (request, signal) => {
        const url = asked(request)
        if (url === undefined) return inner.send(request, signal)
        const lines = linesOf(url, at)
        pass(lines, clock)
        const began = lines.map(([{ round }]) => round)
        try {
          const response = await inner.send(request, signal)
          for (const [line] of lines) answered(line)
          return response
        } catch (error) {
          const cause = causeOf(error)
          if (cause === 'answer') for (const [line] of lines) answered(line)
          if (cause === undefined || cause === 'answer') throw error
          for (const [index, [line, part]] of lines.entries()) {
            failed(line, part, { ...cause, began: began[index] ?? 0 }, clock)
          }
          throw silenceOf(lines) ?? error
        }
      },
    }),
  }
}

const asked = (request: Request): URL | undefined => {
  const url = isRead(request) ? URL.parse(request.url) : null
  return url !== null && /^https?:$/.test(url.protocol) ? url : undefined
}

/**
 * Why there was no answer; `answer` if there was one, even an invalid one; `undefined` if the error says nothing about
 * the host.
 */
const causeOf = (error: unknown): SilenceCause | 'answer' | undefined => {
  if (isAppError(error, 'RESPONSE_INVALID') || isAppError(error, 'RESPONSE_TOO_LARGE')) return 'answer'
  if (!isAppError(error, 'REQUEST_FAILED')) return undefined
  const { reason, detail } = error.payload
  return reason === 'timeout' || reason === 'network' ? { reason, detail } : undefined
}

type Lines = readonly (readonly [SilentLine, string])[]

const silenceOf = (lines: Lines): AppError | undefined => {
  // Reports the widest silent part (`lines` end with it).
  const found = lines.findLast(([{ given }]) => given !== undefined)?.[0]
  if (found?.given === undefined) return undefined
  const { reason, detail } = found.given
  return new AppError('HOST_SILENT', { what: found.what, detail, reason })
}

/** Throws HOST_SILENT, except for one request after each pause. */
const pass = (lines: Lines, clock: Pick<Clock, 'monotonic'>): void => {
  const given = lines.flatMap(([line]) => line.given ?? [])
  const now = clock.monotonic()
  if (given.some(({ triedAt }) => now - triedAt < pauseMs)) throw silenceOf(lines)
  for (const each of given) each.triedAt = now
}

const answered = (line: SilentLine): void => {
  line.weight = 0
  line.round += 1
  line.answered = line.round
  line.silent.clear()
  delete line.given
}

const failed = (
  line: SilentLine,
  part: string,
  { reason, detail, began }: SilenceCause & { readonly began: number },
  clock: Pick<Clock, 'monotonic'>,
): void => {
  if (began < line.answered) return
  const now = clock.monotonic()
  if (line.silent.size === 0) line.since = now
  line.silent.add(part)
  if (began === line.round) {
    line.round += 1
    line.weight += weights[reason]
  }
  const isSilent = line.weight >= limits[line.kind] && (line.kind === 'path' || line.silent.size > 1)
  const isLong = reason === 'timeout' || now - line.since >= shortestSilenceMs
  if (isSilent && isLong) line.given ??= { reason, detail, triedAt: now }
}
