import { AppError } from '../../errors/errors.ts'
import { canonicalJson } from '../../json/canonical.ts'
import type { RecordedResource } from '../../schema/resource.ts'
import type { StateChanged, StateDocument, StateResource } from '../../schema/stored/state.ts'
import { loadBackup } from '../../state/backups.ts'
import type { Recorded } from '../../state/runs/recorded.ts'
import { readDocument } from '../../state/runs/state-document.ts'
import type { Deps } from '../deps.ts'
import type { WorkspaceRequest } from '../workspace/manage-workspace.ts'
import { changeState, type StateEdit } from './change-state.ts'
import { refuseNames } from './refuse-names.ts'

/** What replaces the recorded state: an exported document, or a backup by its id. */
export type StateSource = { readonly document: unknown } | { readonly backup: string }

/**
 * Replaces the recorded state, all of it or nothing. Only a backup may be older than what is stored. Throws
 * STATE_INVALID, STATE_NEWER, STATE_FOREIGN, STATE_OUTDATED, BACKUP_NOT_FOUND, and what `changeState` throws.
 */
export const importState = async (
  { source, ...request }: WorkspaceRequest & { readonly source: StateSource },
  deps: Deps,
): Promise<StateChanged> => {
  const isBackup = 'backup' in source
  const { workspace } = request
  const found = isBackup ? await loadBackup(deps.store, workspace, source.backup) : source.document
  const document = readDocument(found)
  // A backup has what was recorded here, and must always be taken back.
  if (!isBackup) refuseNames(document)
  return changeState('imported', request, (base) => replaceWith(document, base, isBackup), deps)
}

const replaceWith = (document: StateDocument, base: Recorded, isBackup: boolean): StateEdit => {
  const { workspace, lineage, serial, resources, digest } = document
  if (workspace !== base.workspace)
    throw new AppError('STATE_FOREIGN', { of: 'workspace', stored: base.workspace, found: workspace })
  if (base.lineage !== undefined && lineage !== base.lineage)
    throw new AppError('STATE_FOREIGN', { of: 'lineage', stored: base.lineage, found: lineage })
  if (!isBackup && serial < base.serial) throw new AppError('STATE_OUTDATED', { stored: base.serial, found: serial })
  const known = new Map(base.resources.map((each) => [each.address, canonicalJson(each)]))
  const records = resources.map(recordOf)
  const kept = new Set(records.map(({ address }) => address))
  return {
    digest,
    from: { serial, lineage },
    change: {
      put: records.filter((record) => known.get(record.address) !== canonicalJson(record)),
      remove: [...known.keys()].filter((address) => !kept.has(address)),
    },
  }
}

const recordOf = ({ digest: _, ...record }: StateResource): RecordedResource => record
