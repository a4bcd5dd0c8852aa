// The entry point #core: the names that functions/ may use. Others have entry points of their own, so that bundles stay small.

export { entryNames } from './config/files/entry-names.ts'
export { type FindImport, namePattern } from './config/files/named-files.ts'
export type { ConfigSource, SourcedBundle } from './config/files/source.ts'
export { jsonnetFault } from './config/files/source.ts'
export { workspaceNameIn } from './config/files/workspace-name.ts'
export { givenByFile } from './config/variables/given-by-file.ts'
export { type GivenValue, givenByEnvironment, givenByStore, givenText } from './config/variables/given-value.ts'
export { canonicalJson, digest, digestOfText } from './digest.ts'
export { errorTable } from './error-table.ts'
export type { ErrorCode, ErrorPayload } from './errors.ts'
export { AppError, asAppError, foreignWords, isAppError, isErrorCode } from './errors.ts'
export { isSpelledNumber, mayRespell, parseExact } from './json/parse-exact.ts'
export { toPointer } from './json/pointer.ts'
export { ledgerLine, verifyLines } from './ledger/verify.ts'
export { driftOnly } from './plan/drift-view.ts'
export { readSavedPlan, savePlan } from './plan/saved-plan.ts'
export type { FoundPackage, Guest, Packages } from './providers/package.ts'
export type { ReadDeps } from './providers/provider.ts'
export { type Palette, palette } from './render/characters/palette.ts'
export { alignCells } from './render/characters/table.ts'
export { inOneLine, printable, visible } from './render/characters/visible.ts'
export { renderAccept, renderFileDiffs } from './render/plain/authoring/render-accept.ts'
export { renderImport } from './render/plain/authoring/render-import.ts'
export { renderProbe, renderProbeObject } from './render/plain/authoring/render-probe.ts'
export { renderProviderReport } from './render/plain/authoring/render-provider-report.ts'
export { renderAlert } from './render/plain/render-alert.ts'
export { outcomes, renderApply } from './render/plain/render-applies.ts'
export { renderError, renderIssues } from './render/plain/render-error.ts'
export { type GraphFormat, graphFormats } from './render/plain/render-graph.ts'
export { renderLedger, renderVerdict } from './render/plain/render-ledger.ts'
export { type ListedWorkspace, renderListed } from './render/plain/render-listed.ts'
export { renderPermissions } from './render/plain/render-permissions.ts'
export { renderPreviews } from './render/plain/render-previews.ts'
export { renderRun, renderRuns, renderWorkspaces } from './render/plain/render-runs.ts'
export { renderBackups, renderState, renderStateChanged, renderStateShown } from './render/plain/render-state.ts'
export { renderVersionDiff, renderVersions } from './render/plain/render-versions.ts'
export type { Actor } from './schema/actor.ts'
export { actorShape } from './schema/actor.ts'
export type { Command, Request, Response } from './schema/command.ts'
export { optional } from './schema/described.ts'
export type { Issue } from './schema/issue.ts'
export type { Json, JsonObject } from './schema/json.ts'
export { isArray, isObject } from './schema/json.ts'
export type { Plan, Selection } from './schema/plan.ts'
export type { BoxSealer, Cipher, Clock, Ids, Seal, SignJwt } from './schema/ports.ts'
export type { ImportReport } from './schema/reports/import-report.ts'
export type { ProbeObject, ProbeReport } from './schema/reports/probe-report.ts'
export type { ProviderReport } from './schema/reports/provider-report.ts'
export type { Bundle } from './schema/stored/bundle.ts'
export { bundleShape } from './schema/stored/bundle.ts'
export type { Alert } from './schema/stored/findings.ts'
export { episodeShape } from './schema/stored/findings.ts'
export type { ResourceGraph } from './schema/stored/graph.ts'
export { resourceGraphShape } from './schema/stored/graph.ts'
export type { CommandOutcome } from './schema/stored/outcome.ts'
export { resultCountsShape } from './schema/stored/outcome.ts'
export type { BundlePreview, WorkspacePreview } from './schema/stored/preview.ts'
export type { Apply, Failure, LedgerEntry, LedgerVerdict, Run, Workspace } from './schema/stored/records.ts'
export {
  applyMode,
  applyShape,
  digestText,
  hasEnded,
  ledgerEndShape,
  ledgerEntryShape,
  ledgerVerdictShape,
  runShape,
  workspaceId,
  workspaceShape,
} from './schema/stored/records.ts'
export type { Basis, SavedPlan } from './schema/stored/saved-plan.ts'
export { basisShape } from './schema/stored/saved-plan.ts'
export type { Source } from './schema/stored/source.ts'
export { githubSourceShape, sourceShape, storedSourceShape } from './schema/stored/source.ts'
export type { StateBackup, StateChanged, StateDocument, StateList, StateShown } from './schema/stored/state.ts'
export {
  stateBackupShape,
  stateChangedShape,
  stateDocumentShape,
  stateListShape,
  stateShownShape,
} from './schema/stored/state.ts'
export type { Version, VersionDiff } from './schema/stored/versions.ts'
export { versionDiffShape, versionNumber, versionShape } from './schema/stored/versions.ts'
export { type LedgerFilter, type LedgerQuery, ledgerOrders } from './state/ledger.ts'
export { readDocument } from './state/state-document.ts'
export { holds } from './state/store/conditions.ts'
export { checkWrites, compareKeys, inQuery, isLive, keyOf } from './state/store/limits.ts'
export { memoryStore } from './state/store/memory.ts'
export { takePage } from './state/store/page.ts'
export type { Condition, Item, Key, Page, Paging, Query, Store, Write, WriteResult } from './state/store/store.ts'
export { describeWorkspace, listWorkspaces } from './state/workspaces/list-workspaces.ts'
export type { Claim } from './state/workspaces/save-workspace.ts'
export { findWorkspace, loadConfiguration } from './state/workspaces/workspaces.ts'
export { toCurl } from './transport/curl/curl.ts'
export { callIn, isExec, programIn } from './transport/programs.ts'
export type { Secrets } from './transport/secrets/secrets.ts'
export type { AwsSigning, Transport, WireRequest } from './transport/transport.ts'
export { defaultTimeoutMs } from './transport/transport.ts'
export { defined, present } from './values/defined.ts'
export { loggedCommand } from './values/marks/logged-command.ts'
export { mapMembers } from './values/members.ts'
export { groupsOf } from './values/normalise/ipv6.ts'
export { baseIn, type PreviewNames, previewNames } from './values/preview-names.ts'
export { parseSecretSource, type SecretKind, secretKinds } from './values/secret-source.ts'
export { sourceText } from './values/source-text.ts'
export { globPattern } from './values/texts/glob.ts'
export { shorten } from './values/texts/shorten.ts'
export { narrowPlan } from './workflows/apply/approved/select-targets.ts'
export { requestApply } from './workflows/apply/request-apply.ts'
export { type ResendReport, resendApplies } from './workflows/apply/resend-applies.ts'
export { runApply } from './workflows/apply/run-apply.ts'
export { checkRecorded, checkWorkspace } from './workflows/check/check-workspace.ts'
export { deliverAlerts, deliverLeftovers } from './workflows/check/deliver-alerts.ts'
export { requestCheck } from './workflows/check/request-check.ts'
export { takeCheck } from './workflows/check/take-check.ts'
export type { AlertSink, Deps, Progress, Queue, Warning } from './workflows/deps.ts'
export { describeGraph } from './workflows/records/describe-graph.ts'
export { openRecords } from './workflows/records/open-records.ts'
export { type DueReport, enqueueDue } from './workflows/schedule/enqueue-due.ts'
export { findOverdue, type Overdue, oldestWaitSeconds } from './workflows/schedule/find-overdue.ts'
export { collectBundle, type FileUse, type FoundFile } from './workflows/session/load/collect-bundle.ts'
export { listPermissions } from './workflows/session/load/list-permissions.ts'
export {
  loadProviders,
  loadProvidersWith,
  loadWorkspaceLater as loadWorkspace,
} from './workflows/session/load/load-later.ts'
export { reviewBundle } from './workflows/session/load/review-bundle.ts'
export { pullSource, removeSource, type SourceRequest, setSource } from './workflows/source/source.ts'
export { deliveryResults, receiveWebhook } from './workflows/source/webhook.ts'
export { forgetRecords } from './workflows/state/forget-records.ts'
export { importState, type StateSource } from './workflows/state/import-state.ts'
export { moveRecord } from './workflows/state/move-record.ts'
export { withinDeadline } from './workflows/within-deadline.ts'
export { expirePreview } from './workflows/workspace/expire-preview.ts'
export { pauseWorkspace, resumeWorkspace } from './workflows/workspace/manage-workspace.ts'
export { putWorkspace } from './workflows/workspace/put-workspace.ts'
export { removeWorkspace } from './workflows/workspace/remove-workspace.ts'
export {
  type DiffRequest,
  diffVersions,
  type RollbackRequest,
  rollbackWorkspace,
  workspaceHistory,
} from './workflows/workspace/versions/versions.ts'
