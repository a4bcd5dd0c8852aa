import { isAppError } from '../../../core/engine/errors/errors.ts'
import type { Issue } from '../../../core/engine/schema/issue.ts'
import { loadWorkspace } from '../../../core/engine/workflows/session/load/load-workspace.ts'
import { loadProviders } from '../../../core/providers/load-providers.ts'
import { goodDocument, type WrittenMistake } from '../values/mistakes.ts'
import { yaml } from './workspace.ts'

/** What `validate` tells of a configuration and the documents beside it. */
export const issuesOf = async ({
  text,
  document = goodDocument,
  files = {},
}: WrittenMistake): Promise<readonly Issue[]> => {
  try {
    loadWorkspace(yaml(text, { 'shop.provider.yaml': document, ...files }), await loadProviders())
    return []
  } catch (error) {
    if (isAppError(error, 'CONFIG_INVALID')) return error.payload.issues
    throw error
  }
}
