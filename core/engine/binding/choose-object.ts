import type { IdentityRules } from '../schema/resource.ts'
import { findOwn, type Own, type Recorded, type Unclear } from './find-own.ts'
import type { Look, Sighting, Sightings } from './sight.ts'
import { unclear } from './words.ts'

/** A resource whose object is to be decided. At least one of `desired` and `recorded` is set. */
export interface Subject {
  readonly rules: IdentityRules
  /** Absent if the resource left the configuration. `absent`: the object must not exist. */
  readonly desired?: 'present' | 'absent'
  readonly recorded?: Recorded
  /** An import names another object than the record does. The import has effect once the recorded object is gone. */
  readonly imports?: true
  /**
   * No object can be searched for by the desired keys, because they contain a value that does not exist yet, or because
   * the server sets them.
   */
  readonly isComing?: boolean
}

export type Choice =
  | { readonly kind: 'look'; readonly look: Look }
  /**
   * The result of this look is about the object of the resource, even if the look failed; `isOwn`: about the object of
   * its record; `isRemade`: the object of the record is gone, and this is another one, which others made;
   * `isInstead`: it was not found, and by the configuration this is the object from now on.
   */
  | {
      readonly kind: 'bound'
      readonly look: Look
      readonly isOwn: boolean
      readonly isRemade?: true
      readonly isInstead?: true
    }
  /** `isRemade`: another object has its name. */
  | { readonly kind: 'absent'; readonly isRemade?: true }
  /** The object of the record is gone: search as if the record were what `import` says. */
  | { readonly kind: 'import' }
  | Unclear

/**
 * Decides which object a resource is, or where to look before that can be decided. A declared resource is the object of
 * its record, under any name; without a record, it is the object that has its keys. A resource that left the
 * configuration is the object of its record and nothing else. If two objects are possible, the answer is `unclear`.
 */
export const chooseObject = (subject: Subject, seen: Sightings): Choice => {
  const { rules, recorded } = subject
  if (recorded === undefined) return chooseDesired(subject, seen)
  // Nothing is known of what was made, or of what is left, so a person who names it is believed.
  const isOpen = (recorded.doubt === 'sent' && !recorded.hasIds) || recorded.doubt === 'deleted'
  if (subject.imports && isOpen) return { kind: 'import' }
  if (recorded.lacks !== undefined) return chooseNameless(subject, recorded.lacks, seen)
  const own = findOwn(rules, recorded, seen)
  switch (own.kind) {
    case 'look':
    case 'unclear':
      return own
    case 'unread':
      return { kind: 'bound', look: own.look, isOwn: true }
    case 'gone':
      return recorded.isUnderWay && !recorded.isGone
        ? { kind: 'unclear', why: unclear.underWay(subject.desired) }
        : chooseGone(subject, recorded, seen)
    case 'found':
    case 'renamed':
      if (isKept(rules, seen[own.look]) || !isOver(subject, seen[own.look])) return chooseOwn(subject, own, seen)
      return recorded.doubt !== 'deleted' || recorded.isGone
        ? chooseGone(subject, recorded, seen)
        : { kind: 'unclear', why: unclear.deleted(subject.desired) }
  }
}

const chooseGone = (subject: Subject, recorded: Recorded, seen: Sightings): Choice => {
  if (recorded.isImported) return chooseUnfound(subject, seen)
  if (subject.desired === undefined)
    return isNameTaken(subject.rules, recorded, seen) ? { kind: 'absent', isRemade: true } : { kind: 'absent' }
  return subject.imports ? { kind: 'import' } : chooseRemade(subject, recorded, seen)
}

/** Whether a delete was sent, or the object is none that a create can have made. */
const isOver = (subject: Subject, own: Sighting | undefined): boolean =>
  subject.recorded?.doubt === 'deleted' || subject.recorded?.doubt === 'replaced' || isNotMade(subject, own)

/** Whether no create that was sent can have made the object: it has the keys, and something else that never changes. */
const isNotMade = ({ recorded, desired }: Subject, own: Sighting | undefined): boolean =>
  recorded?.doubt === 'sent' &&
  !recorded.hasIds &&
  desired === 'present' &&
  own?.kind === 'present' &&
  own.recorded === 'same' &&
  own.differs !== undefined

/** Whether what is found after a delete without an answer is still the object that it was about. */
const isKept = (rules: IdentityRules, own: Sighting | undefined): boolean =>
  isProven(rules, own) || (own?.kind === 'present' && own.isAsRecorded === true)

/** What a create without an answer may have made, and nothing finds. */
const chooseNameless = (subject: Subject, lacks: readonly string[], seen: Sightings): Choice => {
  const { desired } = subject
  if (subject.recorded?.isGone) return desired === undefined ? { kind: 'absent' } : chooseDesired(subject, seen)
  return { kind: 'unclear', why: unclear.nameless(lacks, desired) }
}

const chooseDesired = ({ isComing }: Subject, { desired }: Sightings): Choice => {
  if (isComing) return { kind: 'absent' }
  return desired === undefined ? { kind: 'look', look: 'desired' } : { kind: 'bound', look: 'desired', isOwn: false }
}

/** What shall not exist need not be found, as long as nothing else has its name. */
const chooseUnfound = (subject: Subject, seen: Sightings): Choice => {
  const choice = subject.desired === 'absent' ? chooseDesired(subject, seen) : undefined
  const isDone = choice !== undefined && (choice.kind !== 'bound' || seen[choice.look]?.kind === 'absent')
  return isDone ? choice : { kind: 'unclear', why: unclear.notImported }
}

/** An object under the name of one that is gone is not ours by its name: nobody made or took it for this resource. */
const chooseRemade = (subject: Subject, { isGone, doubt }: Recorded, seen: Sightings): Choice => {
  const choice = chooseDesired(subject, seen)
  if (choice.kind !== 'bound') return choice
  const sought = seen[choice.look]
  const isTheirs = doubt === 'replaced' || isNotMade(subject, sought) || isAnotherObject(subject.rules, sought)
  const isTaken = sought?.kind === 'present' && isTheirs && isGone !== true
  if (isTaken) return { ...choice, isRemade: true }
  return sought?.kind === 'present' ? { ...choice, isInstead: true } : choice
}

/** What is at a position need not have the name. */
const isNameTaken = ({ ids }: IdentityRules, { isGone }: Recorded, { recorded }: Sightings): boolean =>
  recorded?.kind === 'present' && ids !== 'position' && isGone !== true

const isAnotherObject = ({ ids }: IdentityRules, sought: Sighting | undefined): boolean =>
  sought?.kind === 'present' &&
  (sought.isDisproved === true || (ids !== undefined && ids !== 'position' && sought.ids === 'other'))

type There = Extract<Own, { readonly kind: 'found' | 'renamed' }>

const chooseOwn = (subject: Subject, { kind, look }: There, seen: Sightings): Choice => {
  const { desired, isComing } = subject
  const own = seen[look]
  // Without proof, an object that a create may have made belongs to the resource no more than one that a new resource
  // finds.
  const isMade = subject.recorded?.doubt !== 'sent' || isProven(subject.rules, own)
  const bound: Choice = { kind: 'bound', look, isOwn: isMade }
  if (own?.kind !== 'present') return { kind: 'unclear', why: unclear.notLookedFor }
  if (desired !== undefined && own.desired) return bound
  if (desired !== 'present' && kind === 'renamed') return { kind: 'unclear', why: unclear.renamed }
  const doubt = doubtOf(subject, look, own)
  if (doubt !== undefined) return { kind: 'unclear', why: doubt }
  if (desired === undefined || isComing) return bound
  const sought = seen.desired
  if (sought === undefined) return { kind: 'look', look: 'desired' }
  if (sought.kind === 'absent') return bound
  if (sought.kind === 'unknown') return { kind: 'bound', look: 'desired', isOwn: false }
  return sought.object === own.object ? bound : { kind: 'unclear', why: unclear.twoObjects }
}

/** Keys, reused ids and positions are trusted until something contradicts them; a stable id proves the object. */
const doubtOf = (
  { rules, recorded }: Subject,
  look: Look,
  own: Extract<Sighting, { readonly kind: 'present' }>,
): string | undefined => {
  if (isProven(rules, own)) return undefined
  // An id distinguishes several objects with the same name. It proves nothing if the parent is now another object.
  const doubt = look === 'recorded' || recorded?.doubt === 'strayed' ? recorded?.doubt : undefined
  if (doubt !== undefined && doubt !== 'deleted') return unclear.doubted(doubt)
  return own.differs === undefined ? undefined : unclear.otherValue(own.differs)
}

/** True if the object has the recorded ids and the server never reuses ids. */
export const isProven = ({ ids }: IdentityRules, own: Sighting | undefined): boolean =>
  ids === 'stable' && own?.kind === 'present' && own.ids === 'same'
