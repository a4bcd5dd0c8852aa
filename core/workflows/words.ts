/* All sentences of checks, schedules and records, besides the messages of error codes. */

export const messageRefused = 'it refused the message'
export const noZone = (zone: string): string => `there is no time zone "${zone}"`
export const lostApply = (apply: string): string => `it belongs to apply ${apply}, which is not stored any more`
