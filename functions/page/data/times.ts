const steps = [
  { unit: 'day', ms: 86_400_000 },
  { unit: 'hour', ms: 3_600_000 },
  { unit: 'minute', ms: 60_000 },
] as const

const short = { day: 'd', hour: 'h', minute: 'min' } as const

/** `3 min ago`, `in 2 h`, `just now`. Times are in milliseconds since 1970. */
export const agoWords = (at: number, now: number): string => {
  const distance = Math.abs(now - at)
  const step = steps.find(({ ms }) => distance >= ms)
  if (step === undefined) return at > now ? 'in a moment' : 'just now'
  const words = `${Math.floor(distance / step.ms)} ${short[step.unit]}`
  return at > now ? `in ${words}` : `${words} ago`
}

/** Made once: it takes longer to make one than to draw the row of a list that needs it. */
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' })
const dayTimeParts = {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
} as const
const dayTime = new Intl.DateTimeFormat(undefined, dayTimeParts)
const second = new Intl.DateTimeFormat(undefined, { ...dayTimeParts, second: '2-digit' })
const day = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' })
const minute = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' })

/** In the reader's zone and language, to the second, with the zone. */
export const exactWords = (at: number): string => exact.format(at)

/** Day and time in the reader's zone, which it names: the texts of plans are in UTC. */
export const dayTimeWords = (at: number): string => dayTime.format(at)

/** The same to the second, where several are listed. */
export const secondWords = (at: number): string => second.format(at)

/** Of an axis: the day where there is one mark for each, or a day begins, else the time of it. */
export const axisWords = (at: number, stepMs: number): string =>
  stepMs >= 86_400_000 || new Date(at).getHours() + new Date(at).getMinutes() === 0 ? day.format(at) : minute.format(at)

/** Time of the day in the reader's zone, for what began a short while ago. */
export const clockWords = (at: number): string => clock.format(at)
