import type { PlannedRequest } from '../schema/command.ts'
import type { ReadResult } from '../schema/resource.ts'
import { urlWords } from '../values/url.ts'
import { refuse } from './judge.ts'
import type { ProviderCase, System } from './system.ts'
import { faults } from './words.ts'

/** Rejects with PROVIDER_NOT_CONFORMANT. */
export type Check = (system: System, given: ProviderCase) => Promise<void> | void

export const wordsOf = ({ method, url }: PlannedRequest): string => `${method} ${urlWords(url)}`

/** An error that is not from the transport is a defect of the provider. */
export const settled = async (read: () => Promise<ReadResult>): Promise<ReadResult> => {
  try {
    return await read()
  } catch (error) {
    if (error instanceof Error && error.name === 'AppError') throw error
    return refuse(faults.threw(error instanceof Error ? error.name : typeof error))
  }
}
