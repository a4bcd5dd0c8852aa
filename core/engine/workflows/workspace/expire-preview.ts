import { AppError } from '../../errors/errors.ts'
import type { Workspace } from '../../schema/stored/records.ts'
import { withNextCheck } from '../../state/workspaces/pending-check.ts'
import type { Deps } from '../deps.ts'
import { previewRefusals } from '../words.ts'
import { changeLife, type WorkspaceRequest } from './manage-workspace.ts'

/**
 * Ends the life of a preview: from now on it declares nothing, and each check plans to delete what it created. A check
 * is due at once. Nothing is deleted without an approval. Throws PREVIEW_REFUSED, WORKSPACE_NOT_FOUND,
 * WORKSPACE_REMOVED.
 */
export const expirePreview = (request: WorkspaceRequest, deps: Deps): Promise<Workspace> =>
  changeLife(
    'expired',
    request,
    (workspace, at) => {
      const { preview } = workspace
      if (preview === undefined)
        throw new AppError('PREVIEW_REFUSED', { preview: workspace.id, detail: previewRefusals.ordinary })
      if (preview.expiresAt <= at) return undefined
      const expired = { ...workspace, preview: { ...preview, expiresAt: at } }
      return workspace.paused === undefined ? withNextCheck(expired, at) : expired
    },
    deps,
  )
