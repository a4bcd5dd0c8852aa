import { AppError, isAppError } from '../../../errors/errors.ts'
import { loadRecorded } from '../../../state/runs/recorded.ts'
import { findWorkspace, loadBundle } from '../../../state/workspaces/workspaces.ts'
import { confined, pinned } from '../../../transport/secrets/secrets.ts'
import { defined } from '../../../values/defined.ts'
import type { Deps } from '../../deps.ts'
import { previewRefusals } from '../../words.ts'
import { loadWorkspaceLater } from '../load/load-later.ts'
import { openTransports } from '../shared/transports.ts'
import type { Base } from './base.ts'
import { baseMark } from './base-moved.ts'

/**
 * Opens the base of a preview, because its objects are known only with its own configuration, records and reads.
 * `folder` is the folder of the files of the preview. Throws PREVIEW_REFUSED if the base is not stored or not valid.
 */
export const openBase = async (
  { base, preview, folder }: { readonly base: string; readonly preview: string; readonly folder: string | undefined },
  given: Deps,
): Promise<Base> => {
  const stored = await findWorkspace(given.store, base)
  if (stored === undefined) throw new AppError('PREVIEW_REFUSED', { preview, detail: previewRefusals.noBase(base) })
  const secrets = pinned(confined(given.secrets, base, given.secretRules))
  const deps = { ...given, secrets }
  // Read first, so that later changes are noticed before each write.
  const mark = await baseMark(base, deps)
  const bundle = await loadBundle(deps.store, base)
  const loaded = await loadWorkspaceLater({ ...bundle, ...defined({ folder }) }, deps).catch((error: unknown) => {
    if (!isAppError(error, 'CONFIG_INVALID')) throw error
    throw new AppError('PREVIEW_REFUSED', { preview, detail: previewRefusals.invalidBase(base) }, { cause: error })
  })
  const { resources: recorded } = await loadRecorded(deps.store, base)
  // Without a fence nothing can be written.
  const transports = openTransports(loaded, deps, {})
  await transports.learnSecrets()
  return { name: base, mark, loaded, recorded, transports }
}
