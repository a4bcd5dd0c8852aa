/** Far longer than the delay of any worker or the difference between synchronized clocks. */
export const marginMs = 60 * 60_000

/**
 * Whether a stored time cannot be true for a reader whose clock says `now`, because the clock of the writer was ahead.
 */
export const ranAhead = (stored: string, now: string): boolean => Date.parse(stored) > Date.parse(now) + marginMs
