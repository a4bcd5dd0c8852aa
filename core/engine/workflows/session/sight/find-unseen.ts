import { canonicalJson } from '../../../json/canonical.ts'
import type { Caller, Provider, SightAnswer } from '../../../provider/provider.ts'
import type { JsonObject } from '../../../schema/json.ts'
import type { Address } from '../../../schema/resource.ts'
import { unknownFromError } from '../../../transport/answer/unknown.ts'
import { defined, present } from '../../../values/defined.ts'
import { ambiguous, type BoundResource, type ObservedResource } from '../plan/observation.ts'
import { redactDetail } from '../read/read-object.ts'
import type { LoadedWorkspace } from '../shared/loaded-workspace.ts'
import type { Redacting, Sending } from '../shared/transports.ts'
import type { CallersNow } from './ask-callers.ts'
import type { FoundElsewhere } from './find-moved.ts'
import { insideUnseen, needsOf } from './inside.ts'
import { isMissing, vanishedAmong } from './missing.ts'
import { isNameAlone } from './name-alone.ts'
import { hiddenScopes } from './scopes.ts'
import { sightFaults } from './words.ts'

interface SightInput {
  readonly loaded: LoadedWorkspace
  readonly transports: Sending & Redacting
  readonly callers: CallersNow
}

/**
 * Resources that were not found although they may exist, because their provider may not show them any more. If the
 * provider can check what it sees, that must hold; the caller must be the recorded one; and not many of its objects, or of those
 * in one place, may be gone at once. Objects under `gone` count as deleted. So may the object of a record be that has another one instead, and
 * what is in an object that is not seen.
 */
export const findUnseen = async (
  resources: readonly BoundResource[],
  asked: SightInput,
): Promise<ReadonlyMap<Address, FoundElsewhere>> => {
  const { loaded } = asked
  // What has another address now counts under that.
  const mayBeHidden = resources.filter(
    ({ address, provider, movedTo }) =>
      loaded.providers.get(provider)?.mayHide === true && !loaded.isGone(address) && movedTo === undefined,
  )
  const isLost = (one: ObservedResource): boolean =>
    isRemade(one) || (isMissing(one) && loaded.isGone(one.address) && one.recorded !== undefined)
  const lost = new Set(resources.filter(isLost).flatMap(addressesOf))
  const missing = new Set(resources.filter(isMissing).flatMap(addressesOf))
  // What was in an object that is gone, or that somebody made again, is gone with it; a link is gone with each of its ends.
  const isExplained = (one: ObservedResource): boolean =>
    isMissing(one) &&
    (isInAnother(one) || needsOf(one).some((address) => (one.type?.isLink ? missing : lost).has(address)))
  const unseen = new Map<Address, string>()
  for (const [alias, all] of Map.groupBy(mayBeHidden, ({ provider }) => provider)) {
    const group = all.filter((one) => !isExplained(one))
    for (const [address, why] of await unseenIn(alias, group, asked)) unseen.set(address, why)
    for (const [address, why] of insideUnseen(all, unseen)) unseen.set(address, why)
  }
  return new Map([...unseen].map(([address, why]) => [address, { observed: ambiguous(why, 'out_of_sight') }]))
}

const addressesOf = ({ address, previousAddress }: BoundResource): readonly Address[] =>
  present(address, previousAddress)

const unseenIn = async (
  alias: string,
  group: readonly ObservedResource[],
  asked: SightInput,
): Promise<ReadonlyMap<Address, string>> => {
  const missing = group.filter((one) => isMissing(one) || one.isInstead === true)
  const hidden = [...ofAnotherServer(alias, group), ...ofOtherCallers(alias, group, asked.callers.get(alias))]
  if (missing.length === 0) return new Map(hidden)
  const why = await doubtOf(alias, group, asked)
  if (why !== undefined) return new Map([...hidden, ...missing.map(({ address }) => [address, why] as const)])
  return new Map([...hiddenScopes(group), ...hidden])
}

/** Its ids are others than the recorded ones: the object that was recorded is gone. */
const isRemade = ({ recorded, observed: { result } }: ObservedResource): boolean =>
  result.kind === 'present' &&
  Object.entries(recorded?.ids ?? {}).some(([name, id]) => (result.ids?.[name] ?? id) !== id)

/** What contains it is another object than the recorded one. */
const isInAnother = ({ recorded, observed: { result } }: ObservedResource): boolean =>
  result.kind === 'absent' &&
  Object.entries(recorded?.parents ?? {}).some(([name, id]) => (result.parents?.[name] ?? id) !== id)

/** Why objects that a provider does not show may still exist; `undefined` if there is no doubt. */
const doubtOf = async (
  alias: string,
  group: readonly ObservedResource[],
  { loaded, transports }: SightInput,
): Promise<string | undefined> => {
  const sight = loaded.providers.get(alias)?.sight
  const answer = sight && (await ask(sight, transports.of(alias)))
  if (answer?.kind === 'blind') return sightFaults.blind(alias, redactDetail(answer.detail, transports.redactor))
  // That the caller sees one thing does not prove that it sees all others: a role may be lost in a part of the system.
  const found = vanishedAmong(group)
  return found && sightFaults.vanished(alias, found)
}

const ask = (
  sight: NonNullable<Provider['sight']>,
  { cachedRead: transport }: ReturnType<Sending['of']>,
): Promise<SightAnswer> =>
  sight({ transport }).catch((error: unknown) => ({ kind: 'blind', detail: unknownFromError(error).detail }))

/**
 * Where most of what has an id is another one or gone, the place may lead to another server, such as a restored backup: then
 * a name proves nothing there, and what is missing may never have been in it.
 */
const ofAnotherServer = (
  alias: string,
  group: readonly ObservedResource[],
): readonly (readonly [Address, string])[] => {
  const known = group.filter((one) => !isNameAlone(one))
  const others = known.filter((one) => one.isRemade === true || isRemade(one))
  const kept = known.filter((one) => !others.includes(one))
  const found = others.length === 0 ? undefined : vanishedAmong(kept, others.length)
  if (found === undefined) return []
  return group
    .filter((one) => isMissing(one) || isNameAlone(one))
    .map(({ address }) => [address, sightFaults.otherServer(alias, address, found)])
}

/**
 * Recorded objects that were seen with the credentials of somebody else, and that are not found now, or another one in their
 * place, or one that only has the name: to each caller, a name may be that of another object. A record that does not name its caller has the one that others of its provider name.
 */
const ofOtherCallers = (
  alias: string,
  group: readonly ObservedResource[],
  caller: Caller | undefined,
): readonly (readonly [Address, string])[] => {
  const known = group.flatMap((one) => callersOf(one, caller) ?? [])
  const other = known.find(isOther)
  return group.flatMap((one) => {
    const isNamed = isNameAlone(one)
    const isFound = !isMissing(one) && one.isInstead !== true && one.isRemade !== true
    if (isFound && !isNamed) return []
    const callers = callersOf(one, caller) ?? other
    if (one.recorded === undefined || callers === undefined || !isOther(callers)) return []
    const { then, now } = callers
    // Where nobody could ever tell who it was, the same one may have found it all the time.
    if (isFound && then === undefined) return []
    const why = isFound
      ? sightFaults.nameAlone(alias, one.address, then ?? {}, now.kind === 'known' ? now.as : undefined)
      : now.kind === 'known'
        ? sightFaults.otherCaller(alias, then ?? {}, now.as)
        : sightFaults.unknownCaller(alias, then, now.detail)
    return [[one.address, why] as const]
  })
}

interface Callers {
  /** Absent: nobody could tell it, and nobody can now. */
  readonly then?: JsonObject
  readonly now: Caller
}

const callersOf = ({ type, recorded, as }: ObservedResource, caller: Caller | undefined): Callers | undefined => {
  const then = recorded?.seenBy ?? type?.callerIn?.(recorded?.refs ?? {})
  const now = as === undefined ? caller : { kind: 'known' as const, as }
  if (now === undefined || recorded === undefined || (then === undefined && now.kind === 'known')) return undefined
  return { now, ...defined({ then }) }
}

const isOther = ({ then, now }: Callers): boolean =>
  now.kind === 'unknown' || canonicalJson(then) !== canonicalJson(now.as)
