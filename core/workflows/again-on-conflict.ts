import { isAppError } from '../errors.ts'

/** Does it again, from its reads on, where somebody else wrote meanwhile what it had read. Throws STORE_CONFLICT in the end. */
export const againOnConflict = async <Result>(work: () => Promise<Result>, attempts = 5): Promise<Result> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isAppError(error, 'STORE_CONFLICT') || attempt === attempts) throw error
    }
  }
}
