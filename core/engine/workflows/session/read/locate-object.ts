import { type Choice, chooseObject, isProven, type Subject } from '../../../binding/choose-object.ts'
import type { Look, Sightings } from '../../../binding/sight.ts'
import { type Beside, keepAnsweredIds, keysOf, lackedKeys, lacksKey, namesIn, sight } from '../../../binding/sight.ts'
import type { ResourceType, Target } from '../../../provider/provider.ts'
import type { JsonObject } from '../../../schema/json.ts'
import type { AbsentResult, RecordedResource } from '../../../schema/resource.ts'
import { defined } from '../../../values/defined.ts'
import { pick, unlessEmpty, withoutMembers } from '../../../values/members.ts'
import { namingAttribute } from '../../../values/normalise/named-container.ts'
import { notRefreshed } from '../../../values/words.ts'
import { ambiguous, type Located, type ReadOutcome, rulesOf } from '../plan/observation.ts'
import { parentsAt } from './kept-parents.ts'

/** A resource whose object is searched. It has `desired`, `recorded` or both. */
export interface ObjectToLocate {
  readonly type: ResourceType
  readonly place: string
  readonly address: string
  /** Canonical attributes as configured, and the objects that they refer to. */
  readonly desired?: { readonly attributes: JsonObject; readonly refs?: JsonObject; readonly absent: boolean }
  /** Canonical attributes of the record. */
  readonly recorded?: Pick<RecordedResource, 'attributes' | 'ids' | 'parents' | 'refs' | 'refersBy' | 'doubted'>
  /** There is no record: `recorded` is what the configuration says about the existing object. */
  readonly isImported?: true
  /** There is a record, and the configuration names another object. */
  readonly imported?: ObjectToLocate['recorded']
  /** Its keys contain a value that does not exist yet. */
  readonly isComing?: boolean
  /** A resource that it depends on will be created, so this object will be created too. */
  readonly coming?: true
  /** By the configuration, its recorded object was deleted. */
  readonly isGone?: true
  /** Its create was accepted, and what it makes may still come. */
  readonly isUnderWay?: true
}

/**
 * Reads until it is decided which object a resource is. If that cannot be decided, the result is `ambiguous`, never
 * absent.
 */
export const locateObject = async (
  searched: ObjectToLocate,
  read: (target: Target, look: Look) => Promise<ReadOutcome>,
): Promise<Located> => {
  const subject = subjectOf(searched)
  const beside = besideOf(searched)
  const looks = new Map<Look, ReadOutcome>()
  for (;;) {
    const seen = Object.fromEntries([...looks].map(([look, { result }]) => [look, sight(beside, result)])) as Sightings
    const choice = chooseObject(subject, seen)
    if (choice.kind === 'import') {
      const { imported: recorded, ...rest } = searched
      // What a person names is an object of now, whatever it is recorded under.
      const readNow = (target: Target) => read(target, 'desired')
      const found = await locateObject({ ...rest, ...defined({ recorded }), isImported: true }, readNow)
      return { ...found, isInstead: true }
    }
    if (choice.kind === 'unclear') return { ...locatedBy(choice, searched, looks), candidates: objectsOf(seen) }
    if (choice.kind !== 'look') {
      const isSure = choice.kind === 'bound' && isProven(subject.rules, seen[choice.look])
      return {
        ...locatedBy(choice, searched, looks),
        ...defined({
          doubt: doubtIn(looks),
          isProven: isSure ? (true as const) : undefined,
          isRemade: choice.isRemade,
          isInstead: choice.kind === 'bound' ? choice.isInstead : undefined,
          stillIn: searched.isGone && stillIn(subject, looks, seen),
        }),
      }
    }
    looks.set(choice.look, await read(targetOf(searched, choice.look), choice.look))
  }
}

/** Locates without a read: the object is as recorded, and an object without a record does not exist. */
export const locateRecorded = (searched: ObjectToLocate): Located => {
  const { recorded, isImported } = searched
  const absent = {
    observed: { result: { kind: 'absent' as const } },
    target: targetOf(searched, 'desired'),
    isOwn: false,
  }
  if (recorded === undefined) return absent
  const target = targetOf(searched, 'recorded')
  if (isImported || ['sent', 'deleted', 'replaced'].includes(recorded.doubted ?? '')) {
    const observed = { result: { kind: 'unknown' as const, reason: 'unresolved' as const, detail: notRefreshed } }
    return { ...absent, target, observed }
  }
  const { attributes, ids } = recorded
  return { observed: { result: { kind: 'present', attributes, ...defined({ ids }) } }, target, isOwn: true }
}

/** An absent object keeps the parents that the reads found, and what an API that archives still has of it. */
const absentIn = (looks: ReadonlyMap<Look, ReadOutcome>): AbsentResult => {
  const absences = [...looks.values()].flatMap(({ result }) => (result.kind === 'absent' ? [result] : []))
  const parents = absences.findLast((each) => each.parents !== undefined)?.parents
  return { kind: 'absent', ...defined({ parents, archived: absences.findLast(({ archived }) => archived)?.archived }) }
}

const doubtIn = (looks: ReadonlyMap<Look, ReadOutcome>): Located['doubt'] => {
  const result = looks.get('recorded')?.result
  return result?.kind === 'unknown' && result.reason === 'ambiguous' ? 'several' : undefined
}

const objectsOf = (seen: Sightings): readonly string[] =>
  Object.values(seen).flatMap((sighting) => (sighting.kind === 'present' ? [sighting.object] : []))

/** Where an object is that others have put into another container, by an id that proves it. */
const stillIn = ({ rules }: Subject, looks: ReadonlyMap<Look, ReadOutcome>, seen: Sightings): Located['stillIn'] =>
  [...looks].flatMap(([look, { result }]) => {
    const sighting = seen[look]
    if (sighting?.kind !== 'present' || result.kind !== 'present' || !isProven(rules, sighting)) return []
    const { recorded, isDisproved, differs } = sighting
    if (recorded !== 'other' || isDisproved || differs === undefined) return []
    return [{ attribute: differs, value: result.attributes[differs] ?? null }]
  })[0]

const subjectOf = (searched: ObjectToLocate): Subject => {
  const { type, desired, recorded, isComing, isGone, isUnderWay, isImported, imported } = searched
  const isFollowed = desired !== undefined && type.identity?.followsKeys
  const { ids = {}, doubted } = recorded ?? {}
  const isLeaving = desired === undefined || desired.absent ? (true as const) : undefined
  const hasIds = Object.keys(ids).length > 0
  const lacks =
    doubted === 'sent' && !hasIds ? unlessEmpty(lackedKeys(type.schema, recorded?.attributes ?? {})) : undefined
  const record = { hasIds, ...defined({ doubt: doubted, isGone, isUnderWay, isImported, isLeaving, lacks }) }
  return {
    rules: rulesOf(type),
    ...defined({
      desired: desired && (desired.absent ? 'absent' : 'present'),
      recorded: recorded === undefined || isFollowed ? undefined : record,
      imports: imported && (true as const),
      isComing: isComing || (desired && lacksKey(type.schema, desired.attributes)),
    }),
  }
}

const besideOf = ({ type, place, desired, recorded }: ObjectToLocate): Beside => ({
  schema: type.schema,
  rules: rulesOf(type),
  place,
  urlOf: type.urlOf?.bind(type),
  ...defined({ recorded, desired: desired?.attributes }),
})

/** Uses the keys of the look, and what it is in; all other attributes are as configured. */
const targetOf = ({ type, address, desired, recorded, coming }: ObjectToLocate, look: Look): Target => {
  const leaving = desired === undefined || desired.absent ? (true as const) : undefined
  if (look === 'desired' || recorded === undefined) {
    const { attributes = {}, refs } = desired ?? {}
    return { address, attributes, ...defined({ leaving, coming, refs }) }
  }
  const keys = keysOf(type.schema)
  // What contains it is searched where the record has it, also if the configuration means another one now.
  const kept = parentsAt(type, recorded.parents, recorded.attributes, desired?.attributes ?? {})
  const others = Object.keys(withoutMembers(recorded.parents ?? {}, Object.keys(kept ?? {})))
  const own = pick(recorded.attributes, [...keys, ...others.map(namingAttribute)])
  const refs = { ...desired?.refs, ...(desired === undefined ? recorded.refs : pick(recorded.refs ?? {}, keys)) }
  return {
    address,
    attributes: desired === undefined ? recorded.attributes : { ...desired.attributes, ...own },
    ...defined({ ids: look === 'ids' ? recorded.ids : undefined, leaving, refs: unlessEmpty(refs) }),
  }
}

const locatedBy = (
  choice: Exclude<Choice, { readonly kind: 'look' | 'import' }>,
  searched: ObjectToLocate,
  looks: ReadonlyMap<Look, ReadOutcome>,
): Located => {
  const other = targetOf(searched, searched.desired === undefined ? 'recorded' : 'desired')
  switch (choice.kind) {
    case 'absent':
      return { observed: { result: absentIn(looks) }, target: other, isOwn: false }
    case 'unclear':
      return { observed: ambiguous(choice.why, choice.isMoved && 'other_parent'), target: other, isOwn: false }
    case 'bound': {
      const found = looks.get(choice.look) ?? { result: { kind: 'absent' as const } }
      const known = choice.isOwn ? searched.recorded?.ids : undefined
      const observed = { ...found, result: keepAnsweredIds(rulesOf(searched.type), found.result, known) }
      const target = targetOf(searched, choice.look)
      return { observed, target: boundTarget(searched, target, observed), isOwn: choice.isOwn }
    }
  }
}

const boundTarget = ({ type }: ObjectToLocate, target: Target, { result }: ReadOutcome): Target => {
  if (result.kind !== 'present') return target
  const { ids: _, ...rest } = target
  const keys = pick(namesIn(type.schema, result.attributes), keysOf(type.schema))
  return {
    ...rest,
    attributes: { ...target.attributes, ...keys },
    ...defined({ ids: type.identity?.readable && type.identity.ids !== 'position' ? result.ids : undefined }),
  }
}
