/** Far more than any worker may be late by, and than clocks that are kept differ. */
const marginMs = 60 * 60_000

/** Whether a stored time cannot be true for somebody whose clock says `now`: it was written by a clock that ran ahead. */
export const ranAhead = (stored: string, now: string): boolean => Date.parse(stored) > Date.parse(now) + marginMs
