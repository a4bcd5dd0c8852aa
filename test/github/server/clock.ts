/** Milliseconds since 1970, moved by the test alone. */
export interface Clock {
  readonly now: () => number
  readonly advance: (milliseconds: number) => void
}

export const standingClock = (start = Date.parse('2030-01-01T00:00:00Z')): Clock => {
  let now = start
  return {
    now: () => now,
    advance: (milliseconds) => {
      now += milliseconds
    },
  }
}
