import type { Command } from '../../../schema/command.ts'
import type { Deps } from '../../deps.ts'
import type { Session } from '../../session/open-session.ts'
import { claimsIn } from './claims.ts'
import type { Traffic } from './schedule.ts'

/**
 * Commands for one target share a lane, whatever the providers are called that lead there; the narrowest of them counts. No
 * lane is wider than the reads that its commands need.
 */
export const trafficOf = (
  commands: readonly Command[],
  { resources, loaded }: Pick<Session, 'resources' | 'loaded'>,
  { limits }: Pick<Deps, 'limits'>,
): Traffic<Command> => {
  const widths = new Map<string, number>()
  // The target itself, whatever the types: a place of a resource is that of one type in it.
  const nameOf = ({ address }: Command): string => {
    const alias = resources.get(address)?.provider ?? ''
    return loaded.providers.get(alias)?.place ?? alias
  }
  for (const command of commands) {
    const name = nameOf(command)
    const provider = loaded.providers.get(resources.get(command.address)?.provider ?? '')
    const { writeConcurrency = 1, concurrency = limits.concurrency } = provider?.limits ?? {}
    widths.set(name, Math.min(widths.get(name) ?? concurrency, writeConcurrency, concurrency))
  }
  return {
    laneOf: (command) => ({ name: nameOf(command), width: widths.get(nameOf(command)) ?? 1 }),
    claimsOf: claimsIn({ resources, commands }),
    most: limits.concurrency,
  }
}
