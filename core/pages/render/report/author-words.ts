import type { Attribution, Finding } from '../../../engine/schema/stored/findings.ts'
import { firstOf } from '../../../engine/values/texts/shorten.ts'

const shownPaths = 10

/** `2026-11-23T02:11:09.000Z` as `2026-11-23 02:11 UTC`. */
const minuteOf = (at: string): string => `${at.slice(0, 16).replace('T', ' ')} UTC`

/** `by mallory (repo.access, 2026-11-23 02:11 UTC)`. Not yet safe to print. */
export const authorWords = ({ actor, action, via, at }: Pick<Attribution, 'actor' | 'action' | 'via' | 'at'>): string =>
  `by ${actor} (${action}, ${via === undefined ? '' : `${via}, `}${minuteOf(at)})`

/** `ttl by mallory (edit, 2026-11-23 02:11 UTC)`: nobody is named for more than they changed. Not yet safe to print. */
export const changerWords = ({ summary, changed }: Pick<Finding, 'summary' | 'changed'>): readonly string[] =>
  (changed?.by ?? []).map((each) => {
    const paths = firstOf(each.paths, shownPaths)
    return paths === '' || paths === summary ? authorWords(each) : `${paths} ${authorWords(each)}`
  })
