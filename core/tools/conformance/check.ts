import type { AppError } from '../../engine/errors/errors.ts'
import type { PlannedRequest } from '../../engine/schema/command.ts'
import type { ReadResult } from '../../engine/schema/resource.ts'
import { urlWords } from '../../engine/values/url.ts'
import { refuse } from './judge.ts'
import type { ProviderCase, System } from './system.ts'
import { faults } from './words.ts'

/** Rejects with PROVIDER_NOT_CONFORMANT. */
export type Check = (system: System, given: ProviderCase) => Promise<void> | void

export const wordsOf = ({ method, url }: PlannedRequest): string => `${method} ${urlWords(url)}`

/** Compared by name, because a provider of another package may throw the error class of another copy of this code. */
const isOurs = (error: unknown): error is AppError => error instanceof Error && error.name === 'AppError'

/**
 * Like `readJudged`, but `undefined` if the transport failed: a provider may pass that error on, and the read is not
 * judged.
 */
export const readOrFailed = async (read: () => Promise<ReadResult>): Promise<ReadResult | undefined> => {
  try {
    return await readJudged(read)
  } catch (error) {
    if (isOurs(error) && error.code !== 'PROVIDER_NOT_CONFORMANT') return undefined
    throw error
  }
}

/** An error that is not from the transport is a defect of the provider. */
export const readJudged = async (read: () => Promise<ReadResult>): Promise<ReadResult> => {
  try {
    return await read()
  } catch (error) {
    if (isOurs(error)) throw error
    return refuse(faults.threw(error instanceof Error ? error.name : typeof error))
  }
}
