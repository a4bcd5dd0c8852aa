import { digest } from '../json/digest.ts'
import { pathText } from '../json/pointer.ts'
import type { Path } from '../schema/json.ts'
import type { Severity } from '../schema/rules.ts'
import type { Finding } from '../schema/stored/findings.ts'
import { type Change, isReported, isWider, type Orphan, type Plan, widens } from '../schema/stored/plan.ts'
import type { Run } from '../schema/stored/records.ts'
import { defined } from '../values/defined.ts'
import { firstOf, shorten } from '../values/texts/shorten.ts'
import { existence, inFiles, orphaned } from './words.ts'

/**
 * high    a replacement; a conflict (both sides moved); an object that was deleted outside; access that the configuration
 *         does not give; a check that failed as a whole
 * medium  any other drift; a delete; a resource that could not be read
 * low     what only waits to be applied: creates and updates that the configuration asks for; an orphan that is only reported
 */
const severityOf = (change: Change, deletedOutside: boolean): Severity => {
  const causes = new Set(change.causes.map(({ cause }) => cause))
  if (change.action === 'replace' || causes.has('conflict') || deletedOutside || isOpened(change)) return 'high'
  return change.action === 'delete' || causes.has('drift') ? 'medium' : 'low'
}

/** Whether the target gives more access for a reason other than a stricter configuration that waits to be applied. */
const isOpened = ({ causes }: Change): boolean =>
  causes.some(({ cause, access }) => access === 'narrows' && cause !== 'pending')

/** A change that widens and narrows the access is reported as the more urgent of the two. */
const accessOf = (change: Change): Finding['access'] => {
  if (isWider(change)) return 'wider'
  return widens(change) ? 'narrower' : undefined
}

const shownPaths = 10
const shownCharacters = 120

const summaryOf = (change: Change): string => {
  // What somebody moved outside is told from what waits in the files, where a change has both.
  const isMixed = new Set(change.causes.map(({ cause }) => cause === 'pending')).size > 1
  const paths = change.causes.map(({ path, cause }) => {
    const text = shorten(pathText(path), shownCharacters)
    return isMixed && cause === 'pending' ? inFiles(text) : text
  })
  return existence[change.action] ?? firstOf(paths, shownPaths)
}

const fromChange = (change: Change, deleted: ReadonlySet<string>, changed: Finding['changed']): Finding => ({
  address: change.address,
  kind: change.action,
  summary: summaryOf(change),
  severity: severityOf(change, change.action === 'create' && deleted.has(change.address)),
  ...defined({ access: accessOf(change), changed }),
  digest: digest({ action: change.action, diff: change.diff, blocked: change.blocked?.reason }),
})

/**
 * What differs from the configuration. Drift that agrees with the configuration is not a finding: nothing needs to be
 * done.
 */
export const driftFindings = (plan: Plan): readonly Finding[] => {
  const deleted = new Set(plan.drift.filter(({ kind }) => kind === 'deleted').map(({ address }) => address))
  const changed = new Map((plan.attributed ?? []).map(({ address, ...rest }) => [address, rest]))
  return [
    ...plan.changes.map((change) => fromChange(change, deleted, changed.get(change.address))),
    ...(plan.orphans ?? []).filter(isReported).map(fromOrphan),
  ]
}

const fromOrphan = ({ address }: Orphan): Finding => ({
  address,
  kind: 'orphaned',
  summary: orphaned,
  severity: 'low',
  digest: digest({ orphaned: address }),
})

/** A short digest of a path, because there may be very many paths. */
const placeOf = (path: Path): string => digest(path).slice('sha256:'.length, 'sha256:'.length + 16)

export type Places = Readonly<Record<string, readonly string[]>>

export const placesOf = (plan: Plan): Places =>
  Object.fromEntries(plan.changes.map(({ address, causes }) => [address, causes.map(({ path }) => placeOf(path))]))

/** Addresses for which a rule now ignores a difference at one of these paths. */
export const coveredAt = (plan: Plan, places: Places): ReadonlySet<string> => {
  const known = new Map(Object.entries(places).map(([address, each]) => [address, new Set(each)]))
  const covered = plan.ignored.filter(({ address, path }) => known.get(address)?.has(placeOf(path)))
  return new Set(covered.map(({ address }) => address))
}

/** The reason may change from read to read while the target is down; this does not make a new finding. */
export const uncheckedFindings = (plan: Plan): readonly Finding[] =>
  plan.unchecked.map(({ address, reason, attributes, permission }) => ({
    address,
    kind: 'unchecked',
    summary: reason,
    severity: 'medium',
    digest: digest({ unchecked: address, ...defined({ attributes }) }),
    ...defined({ attributes: attributes && [...attributes], permission }),
  }))

/** A check that stopped knows nothing about its resources: there is one finding for the workspace. */
export const failureFinding = (run: Run): Finding => {
  const code = run.error?.code ?? 'INTERNAL'
  return {
    address: run.workspace,
    kind: 'unchecked',
    summary: code,
    severity: 'high',
    digest: digest({ failed: code }),
  }
}

/** One digest of all findings, independent of their order. */
export const fingerprintOf = (findings: readonly Finding[]): string =>
  digest(findings.map(({ address, digest: own }) => [address, own]).sort(byText))

const byText = (left: readonly string[], right: readonly string[]): number =>
  left.join('\n') < right.join('\n') ? -1 : 1
