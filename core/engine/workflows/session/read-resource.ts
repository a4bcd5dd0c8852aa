import type { Look } from '../../binding/sight.ts'
import { normalise } from '../../diff/normalise.ts'
import type { ResourceType, Target } from '../../provider/provider.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { DesiredResource, RecordedResource, UnknownResult } from '../../schema/resource.ts'
import { defined } from '../../values/defined.ts'
import type { Deps } from '../deps.ts'
import type { ObservedResource, ReadOutcome } from './plan/observation.ts'
import { locatedThen, renamedParents, withNames } from './read/follow-parents.ts'
import type { Foreseen } from './read/foresee-requests.ts'
import { importedAs, isSameObject, namesOther } from './read/imported-as.ts'
import { parentsAt, undeclaredParents } from './read/kept-parents.ts'
import { locateObject, locateRecorded } from './read/locate-object.ts'
import { knownBefore, readObject } from './read/read-object.ts'
import { type ResourceToRead, resolveResource } from './read/resolve-resource.ts'
import { type LoadedWorkspace, movedAway, placeOf, typeOf } from './shared/loaded-workspace.ts'
import { sealRecorded } from './shared/seal-values.ts'
import { unknowns } from './shared/words.ts'

interface ReadInput extends ResourceToRead {
  readonly loaded: LoadedWorkspace
  /** The reason if the resource is not read. */
  readonly leftOut?: string
  readonly worth?: Foreseen['worth']
  /** Attributes that other resources refer to. */
  readonly referredTo?: readonly string[]
}

export const readResource = async (input: ReadInput, deps: Deps): Promise<ObservedResource> => {
  const { desired, recorded, address, loaded } = input
  const subject = desired ?? recorded
  const provider = subject?.provider ?? ''
  const type = typeOf(loaded, provider, subject?.type ?? '')
  const { leftOut } = input
  const away = recorded && movedAway(loaded, provider, recorded)
  if (type !== undefined && leftOut === undefined && away === undefined) return readTyped(input, type, provider, deps)
  const noType = desired === undefined ? unknowns.noType(provider) : unknowns.noTypeYet(provider, desired.type)
  const isElsewhere = away !== undefined && leftOut === undefined
  const unsupported = { kind: 'unknown', reason: 'unsupported', detail: noType } as const
  return {
    address,
    ...defined({ desired, recorded, type, isLeftOut: leftOut === undefined ? undefined : (true as const) }),
    provider,
    place: type === undefined ? provider : placeOf(loaded, provider, type),
    target: { address, attributes: subject?.attributes ?? {} },
    observed: {
      result: isElsewhere
        ? elsewhere(provider, away)
        : leftOut === undefined
          ? unsupported
          : { kind: 'unknown', reason: 'budget', detail: leftOut },
    },
    isOwn: false,
  }
}

const elsewhere = (provider: string, { from, to }: NonNullable<ReturnType<typeof movedAway>>): UnknownResult => ({
  kind: 'unknown',
  reason: 'other_place',
  detail: unknowns.otherPlace(provider, from, to),
})

/** What was deleted with its container is not in another one: what has its name there is found as if for the first time. */
const withoutGone = (
  found: ReadOutcome,
  look: Look,
  readAnywhere: () => Promise<ReadOutcome>,
): Promise<ReadOutcome> | ReadOutcome => {
  if (found.result.kind !== 'unknown' || found.result.reason !== 'other_parent') return found
  return look === 'desired' ? readAnywhere() : { result: { kind: 'absent' } }
}

const withSeals = (
  recorded: RecordedResource,
  { schema }: ResourceType,
  desired: Pick<DesiredResource, 'attributes'> | undefined,
  { seal }: Pick<Deps, 'seal'>,
): RecordedResource => ({
  ...recorded,
  attributes: sealRecorded(schema, recorded.attributes, desired?.attributes, seal),
})

/**
 * Whether an entry says more than the record: it names another object, or says after a delete without an answer that what is there
 * is to be kept. An entry of before the delete says nothing about what else shall be deleted.
 */
const isDecided = (
  imported: Parameters<typeof isSameObject>[0],
  recorded: RecordedResource,
  desired: DesiredResource | undefined,
): boolean => !isSameObject(imported, recorded) || (recorded.doubted === 'deleted' && desired?.absent === false)

const readTyped = async (
  input: ReadInput,
  type: ResourceType,
  provider: string,
  deps: Deps,
): Promise<ObservedResource> => {
  const { address, loaded, known, transports } = input
  const isGone = loaded.isGone(address) ? (true as const) : undefined
  const resolved = await resolveResource({ ...input, type, ...defined({ isGone }) }, deps)
  const { desired, refs, refersBy, named, as, open, result } = resolved
  const place = placeOf(loaded, provider, type)
  const desiredAttributes = desired && normalise(type.schema, desired.attributes, 'desired')
  const { attributes = {}, dependsOn = [] } = resolved.desired ?? resolved.recorded ?? {}
  const child = {
    type,
    attributes: desiredAttributes ?? attributes,
    isDeclared: desired !== undefined,
    dependsOn,
    recorded: resolved.recorded,
  }
  const renamed = renamedParents(child, known)
  const namedAt = <Kept extends { readonly attributes: JsonObject }>(one: Kept, at: 'now' | 'then'): Kept => ({
    ...one,
    attributes: withNames(one.attributes, renamed, at),
  })
  const recorded = resolved.recorded && withSeals(namedAt(resolved.recorded, 'then'), type, desired, deps)
  const base = recorded && { ...recorded, attributes: normalise(type.schema, recorded.attributes, 'recorded') }
  const about = { ...defined({ desired, recorded, refs, refersBy, named, as, open }), address, type, provider, place }
  if (result !== undefined) {
    const target = { address, attributes: desiredAttributes ?? base?.attributes ?? {} }
    return { ...about, observed: { result }, target, isOwn: false }
  }
  const sought = desired &&
    desiredAttributes && { attributes: desiredAttributes, absent: desired.absent, ...defined({ refs }) }
  const isComing = input.desired?.dependsOn.some((each) => known.get(each)?.kind === 'coming') === true
  const imported = importedAs(loaded.imports.get(address), type)
  const isImported = recorded === undefined && imported !== undefined
  const searched = defined({
    type,
    place,
    address,
    desired: resolved.isByRecord || sought === undefined ? undefined : namedAt(sought, 'now'),
    recorded: resolved.isOrphaned ? undefined : base === undefined ? imported : namedAt(base, 'now'),
    isImported: isImported ? (true as const) : undefined,
    imported: base && imported && isDecided(imported, base, desired) ? imported : undefined,
    isComing: resolved.isComing,
    coming: isComing ? (true as const) : undefined,
    isGone,
    isUnderWay: loaded.isUnderWay?.(address) ? (true as const) : undefined,
  })
  const parents = dependsOn.flatMap((each) => known.get(each) ?? [])
  const inPlace = (target: Target): Target => {
    const kept = parentsAt(type, searched.recorded?.parents, searched.recorded?.attributes ?? {}, target.attributes)
    const own = desired === undefined ? kept : undeclaredParents(type, kept, target.attributes, parents)
    return { ...target, ...defined({ parents: own, referredTo: input.referredTo }) }
  }
  const reading = { transport: transports.of(provider).cachedRead, ...defined({ worth: input.worth?.get(provider) }) }
  const located = input.isUnread
    ? locateRecorded(searched)
    : await locateObject(searched, async (target, look) => {
        const read = (one: Target) =>
          readObject(type, one, knownBefore(desired, recorded), reading, deps.seal, transports)
        const found = await read(inPlace(target))
        return isGone ? withoutGone(found, look, () => read({ ...inPlace(target), parents: {} })) : found
      })
  const isAssumed = resolved.isComing && located.observed.result.kind === 'absent'
  return {
    ...about,
    ...(base && imported && !located.isInstead && namesOther(imported, base) && { importsOther: true as const }),
    ...defined({ desiredAttributes, isAssumed: isAssumed ? (true as const) : undefined }),
    ...locatedThen(located, renamed),
  }
}
