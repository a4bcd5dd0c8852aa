import type { Route } from '../route/route.ts'
import { checkWorkspaceRoute } from './check-workspace.ts'
import { exportLedgerRoute } from './export-ledger.ts'
import { getApplyRoute } from './get-apply.ts'
import { getHealthRoute } from './get-health.ts'
import { getOpenapiRoute } from './get-openapi.ts'
import { getPlanRoute } from './get-plan.ts'
import { getRunRoute } from './get-run.ts'
import { getWorkspaceRoute } from './get-workspace.ts'
import { listAppliesRoute } from './list-applies.ts'
import { listEpisodesRoute } from './list-episodes.ts'
import { listRunsRoute } from './list-runs.ts'
import { listWorkspacesRoute } from './list-workspaces.ts'
import { pauseWorkspaceRoute, resumeWorkspaceRoute } from './pause-workspace.ts'
import { putWorkspaceRoute } from './put-workspace.ts'
import { queryLedgerRoute } from './query-ledger.ts'
import { removeWorkspaceRoute } from './remove-workspace.ts'
import { requestApplyRoute } from './request-apply.ts'
import { verifyLedgerRoute } from './verify-ledger.ts'

/** Everything below /v1, in the order of the document. */
export const routes: readonly Route[] = [
  listWorkspacesRoute,
  getWorkspaceRoute,
  putWorkspaceRoute,
  removeWorkspaceRoute,
  pauseWorkspaceRoute,
  resumeWorkspaceRoute,
  checkWorkspaceRoute,
  listRunsRoute,
  getRunRoute,
  getPlanRoute,
  requestApplyRoute,
  listAppliesRoute,
  getApplyRoute,
  queryLedgerRoute,
  verifyLedgerRoute,
  exportLedgerRoute,
  listEpisodesRoute,
  getOpenapiRoute(() => openapiDocument()),
  getHealthRoute,
]

/** The OpenAPI document of the API; docs/openapi.json is a copy of it. Loaded when it is asked for. */
export const openapiDocument = async () => {
  const { describeRoutes } = await import('../route/openapi.ts')
  return describeRoutes(routes)
}
