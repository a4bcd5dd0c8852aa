import type { IdentityRules } from '../schema/resource.ts'
import type { Look, Sighting, Sightings } from './sight.ts'
import { unclear } from './words.ts'

/** What became of the object of a record. */
export type Own =
  /** Not known before this look. */
  | { readonly kind: 'look'; readonly look: Look }
  /** Found under this look; `renamed`: its ids say so, its keys are others by now. */
  | { readonly kind: 'found' | 'renamed'; readonly look: Look }
  | { readonly kind: 'gone' }
  /** That look failed. */
  | { readonly kind: 'unread'; readonly look: Look }
  /** Nobody can tell. */
  | { readonly kind: 'unclear'; readonly why: string }

/**
 * Finds the object of a record again: under its ids where the API can be asked for them, and else under its keys, exactly
 * as recorded. An object with these ids of which something fixed differs is another one, and so is one with these keys and
 * other ids.
 */
export const findOwn = (rules: IdentityRules, hasIds: boolean, seen: Sightings): Own => {
  const look = hasIds && rules.readable && rules.ids !== undefined && rules.ids !== 'position' ? 'ids' : 'recorded'
  const sighting = seen[look]
  if (sighting === undefined) return { kind: 'look', look }
  if (sighting.kind === 'unknown') return { kind: 'unread', look }
  if (look === 'ids') {
    const isThere = sighting.kind === 'present' && sighting.recorded !== 'other'
    return isThere ? judgeById(rules, sighting) : confirmGone(seen.recorded)
  }
  return sighting.kind === 'absent' ? { kind: 'gone' } : judgeByKeys(rules, sighting)
}

/** One answer is a thin proof: what still stands where its keys lead to, with its ids, was not destroyed. */
const confirmGone = (byKeys: Sighting | undefined): Own => {
  if (byKeys === undefined) return { kind: 'look', look: 'recorded' }
  if (byKeys.kind === 'unknown') return { kind: 'unread', look: 'recorded' }
  if (byKeys.kind === 'absent' || byKeys.ids === 'other') return { kind: 'gone' }
  return { kind: 'unclear', why: unclear.goneById }
}

type PresentSighting = Extract<Sighting, { readonly kind: 'present' }>

const judgeById = ({ ids }: IdentityRules, { recorded }: PresentSighting): Own => {
  if (recorded === 'same') return { kind: 'found', look: 'ids' }
  if (ids === 'stable') return { kind: 'renamed', look: 'ids' }
  return { kind: 'unclear', why: unclear.renamedOrReused }
}

const judgeByKeys = (rules: IdentityRules, { ids, recorded }: PresentSighting): Own => {
  if (recorded === 'other') return { kind: 'gone' }
  if (ids !== 'other' || rules.ids === undefined || rules.ids === 'position') return { kind: 'found', look: 'recorded' }
  if (rules.ids === 'stable') return { kind: 'gone' }
  return { kind: 'unclear', why: unclear.otherId }
}
