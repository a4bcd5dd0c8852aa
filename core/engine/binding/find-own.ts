import type { Doubt, IdentityRules } from '../schema/resource.ts'
import type { Look, Sighting, Sightings } from './sight.ts'
import { unclear } from './words.ts'

export type Own =
  | { readonly kind: 'look'; readonly look: Look }
  /** This look found the object; `renamed`: its ids are the same, but its keys have changed. */
  | { readonly kind: 'found' | 'renamed'; readonly look: Look }
  | { readonly kind: 'gone' }
  | { readonly kind: 'unread'; readonly look: Look }
  | Unclear

/** `isMoved`: its id proves the object, and others have put it into another container. */
export interface Unclear {
  readonly kind: 'unclear'
  readonly why: string
  readonly isMoved?: true
}

/** What a record or an `import` says about an object before it is searched for. */
export interface Recorded {
  readonly hasIds: boolean
  /** The data is from an `import` of a person, not from a record. */
  readonly isImported?: true
  readonly doubt?: Doubt
  /** Keys that only the server sets, and that no answer told: nothing finds it by the others. */
  readonly lacks?: readonly string[]
  /** A person confirmed that the object was deleted. */
  readonly isGone?: true
  /** Its create was accepted, and what it makes may still come. */
  readonly isUnderWay?: true
  /** Its resource left the configuration, or shall not exist: an object that is given up is never told again. */
  readonly isLeaving?: true
}

/**
 * Finds the object of a record again: by its ids if the API can be asked for them, else by its keys, exactly as
 * recorded. An object with these ids is a different one if an immutable key differs and ids are given again, and so is an
 * object with these keys and other ids.
 */
export const findOwn = (rules: IdentityRules, recorded: Recorded, seen: Sightings): Own => {
  const { hasIds } = recorded
  const look = hasIds && rules.readable && rules.ids !== undefined && rules.ids !== 'position' ? 'ids' : 'recorded'
  const sighting = seen[look]
  if (sighting === undefined) return { kind: 'look', look }
  if (sighting.kind === 'unknown') return { kind: 'unread', look }
  if (look === 'ids') {
    const isThere = sighting.kind === 'present' && !isAnother(rules, recorded, sighting)
    return isThere ? judgeById(rules, sighting) : confirmGone(seen.recorded)
  }
  return sighting.kind === 'absent' ? { kind: 'gone' } : judgeByKeys(rules, sighting)
}

/** One answer is weak evidence: an object that is still found by its keys, with the same ids, was not destroyed. */
const confirmGone = (byKeys: Sighting | undefined): Own => {
  if (byKeys === undefined) return { kind: 'look', look: 'recorded' }
  if (byKeys.kind === 'unknown') return { kind: 'unread', look: 'recorded' }
  if (byKeys.kind === 'absent' || byKeys.ids === 'other' || byKeys.isDisproved === true) return { kind: 'gone' }
  return { kind: 'unclear', why: unclear.goneById }
}

type PresentSighting = Extract<Sighting, { readonly kind: 'present' }>

/**
 * A reused id contradicts nothing; a `stable` id is trusted until a person says that the object is gone, or a time of creation
 * disproves it, and so is each one of what leaves. Under another name, a reused id is that of the object until a person says so.
 */
const isAnother = ({ ids }: IdentityRules, { isGone, isLeaving }: Recorded, seen: PresentSighting): boolean => {
  const { recorded, isDisproved } = seen
  if (recorded === 'other') return ids !== 'stable' || isGone === true || isDisproved === true
  if (recorded === 'renamed') return isGone === true && ids !== 'stable'
  return recorded === 'changed' && (isGone === true || (ids !== 'stable' && isLeaving !== true))
}

const judgeById = ({ ids }: IdentityRules, { recorded, desired, differs = '' }: PresentSighting): Own => {
  if (recorded === 'same') return { kind: 'found', look: 'ids' }
  if (desired || (ids === 'stable' && recorded === 'renamed')) return { kind: 'renamed', look: 'ids' }
  if (recorded === 'other') return { kind: 'unclear', why: unclear.moved(differs), isMoved: true }
  return { kind: 'unclear', why: recorded === 'changed' ? unclear.changedOrReused(differs) : unclear.renamedOrReused }
}

const judgeByKeys = (rules: IdentityRules, { ids, recorded }: PresentSighting): Own => {
  if (recorded === 'other' || recorded === 'changed') return { kind: 'gone' }
  if (ids !== 'other' || rules.ids === undefined || rules.ids === 'position') return { kind: 'found', look: 'recorded' }
  if (rules.ids === 'stable') return { kind: 'gone' }
  return { kind: 'unclear', why: unclear.otherId }
}
