import type { Attribution } from '../../../engine/schema/stored/findings.ts'

/** `2026-11-23T02:11:09.000Z` as `2026-11-23 02:11 UTC`. */
const minuteOf = (at: string): string => `${at.slice(0, 16).replace('T', ' ')} UTC`

/** `by mallory (repo.access, 2026-11-23 02:11 UTC)`. Not yet safe to print. */
export const authorWords = ({ actor, action, via, at }: Pick<Attribution, 'actor' | 'action' | 'via' | 'at'>): string =>
  `by ${actor} (${action}, ${via === undefined ? '' : `${via}, `}${minuteOf(at)})`
