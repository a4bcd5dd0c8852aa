/** Far more than any worker can be late, and than synchronized clocks differ. */
const marginMs = 60 * 60_000

/** Whether a stored time cannot be true for a reader whose clock says `now`: the clock of its writer was ahead. */
export const ranAhead = (stored: string, now: string): boolean => Date.parse(stored) > Date.parse(now) + marginMs
