import type { Address, RecordedResource } from '../../../schema/resource.ts'
import type { ReadHistory } from '../../../state/runs/reads.ts'
import { defined } from '../../../values/defined.ts'
import type { Deps } from '../../deps.ts'
import type { LoadedWorkspace } from '../shared/loaded-workspace.ts'
import { leftOut } from '../shared/words.ts'
import { chooseReads, type ReadBudget, type ReadCandidate, type TimeOf } from './choose-reads.ts'
import type { Foreseen } from './foresee-requests.ts'
import { foreseeTime } from './foresee-time.ts'
import { type ForeseenReads, isLimited } from './is-limited.ts'

/** Resources that are not read this time, each with the reason for people. */
export const leaveOut = (
  loaded: LoadedWorkspace,
  recorded: readonly RecordedResource[],
  { history, isApply }: ForeseenReads,
  foreseen: Foreseen['costs'],
  deps: Deps,
): ReadonlyMap<Address, string> => {
  if (!isLimited(loaded)) return new Map()
  if (isApply) return new Map(history.left.map((address) => [address, leftOut.before]))
  const { resources } = loaded.configuration
  const addresses = new Set(resources.map(({ address }) => address))
  const candidates: readonly ReadCandidate[] = [
    ...resources,
    ...recorded.filter(({ address }) => !addresses.has(address)).map((each) => ({ ...each, dependsOn: [] })),
  ].map((each) => ({ ...each, ...defined({ foreseen: foreseen.get(each.address) }) }))
  const budget = budgetOf(loaded, history, deps)
  const { left, forecast } = chooseReads(candidates, history, budget, timesOf(loaded, history, deps))
  deps.progress?.({ step: 'forecast', ...forecast })
  const detail = leftOut.now(forecast)
  return new Map([...left].map((address) => [address, detail]))
}

/** Milliseconds that a request is expected to take as long as none was measured. */
const usualMs = 100

const timesOf =
  ({ providers }: LoadedWorkspace, { ms, sent, spent = {} }: ReadHistory, { clock, limits }: Deps): TimeOf =>
  (alias, requests) => {
    const { concurrency = limits.concurrency, quota } = providers.get(alias)?.limits ?? {}
    const { points } = quota ?? {}
    const perMinute = points && Math.floor(points.perMinute / points.read)
    const pace = { ms: sent === 0 ? usualMs / concurrency : ms / sent, ...defined({ perMinute, spent: spent[alias] }) }
    return foreseeTime(requests, pace, clock.now().getTime())
  }

/** What is left of the limits by the latest answers; a limit whose period has begun again since then is complete. */
const budgetOf = (
  { configuration, providers }: LoadedWorkspace,
  { limits }: ReadHistory,
  { clock }: Deps,
): ReadBudget => {
  const now = clock.now().getTime()
  const known = [...providers].flatMap(([alias, { limits: own }]): [string, number][] => {
    const told = limits[alias]
    const { reserve } = own?.quota ?? {}
    if (told === undefined || reserve === undefined) return []
    const kept = Math.floor((told.limit ?? 0) * reserve)
    const rest = told.resetAt > now ? told.remaining : told.limit
    return rest === undefined ? [] : [[alias, Math.max(0, rest - kept)]]
  })
  return { providers: new Map(known), ...defined({ all: configuration.limits.requests }) }
}
