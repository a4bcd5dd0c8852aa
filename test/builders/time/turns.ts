import { setImmediate as turn } from 'node:timers/promises'

/** Lets everybody else go on so many times; it takes no time of its own. */
export const turns = async (count: number): Promise<void> => {
  for (let n = 0; n < count; n += 1) await turn()
}
