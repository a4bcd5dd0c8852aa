import { Logger } from '@aws-lambda-powertools/logger'
import { Metrics } from '@aws-lambda-powertools/metrics'
import { isAppError, printable, type Warning } from '#core'
import { type MetricName, metricNamespace, metricTable } from '../metric-names.ts'

/** Both read LOG_LEVEL and POWERTOOLS_* by themselves: POWERTOOLS_SERVICE_NAME keeps the numbers of two deployments apart. Events are never logged: they carry tokens and bodies. */
export const invocationLog = new Logger({
  serviceName: 'plumbline',
  // JSON leaves DEL, C1 controls, separators and reordering as they are, and who shows the log acts on them.
  jsonReplacerFn: (_, value: unknown) => (typeof value === 'string' ? printable(value) : value),
})

export const metrics = new Metrics({ namespace: metricNamespace })

/** What the logger writes under these names itself is kept, and what is ours would be dropped in silence. */
type Reserved = 'level' | 'message' | 'sampling_rate' | 'service' | 'timestamp'
type LogFields = Readonly<Record<string, unknown>> & { readonly [Name in Reserved]?: never }
type WriteLine = (text: string, entry?: LogFields) => void

/** The only way to a line of the log. */
export const logger: Readonly<Record<'info' | 'warn' | 'error', WriteLine>> = {
  info: (text, entry = {}) => invocationLog.info(text, entry),
  warn: (text, entry = {}) => invocationLog.warn(text, entry),
  error: (text, entry = {}) => invocationLog.error(text, entry),
}

/** The only way to a metric: a name that is not in the table does not compile. */
export const emit = (name: MetricName, value = 1): void => {
  metrics.addMetric(name, metricTable[name].unit, value)
}

/** The same, written at once: for a function that counts nothing on most of its calls. */
export const emitNow = (name: MetricName): void => {
  emit(name)
  metrics.publishStoredMetrics()
}

/** Writes what was counted; most invocations of some functions count nothing, and that is no news. */
export const writeMetrics = (): void => {
  if (metrics.hasStoredMetrics()) metrics.publishStoredMetrics()
}

const framesOf = (stack = ''): readonly string[] =>
  stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .map((line) => line.trim())

/**
 * An error for the log. The message of one that is not ours is left out: a parser's, for example, quotes what it read, and
 * that may be a secret.
 */
export const loggable = (error: unknown): Record<string, unknown> => {
  if (isAppError(error) && error.code !== 'INTERNAL')
    return { code: error.code, message: error.message, fault: error.fault, retryable: error.retryable }
  if (!(error instanceof Error)) return { name: typeof error }
  const cause = error.cause === undefined ? {} : { cause: loggable(error.cause) }
  return { name: error.name, frames: framesOf(error.stack), ...cause }
}

/** What a function's work says beside its answer: logged and counted. */
export const logWarning = ({ kind, workspace, alert, error: cause }: Warning): void => {
  const error = loggable(cause)
  if (kind === 'lock_waits') {
    logger.warn('a lock was not renewed: it is tried again', { kind, workspace, error })
    return
  }
  if (kind === 'answers_lost') {
    logger.warn('kept answers are not used: reads cost more requests', { kind, workspace, error })
    return
  }
  if (kind === 'check_cut') {
    logger.error('a check could not be handed over: what was not read is unchecked', { kind, workspace, error })
    return
  }
  emit('AlertsRefused')
  logger.error('an alert waits: it could not be handed over', { kind, workspace, alert, error })
}
