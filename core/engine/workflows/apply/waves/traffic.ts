import type { Command } from '../../../schema/command.ts'
import type { Address } from '../../../schema/resource.ts'
import type { Deps } from '../../deps.ts'
import type { Session } from '../../session/open-session.ts'
import { claimsIn } from './claims.ts'
import type { Traffic } from './schedule.ts'

/**
 * Commands for one target share a lane, whatever their types and the names of the providers are. The narrowest limit of
 * these providers counts. No lane is wider than the reads that its commands need.
 */
export const trafficOf = (
  commands: readonly Command[],
  { resources, loaded }: Pick<Session, 'resources' | 'loaded'>,
  { limits }: Pick<Deps, 'limits'>,
): Traffic<Command> => {
  const providerOf = (address: Address): string => resources.get(address)?.provider ?? ''
  const targetOf = (address: Address): string => {
    const alias = providerOf(address)
    return JSON.stringify(loaded.providers.get(alias)?.place ?? { alias })
  }
  const widths = new Map<string, number>()
  for (const { address } of commands) {
    const name = targetOf(address)
    const { writeConcurrency = 1, concurrency = limits.concurrency } =
      loaded.providers.get(providerOf(address))?.limits ?? {}
    widths.set(name, Math.min(widths.get(name) ?? concurrency, writeConcurrency, concurrency))
  }
  return {
    laneOf: ({ address }) => ({ name: targetOf(address), width: widths.get(targetOf(address)) ?? 1 }),
    claimsOf: claimsIn({ resources, commands, targetOf }),
    most: limits.concurrency,
  }
}
