import { type ResourcePresence, vanishedIn } from '../../binding/vanished.ts'
import type { Provider, SightAnswer } from '../../provider/provider.ts'
import type { Address } from '../../schema/resource.ts'
import { unknownFromError } from '../../transport/answer/unknown.ts'
import type { ObservedResource } from './plan/observation.ts'
import { redactDetail } from './read/read-object.ts'
import type { LoadedWorkspace } from './shared/loaded-workspace.ts'
import type { Redacting, Sending } from './shared/transports.ts'
import { sightFaults } from './shared/words.ts'

interface SightInput {
  readonly loaded: LoadedWorkspace
  readonly transports: Sending & Redacting
}

/**
 * Resources that were not found although they may exist, because their provider may not show them any more. If the
 * provider can check what it sees, that decides; otherwise, whether many of its objects are gone at once. Objects under
 * `gone` count as deleted.
 */
export const findUnseen = async (
  resources: readonly ObservedResource[],
  asked: SightInput,
): Promise<ReadonlyMap<Address, string>> => {
  const { loaded } = asked
  const mayBeHidden = resources.filter(
    ({ address, provider }) => loaded.providers.get(provider)?.mayHide === true && !loaded.isGone(address),
  )
  const unseen = new Map<Address, string>()
  for (const [alias, group] of Map.groupBy(mayBeHidden, ({ provider }) => provider)) {
    const missing = group.filter(isMissing)
    const why = missing.length === 0 ? undefined : await doubtOf(alias, group, asked)
    if (why !== undefined) for (const { address } of missing) unseen.set(address, why)
  }
  return unseen
}

/** Why objects that a provider does not show may still exist; `undefined` if there is no doubt. */
const doubtOf = async (
  alias: string,
  group: readonly ObservedResource[],
  { loaded, transports }: SightInput,
): Promise<string | undefined> => {
  const sight = loaded.providers.get(alias)?.sight
  if (sight === undefined) return vanished(alias, group)
  const answer = await ask(sight, transports.of(alias))
  if (answer.kind === 'clear') return undefined
  return sightFaults.blind(alias, redactDetail(answer.detail, transports.redactor))
}

const ask = (
  sight: NonNullable<Provider['sight']>,
  { cachedRead: transport }: ReturnType<Sending['of']>,
): Promise<SightAnswer> =>
  sight({ transport }).catch((error: unknown) => ({ kind: 'blind', detail: unknownFromError(error).detail }))

const vanished = (alias: string, group: readonly ObservedResource[]): string | undefined => {
  const found = vanishedIn(group.map(lookedFor))
  return found && sightFaults.vanished(alias, found.gone, found.of)
}

/** An object whose create was sent without a known result may never have existed, so it does not count as recorded. */
const lookedFor = (one: ObservedResource): ResourcePresence => ({
  isRecorded: one.recorded !== undefined && one.recorded.doubted !== 'sent',
  found: isMissing(one) ? 'absent' : one.observed.result.kind === 'unknown' ? 'unknown' : 'present',
})

/** An archived object was seen, so it is not missing. */
const isMissing = ({ observed: { result } }: ObservedResource): boolean =>
  result.kind === 'absent' && result.archived === undefined
