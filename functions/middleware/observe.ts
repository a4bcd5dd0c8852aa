import { Logger } from '@aws-lambda-powertools/logger'
import { Metrics } from '@aws-lambda-powertools/metrics'
import { isAppError, printable, type Warning } from '#core'
import { type MetricName, metricNamespace, metricTable } from '../metric-names.ts'

/**
 * Logger and metrics read LOG_LEVEL and POWERTOOLS_* themselves: POWERTOOLS_SERVICE_NAME separates the numbers of two
 * deployments. Events are never logged: they contain tokens and bodies.
 */
export const invocationLog = new Logger({
  // JSON does not escape DEL, C1 controls, separators and reordering characters, and programs that show the log act on
  // them.
  jsonReplacerFn: (_, value: unknown) => (typeof value === 'string' ? printable(value) : value),
})

export const metrics = new Metrics({ namespace: metricNamespace })

/** The logger keeps its own values under these names, and would drop others without a message. */
type Reserved = 'level' | 'message' | 'sampling_rate' | 'service' | 'timestamp'
type LogFields = Readonly<Record<string, unknown>> & { readonly [Name in Reserved]?: never }
type WriteLine = (text: string, entry?: LogFields) => void

/** All log entries are written through this object. */
export const logger: Readonly<Record<'info' | 'warn' | 'error', WriteLine>> = {
  info: (text, entry = {}) => invocationLog.info(text, entry),
  warn: (text, entry = {}) => invocationLog.warn(text, entry),
  error: (text, entry = {}) => invocationLog.error(text, entry),
}

/**
 * Emits a metric: a name that is not in the table does not compile. CloudWatch is paid for each metric that gets a value,
 * so a zero is written only where its absence raises the alarm.
 */
export const emit = (name: MetricName, value = 1): void => {
  const { unit, alarm, partOf } = metricTable[name]
  if (value === 0 && alarm?.silence !== 'wrong') return
  metrics.addMetric(name, unit, value)
  if (partOf !== undefined) metrics.addMetric(partOf, unit, value)
}

/** Writes the metric at once: for a function that counts nothing on most of its calls. */
export const emitNow = (name: MetricName): void => {
  emit(name)
  metrics.publishStoredMetrics()
}

/** Writes the counted metrics without a warning if there are none, because many invocations count nothing. */
export const writeMetrics = (): void => {
  if (metrics.hasStoredMetrics()) metrics.publishStoredMetrics()
}

const framesOf = (stack = ''): readonly string[] =>
  stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .map((line) => line.trim())

/**
 * Prepares an error for the log. The message of a foreign error is omitted: a parser's, for example, quotes what it
 * read, and that may be a secret.
 */
export const loggable = (error: unknown): Record<string, unknown> => {
  if (isAppError(error) && error.code !== 'INTERNAL')
    return { code: error.code, message: error.message, fault: error.fault, retryable: error.retryable }
  if (!(error instanceof Error)) return { name: typeof error }
  const cause = error.cause === undefined ? {} : { cause: loggable(error.cause) }
  return { name: error.name, frames: framesOf(error.stack), ...cause }
}

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
  if (kind === 'holdings_lost') {
    logger.warn('what a workspace manages was not stored: others learn it with its next check', {
      kind,
      workspace,
      error,
    })
    return
  }
  if (kind === 'anchor_waits') {
    logger.warn('the head of a ledger was not anchored: it is tried again', { kind, workspace, error })
    return
  }
  if (kind === 'record_damaged') {
    emit('RecordsDamaged')
    logger.error('a stored item is damaged, or of a later format: it was left out, and nothing else', {
      kind,
      workspace,
      error,
    })
    return
  }
  emit('AlertsRefused')
  if (kind === 'alert_lost') {
    logger.error('an alert was not delivered for a day, and is given up', { kind, workspace, alert, error })
    return
  }
  logger.error('an alert waits: it could not be handed over', { kind, workspace, alert, error })
}
