import pLimit from 'p-limit'
import { driftFindings } from '../../alert/finding.ts'
import { asAppError } from '../../errors/errors.ts'
import { pathText } from '../../json/pointer.ts'
import type { Path } from '../../schema/json.ts'
import type { Attribution, Finding } from '../../schema/stored/findings.ts'
import type { Attributed, Change, Plan } from '../../schema/stored/plan.ts'
import { type Apply, hasEnded } from '../../schema/stored/records.ts'
import type { Traced } from '../../schema/traced.ts'
import { listApplies } from '../../state/applies/applies.ts'
import { listEpisodes } from '../../state/outbox.ts'
import { listRuns } from '../../state/runs/runs.ts'
import { isOf, type Lineage } from '../../state/workspaces/lineage.ts'
import { addressOf } from '../../values/addresses/address.ts'
import { defined } from '../../values/defined.ts'
import type { Deps } from '../deps.ts'
import type { Session } from '../session/open-session.ts'
import { untold } from '../words.ts'

/** Reading a log costs requests: after this number of drifted resources, the rest is not attributed. */
const mostTraced = 50
const runsLookedAt = 20
const appliesLookedAt = 20
/** The clock of a target may differ from ours by this much. */
const skewMs = 60_000

/**
 * Adds to the plan who changed what drifted, where the targets tell that; changes nothing else in the plan. A log that
 * cannot be read becomes a reason, and the check does not fail.
 */
export const attributeDrift = async (session: Session, lineage: Lineage, deps: Deps): Promise<Plan> => {
  const { plan, resources } = session
  const drifted = driftedIn(plan).filter(({ change }) => resources.get(change.address)?.type?.trace !== undefined)
  if (drifted.length === 0) return plan
  const history = await historyOf(plan.workspace, lineage, deps)
  const findings = new Map(driftFindings(plan).map((finding) => [finding.address, finding]))
  const limit = pLimit(deps.limits.concurrency)
  const found = await Promise.all(
    drifted.map((each, index) =>
      limit(() => attribute({ ...each, finding: findings.get(each.change.address), index }, session, history, deps)),
    ),
  )
  const attributed = found.filter((each) => each !== undefined)
  return attributed.length === 0 ? plan : { ...plan, attributed }
}

interface Drifted {
  readonly change: Change
  /** `[[]]` for an object that was deleted outside. */
  readonly paths: readonly Path[]
}

const driftedIn = ({ changes, drift }: Plan): readonly Drifted[] => {
  const deleted = new Set(drift.filter(({ kind }) => kind === 'deleted').map(({ address }) => address))
  return changes.flatMap((change): readonly Drifted[] => {
    if (change.action === 'create') return deleted.has(change.address) ? [{ change, paths: [[]] }] : []
    const paths = change.causes.flatMap(({ path, cause }) => (cause === 'drift' || cause === 'conflict' ? [path] : []))
    return paths.length === 0 ? [] : [{ change, paths }]
  })
}

interface History {
  /** When the last check that read everything began. */
  readonly lastWhole: string | undefined
  readonly earlier: readonly Finding[]
  readonly applies: readonly Apply[]
}

const historyOf = async (workspace: string, lineage: Lineage, { store }: Deps): Promise<History> => {
  const [runs, episodes, applies] = await Promise.all([
    listRuns(store, workspace, { limit: runsLookedAt }),
    listEpisodes(store, workspace),
    listApplies(store, workspace, { limit: appliesLookedAt }),
  ])
  const whole = runs.items.find((run) => isOf(lineage, run) && run.digests !== undefined && run.counts?.unchecked === 0)
  const open = episodes.find(({ key, status }) => key === 'drift' && status === 'open')
  return { lastWhole: whole?.startedAt, earlier: open?.findings ?? [], applies: applies.items }
}

interface DriftToAttribute extends Drifted {
  readonly finding: Finding | undefined
  readonly index: number
}

const attribute = async (
  { change, paths, finding, index }: DriftToAttribute,
  { resources, transports }: Pick<Session, 'resources' | 'transports'>,
  { lastWhole, earlier, applies }: History,
  { deadline }: Deps,
): Promise<Attributed | undefined> => {
  const { address, provider } = change
  const before = earlier.find((each) => each.address === address)
  const known = before?.changed
  const bound = resources.get(address)
  const after = latest(known?.after ?? lastWhole, bound?.recorded?.lastApplied?.at)
  if (bound?.type?.trace === undefined || after === undefined) return undefined
  // A log drops old entries and can be unreachable for a while, so an attribution of the same difference is kept.
  const isSame = known !== undefined && known.by.length > 0 && before?.digest === finding?.digest
  const silent = (unknown: string): Attributed => (isSame ? { address, ...known } : { address, after, by: [], unknown })
  if (index >= mostTraced) return silent(untold.tooMany(mostTraced))
  try {
    const transport = transports.of(provider).cachedRead
    const found = await bound.type.trace(bound.target, after, { transport, ...defined({ signal: deadline?.signal }) })
    if ('kind' in found) return silent(found.detail)
    const told = attributionsOf(paths, found, mayBeOurs(address, applies))
    return told.by.length === 0 && isSame ? { address, ...known } : { address, after, ...told }
  } catch (error) {
    return silent(asAppError(error).message)
  }
}

const latest = (left: string | undefined, right: string | undefined): string | undefined =>
  left === undefined || right === undefined ? left : left > right ? left : right

/**
 * Whether a command of ours may have made an entry: it is of the time of an apply that has written to the resource, or may still
 * write to it. Nobody is named for such a one.
 */
const mayBeOurs = (address: string, applies: readonly Apply[]): ((entry: Traced) => boolean) => {
  const windows = applies
    .filter((apply) => apply.mode === 'execute' && apply.startedAt !== undefined && mayWrite(apply, address))
    .map(({ startedAt = '', finishedAt }) => [
      Date.parse(startedAt) - skewMs,
      finishedAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(finishedAt) + skewMs,
    ])
  return ({ at }) => windows.some(([from = 0, to = 0]) => Date.parse(at) >= from && Date.parse(at) <= to)
}

/** The outcomes of an apply that has ended are those of all that it has sent. */
const mayWrite = (apply: Apply, address: string): boolean => {
  const { resources, outcomes } = apply
  if (!hasEnded(apply)) return resources === undefined || resources.some((each) => each.address === address)
  return outcomes.some(({ command, status }) => addressOf(command) === address && status !== 'skipped')
}

/** The newest entry about an attribute is the one that made it what it is; an older one has no say. */
const attributionsOf = (
  paths: readonly Path[],
  found: readonly Traced[],
  isOurs: (entry: Traced) => boolean,
): Pick<Attributed, 'by' | 'unknown'> => {
  const newestFirst = found.toSorted((left, right) => (left.at < right.at ? 1 : -1))
  const entryOf = ([top]: Path): Traced | undefined =>
    newestFirst.find(({ attributes, deleted }) => (top === undefined ? deleted : attributes.includes(String(top))))
  const pathsOf = Map.groupBy(paths, entryOf)
  const textsOf = (entry: Traced | undefined): readonly string[] => (pathsOf.get(entry) ?? []).map(pathText)
  const entries = [...pathsOf.keys()].filter((entry) => entry !== undefined)
  const by = entries
    .filter((entry) => !isOurs(entry))
    .map((entry): Attribution => {
      const { actor, at, action, via } = entry
      return { actor, at, action, ...defined({ via }), paths: [...textsOf(entry)] }
    })
  const near = entries.filter(isOurs).map((entry) => untold.nearApply(textsOf(entry), entry.at))
  const unknown = [...near, ...(pathsOf.has(undefined) ? [untold.noEntry(textsOf(undefined))] : [])]
  return { by, ...defined({ unknown: unknown.length === 0 ? undefined : unknown.join('; ') }) }
}
