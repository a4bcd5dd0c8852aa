import type { Alert, Apply, LedgerEntry, Run, Workspace } from '../schema/records.ts'
import { defined } from './defined.ts'

/*
 * Before ids and digests were named so, `applyId` was stored as `apply`, `runId` as `run`, `episodeId` as `episode` and
 * `configurationDigest` as `configuration`. Whatever is kept in these names is read in those of today.
 */

type Names = Readonly<Record<string, string>>

/** A stored record whose members have today's names; one that has them already is as it was. */
const withNames =
  <Shape extends object>(names: Names) =>
  (stored: Shape): Shape =>
    Object.keys(names).some((name) => Object.hasOwn(stored, name))
      ? (Object.fromEntries(Object.entries(stored).map(([name, value]) => [names[name] ?? name, value])) as Shape)
      : stored

export const currentRun = withNames<Run>({ configuration: 'configurationDigest' })
export const currentWorkspace = withNames<Workspace>({ configuration: 'configurationDigest' })
export const currentApply = withNames<Apply>({ run: 'runId' })
const renamedAlert = withNames<Alert>({ run: 'runId', episode: 'episodeId' })
/** Who receives one tells by its version which names it has. */
export const currentAlert = (stored: Alert): Alert => ({ ...renamedAlert(stored), version: '2' })

/** An entry stays as it was stored, as its hash is about every member: of those of earlier names the ids are asked for here. */
export const idsOf = (entry: LedgerEntry): Pick<LedgerEntry, 'applyId' | 'runId'> => {
  const { apply, run } = entry as { readonly apply?: string; readonly run?: string }
  return defined({ applyId: entry.applyId ?? apply, runId: entry.runId ?? run })
}
