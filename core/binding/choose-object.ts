import type { Doubt, IdentityRules } from '../schema/resource.ts'
import { findOwn, type Own } from './find-own.ts'
import type { Look, Sighting, Sightings } from './sight.ts'
import { unclear } from './words.ts'

interface Recorded {
  readonly hasIds: boolean
  readonly doubt?: Doubt
}

/** A resource of which is to be decided which object it is. At least one of `declared` and `recorded`. */
export interface Subject {
  readonly rules: IdentityRules
  /** Absent: it left the configuration. `absent`: it shall not exist. */
  readonly declared?: 'present' | 'absent'
  readonly recorded?: Recorded
  /** No object can be looked for by the wanted keys: they hold something that does not exist yet, or are left to the server. */
  readonly isComing?: boolean
}

export type Choice =
  | { readonly kind: 'look'; readonly look: Look }
  /** What this look found is about its object, or failed to be; `isOwn`: about the one of its record. */
  | { readonly kind: 'bound'; readonly look: Look; readonly isOwn: boolean }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unclear'; readonly why: string }

/**
 * Which object one resource is, or where to look before that can be said. What is declared is the object of its record,
 * under whatever name; else the one that has its keys. What left the configuration is the object of its record and
 * nothing else. Where two objects could be meant, nobody can tell.
 */
export const chooseObject = (subject: Subject, seen: Sightings): Choice => {
  const { rules, recorded } = subject
  if (recorded === undefined) return chooseWanted(subject, seen)
  const own = findOwn(rules, recorded.hasIds, seen)
  switch (own.kind) {
    case 'look':
    case 'unclear':
      return own
    case 'unread':
      return { kind: 'bound', look: own.look, isOwn: true }
    case 'gone':
      return subject.declared === undefined ? { kind: 'absent' } : chooseWanted(subject, seen)
    case 'found':
    case 'renamed':
      return chooseOwn(subject, own, seen)
  }
}

const chooseWanted = ({ isComing }: Subject, { wanted }: Sightings): Choice => {
  if (isComing) return { kind: 'absent' }
  return wanted === undefined ? { kind: 'look', look: 'wanted' } : { kind: 'bound', look: 'wanted', isOwn: false }
}

type There = Extract<Own, { readonly kind: 'found' | 'renamed' }>

const chooseOwn = (subject: Subject, { kind, look }: There, seen: Sightings): Choice => {
  const { declared, isComing } = subject
  const own = seen[look]
  // What nobody is known to have made is no more ours than what a new resource finds.
  const isMade = subject.recorded?.doubt !== 'sent' || isProven(subject.rules, own)
  const bound: Choice = { kind: 'bound', look, isOwn: isMade }
  if (own?.kind !== 'present') return { kind: 'unclear', why: unclear.notLookedFor }
  if (declared !== undefined && own.wanted) return bound
  if (declared !== 'present' && kind === 'renamed') return { kind: 'unclear', why: unclear.renamed }
  const doubt = doubtOf(subject, look, own)
  if (doubt !== undefined) return { kind: 'unclear', why: doubt }
  if (declared === undefined || isComing) return bound
  const { wanted } = seen
  if (wanted === undefined) return { kind: 'look', look: 'wanted' }
  if (wanted.kind === 'absent') return bound
  if (wanted.kind === 'unknown') return { kind: 'bound', look: 'wanted', isOwn: false }
  return wanted.object === own.object ? bound : { kind: 'unclear', why: unclear.twoObjects }
}

/** Keys, reused ids and positions are believed until something speaks against them; a stable id proves the object. */
const doubtOf = (
  { rules, recorded }: Subject,
  look: Look,
  own: Extract<Sighting, { readonly kind: 'present' }>,
): string | undefined => {
  if (isProven(rules, own)) return undefined
  // One id tells several apart, unless all of them are below something else.
  const doubt = look === 'recorded' || recorded?.doubt === 'strayed' ? recorded?.doubt : undefined
  if (doubt !== undefined) return unclear.doubted(doubt)
  return own.differs === undefined ? undefined : unclear.otherValue(own.differs)
}

/** No other object ever has these ids. */
export const isProven = ({ ids }: IdentityRules, own: Sighting | undefined): boolean =>
  ids === 'stable' && own?.kind === 'present' && own.ids === 'same'
