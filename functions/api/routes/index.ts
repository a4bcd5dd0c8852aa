import type { Route } from '../route/route.ts'
import { getApplyRoute, listAppliesRoute } from './applies.ts'
import { checkWorkspaceRoute } from './check-workspace.ts'
import { acknowledgeEpisodeRoute, listEpisodesRoute, snoozeEpisodeRoute, unsnoozeEpisodeRoute } from './episodes.ts'
import { getGraphRoute } from './graph.ts'
import { exportLedgerRoute, queryLedgerRoute, verifyLedgerRoute } from './ledger.ts'
import { getCallerRoute } from './me.ts'
import { getHealthRoute, getOpenapiRoute, getSignInRoute } from './open.ts'
import { getAssetRoute, getPageRoute } from './page.ts'
import { putWorkspaceRoute } from './put-workspace.ts'
import { requestApplyRoute } from './request-apply.ts'
import { requestUndoRoute } from './request-undo.ts'
import { getPlanRoute, getRunRoute, listRunsRoute } from './runs.ts'
import { getSourceRoute, receiveWebhookRoute, removeSourceRoute, setSourceRoute } from './source.ts'
import {
  exportStateRoute,
  forgetRecordsRoute,
  importStateRoute,
  listBackupsRoute,
  listStateRoute,
  moveRecordRoute,
  showStateRoute,
  taintRecordsRoute,
  untaintRecordsRoute,
} from './state.ts'
import { diffVersionsRoute, listVersionsRoute, rollbackWorkspaceRoute } from './versions.ts'
import {
  expirePreviewRoute,
  getWorkspaceRoute,
  listWorkspacesRoute,
  pauseWorkspaceRoute,
  removeWorkspaceRoute,
  resumeWorkspaceRoute,
} from './workspaces.ts'

export const routes: readonly Route[] = [
  listWorkspacesRoute,
  getWorkspaceRoute,
  putWorkspaceRoute,
  removeWorkspaceRoute,
  pauseWorkspaceRoute,
  resumeWorkspaceRoute,
  listVersionsRoute,
  diffVersionsRoute,
  rollbackWorkspaceRoute,
  getSourceRoute,
  setSourceRoute,
  removeSourceRoute,
  receiveWebhookRoute,
  expirePreviewRoute,
  checkWorkspaceRoute,
  listRunsRoute,
  getRunRoute,
  getPlanRoute,
  getGraphRoute,
  requestApplyRoute,
  listAppliesRoute,
  getApplyRoute,
  requestUndoRoute,
  queryLedgerRoute,
  verifyLedgerRoute,
  exportLedgerRoute,
  exportStateRoute,
  listStateRoute,
  showStateRoute,
  forgetRecordsRoute,
  moveRecordRoute,
  taintRecordsRoute,
  untaintRecordsRoute,
  importStateRoute,
  listBackupsRoute,
  listEpisodesRoute,
  acknowledgeEpisodeRoute,
  snoozeEpisodeRoute,
  unsnoozeEpisodeRoute,
  getCallerRoute,
  getSignInRoute,
  getOpenapiRoute(() => openapiDocument()),
  getHealthRoute,
  getPageRoute,
  getAssetRoute,
]

/** The OpenAPI document of the API; docs/openapi.json is a copy. It is loaded on the first request. */
export const openapiDocument = async () => {
  const { describeRoutes } = await import('../openapi/document.ts')
  return describeRoutes(routes)
}
