import type { Caller } from '../../../provider/provider.ts'
import type { Address } from '../../../schema/resource.ts'
import { presentIn } from '../../../values/defined.ts'
import type { BoundResource, ObservedResource } from '../plan/observation.ts'
import { resolveCaller } from '../read/read-object.ts'
import type { LoadedWorkspace } from '../shared/loaded-workspace.ts'
import type { Redacting, Sending } from '../shared/transports.ts'

/** Who the credentials of each provider belong to, where it says so. */
export type CallersNow = ReadonlyMap<string, Caller>

/**
 * Asks each provider that says who its caller is, also for types whose requests do not name it: what they do not show may be
 * hidden from this caller alone. Where nothing could be read, nobody is asked.
 */
export const askCallers = async (
  resources: readonly ObservedResource[],
  { loaded, transports }: { readonly loaded: LoadedWorkspace; readonly transports: Sending & Redacting },
): Promise<CallersNow> => {
  const read = resources.filter(({ observed: { result } }) => result.kind !== 'unknown')
  const asked = [...new Set(read.map(({ provider }) => provider))].map(async (alias) => {
    const caller = await resolveCaller(loaded.providers.get(alias), transports.of(alias).cachedRead, transports)
    return caller && ([alias, caller] as const)
  })
  return new Map(presentIn(await Promise.all(asked)))
}

/** With who saw them, for their records. */
export const withCallers = (
  all: ReadonlyMap<Address, BoundResource>,
  callers: CallersNow,
): ReadonlyMap<Address, BoundResource> =>
  new Map(
    [...all].map(([address, one]) => {
      const caller = callers.get(one.provider)
      return [address, caller?.kind === 'known' ? { ...one, seenBy: caller.as } : one]
    }),
  )
