import { loggable, logger } from './observe.ts'

/** The parts of one invocation, none of which keeps another from being done. Each failure is logged, and rejects in the end. */
export const doParts = async (parts: readonly (() => Promise<void>)[]): Promise<void> => {
  const ended = await Promise.allSettled(parts.map((part) => part()))
  const failures = ended.filter((part) => part.status === 'rejected').map(({ reason }): unknown => reason)
  for (const error of failures) logger.error('a part failed', { error: loggable(error) })
  if (failures.length > 0) throw failures[0]
}
