import type { Workspace } from '../../../core/index.ts'

/** What a part of the view of a workspace gets. */
export interface PartProps {
  readonly workspace: Workspace
  /** Reads the workspace again, for example after a check. */
  readonly reload: () => void
  readonly query: URLSearchParams
}

/** The media type of a plan as it is stored. */
export const storedPlan = 'application/vnd.plumbline.plan+json'
