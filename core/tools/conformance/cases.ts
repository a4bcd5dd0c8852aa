import type { Check } from './check.ts'
import { facts } from './facts.ts'
import { failures } from './failures.ts'
import { absent, apart, isUnknownAt, lists, listWith, reads } from './reading.ts'
import { openSystem, type ProviderCase } from './system.ts'
import { caseNames } from './words.ts'
import { complete, converges, deletes, inverses, pure, secrets, version } from './writing.ts'

/** One promise of a provider, to be run with any test runner. `run` rejects with PROVIDER_NOT_CONFORMANT. */
export interface ConformanceCase {
  readonly name: string
  run(): Promise<void>
}

const checks: readonly (readonly [string, Check])[] = [
  [caseNames.facts, facts],
  [caseNames.absent, absent],
  [caseNames.reads, reads],
  [caseNames.converges, converges],
  [caseNames.version, version],
  [caseNames.inverses, inverses],
  [caseNames.deletes, deletes],
  [caseNames.pure, pure],
  [caseNames.complete, complete],
  [caseNames.apart, apart],
  [caseNames.lists, lists],
  [caseNames.secrets, secrets],
  ...failures.map(
    (failure) =>
      [caseNames.unknown(failure.name), isUnknownAt(failure, (system, ...rest) => system.look(...rest))] as const,
  ),
]

const listChecks: readonly (readonly [string, Check])[] = failures.map((failure) => [
  caseNames.unlisted(failure.name),
  async (system, given) => (system.type.list === undefined ? undefined : isUnknownAt(failure, listWith)(system, given)),
])

/**
 * The promises that every provider must keep, as cases for any test runner. `setup` creates a separate system for each
 * case, which does not have the declared resource yet.
 */
export const conformanceCases = (setup: () => Promise<ProviderCase>): readonly ConformanceCase[] =>
  [...checks, ...listChecks].map(([name, check]) => ({
    name,
    run: async () => {
      const given = await setup()
      try {
        await check(openSystem(given), given)
      } finally {
        await given.end?.()
      }
    },
  }))

/** The required part of a test runner: `node:test` and vitest have it. */
export interface Runner {
  readonly describe: (name: string, body: () => void) => unknown
  readonly it: (name: string, body: () => Promise<void>) => unknown
}

export const describeProvider = (name: string, setup: () => Promise<ProviderCase>, { describe, it }: Runner): void => {
  describe(`${name}: conformance`, () => {
    for (const each of conformanceCases(setup)) it(each.name, () => each.run())
  })
}
