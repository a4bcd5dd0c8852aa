// The entry point #core: the names that functions/ may use. Other users have their own entry points, so that bundles
// stay small.

export { type FindImport, namePattern } from './engine/config/files/named-files.ts'
export type { ConfigSource, SourcedBundle } from './engine/config/files/source.ts'
export { jsonnetFault, outsideFault } from './engine/config/files/source.ts'
export { workspaceNameIn } from './engine/config/files/workspace-name.ts'
export { entryNames } from './engine/config/shared/entry-names.ts'
export { givenByFile } from './engine/config/variables/given-by-file.ts'
export { type GivenValue, givenByEnvironment, givenByStore, givenText } from './engine/config/variables/given-value.ts'
export { errorTable } from './engine/errors/error-table.ts'
export type { ErrorCode, ErrorPayload } from './engine/errors/errors.ts'
export { AppError, asAppError, foreignWords, isAppError, isErrorCode } from './engine/errors/errors.ts'
export { canonicalJson } from './engine/json/canonical.ts'
export { digest, digestOfText } from './engine/json/digest.ts'
export { isSpelledNumber, mayRespell, parseExact, repeatsKey } from './engine/json/parse-exact.ts'
export { foreignJson, parseForeign } from './engine/json/parse-foreign.ts'
export { toPointer } from './engine/json/pointer.ts'
export {
  anchorName,
  anchorText,
  type FoundAnchor,
  type IsSigned,
  statementText,
  verifyAnchors,
} from './engine/ledger/anchors.ts'
export { ledgerLine } from './engine/ledger/chain.ts'
export { verifyLines } from './engine/ledger/verify.ts'
export { driftOnly } from './engine/plan/drift-view.ts'
export { readSavedPlan, savePlan } from './engine/plan/saved-plan.ts'
export { showPart } from './engine/plan/show-part.ts'
export type { FoundPackage, Guest, Packages } from './engine/provider/package.ts'
export type { ReadDeps } from './engine/provider/provider.ts'
export type { Actor } from './engine/schema/actor.ts'
export { actorShape } from './engine/schema/actor.ts'
export { type AlertRoute, routeName } from './engine/schema/alert-route.ts'
export { baseUrlFault } from './engine/schema/base-url.ts'
export type { Command, Request, Response } from './engine/schema/command.ts'
export { optional } from './engine/schema/described.ts'
export type { Issue } from './engine/schema/issue.ts'
export type { Json, JsonObject } from './engine/schema/json.ts'
export { isArray, isObject } from './engine/schema/json.ts'
export type { BoxSealer, Cipher, Clock, Ids, Seal, SignJwt } from './engine/schema/ports.ts'
export { reasonProblem, reasonText } from './engine/schema/reason.ts'
export type { ImportReport } from './engine/schema/reports/import-report.ts'
export type { ProbeObject, ProbeReport } from './engine/schema/reports/probe-report.ts'
export type { ProviderReport } from './engine/schema/reports/provider-report.ts'
export type { AnchorStatement, AnchorsVerdict } from './engine/schema/stored/anchor.ts'
export type { Bundle } from './engine/schema/stored/bundle.ts'
export { bundleShape } from './engine/schema/stored/bundle.ts'
export { damagedShape } from './engine/schema/stored/damaged.ts'
export type { Alert } from './engine/schema/stored/findings.ts'
export { type Episode, episodeShape } from './engine/schema/stored/findings.ts'
export type { ResourceGraph } from './engine/schema/stored/graph.ts'
export { resourceGraphShape } from './engine/schema/stored/graph.ts'
export type { ApplySending, CommandOutcome } from './engine/schema/stored/outcome.ts'
export { resultCountsShape } from './engine/schema/stored/outcome.ts'
export { type Plan, type Selection, type ShownPart, shownKinds } from './engine/schema/stored/plan.ts'
export type { BundlePreview, WorkspacePreview } from './engine/schema/stored/preview.ts'
export type {
  Apply,
  Failure,
  LedgerEntry,
  LedgerPlace,
  LedgerVerdict,
  Run,
  Workspace,
} from './engine/schema/stored/records.ts'
export {
  applyMode,
  applyShape,
  digestText,
  hasEnded,
  ledgerEndShape,
  ledgerEntryShape,
  ledgerPlaceShape,
  ledgerVerdictShape,
  listedApplyShape,
  runShape,
  workspaceId,
  workspaceShape,
} from './engine/schema/stored/records.ts'
export type { Basis, SavedPlan } from './engine/schema/stored/saved-plan.ts'
export { basisShape } from './engine/schema/stored/saved-plan.ts'
export type { Source } from './engine/schema/stored/source.ts'
export { githubSourceShape, sourceShape, storedSourceShape } from './engine/schema/stored/source.ts'
export type { StateBackup, StateChanged, StateDocument, StateList, StateShown } from './engine/schema/stored/state.ts'
export {
  stateBackupShape,
  stateChangedShape,
  stateDocumentShape,
  stateListShape,
  stateShownShape,
} from './engine/schema/stored/state.ts'
export type { Version, VersionDiff } from './engine/schema/stored/versions.ts'
export { versionDiffShape, versionNumber, versionShape } from './engine/schema/stored/versions.ts'
export { type LedgerFilter, type LedgerQuery, ledgerOrders } from './engine/state/ledger-query.ts'
export { usualRetention } from './engine/state/retention.ts'
export { readDocument } from './engine/state/runs/state-document.ts'
export { holds } from './engine/state/store/conditions.ts'
export { formatName } from './engine/state/store/kinds.ts'
export { checkWrites, compareKeys, inQuery, isLive, keyOf } from './engine/state/store/limits.ts'
export { memoryStore } from './engine/state/store/memory.ts'
export { takePage } from './engine/state/store/page.ts'
export type {
  Condition,
  Item,
  Key,
  Page,
  Paging,
  Query,
  Store,
  Write,
  WriteResult,
} from './engine/state/store/store.ts'
export { namesOf, reporting, unreadable, verified } from './engine/state/store/verified.ts'
export { describeWorkspace, listWorkspaces } from './engine/state/workspaces/list-workspaces.ts'
export { type Claim, requireClaim } from './engine/state/workspaces/save-workspace.ts'
export { findWorkspace, loadConfiguration } from './engine/state/workspaces/workspaces.ts'
export { toCurl } from './engine/transport/curl/curl.ts'
export { callIn, isExec, programIn } from './engine/transport/programs.ts'
export { AsSent } from './engine/transport/redaction/as-sent.ts'
export { confined, type Secrets } from './engine/transport/secrets/secrets.ts'
export type { AwsSigning, Transport, WireRequest } from './engine/transport/transport.ts'
export { defaultTimeoutMs } from './engine/transport/transport.ts'
export { defined, present } from './engine/values/defined.ts'
export { isAbove, pathOfStored, resolvePath } from './engine/values/file-path.ts'
export { answeredDigits } from './engine/values/large-integer.ts'
export { loggedCommand } from './engine/values/marks/logged-command.ts'
export { numberOrText } from './engine/values/marks/marks.ts'
export { mapMembers } from './engine/values/members.ts'
export { groupsOf } from './engine/values/normalise/ipv6.ts'
export { baseIn, type PreviewNames, previewNames } from './engine/values/preview-names.ts'
export { parseSecretSource, type SecretKind, secretKinds } from './engine/values/secret-source.ts'
export { sourceText } from './engine/values/source-text.ts'
export { globPattern } from './engine/values/texts/glob.ts'
export { overridesMethod } from './engine/values/texts/method-override.ts'
export { shorten } from './engine/values/texts/shorten.ts'
export { isTooDeep, malformedAt } from './engine/values/well-formed.ts'
export { anchorLedger, keepAnchors } from './engine/workflows/anchor/anchor-later.ts'
export { stateHead } from './engine/workflows/anchor/state-head.ts'
export { partOf } from './engine/workflows/apply/approved/part-of.ts'
export { narrowPlan } from './engine/workflows/apply/approved/select-targets.ts'
export { followApply } from './engine/workflows/apply/follow-later.ts'
export { noteInterruption } from './engine/workflows/apply/note-interruption.ts'
export { requestApply } from './engine/workflows/apply/request-apply.ts'
export { requestUndo } from './engine/workflows/apply/request-undo.ts'
export { type ResendReport, resendApplies } from './engine/workflows/apply/resend-applies.ts'
export { runApply } from './engine/workflows/apply/run-apply.ts'
export { planUndoOf } from './engine/workflows/apply/take-undo.ts'
export { takeUndo } from './engine/workflows/apply/undo-later.ts'
export { checkRecorded, checkWorkspace } from './engine/workflows/check/check-workspace.ts'
export { deliverAlerts, deliverLeftovers } from './engine/workflows/check/deliver-alerts.ts'
export { requestCheck } from './engine/workflows/check/request-check.ts'
export { resourcesIn, type TakenCheck, takeCheck } from './engine/workflows/check/take-check.ts'
export type { AlertSink, Deps, LedgerAnchors, Progress, Queue, RouteSink, Warning } from './engine/workflows/deps.ts'
export { describeGraph } from './engine/workflows/records/describe-graph.ts'
export { openRecords } from './engine/workflows/records/open-records.ts'
export { type DueReport, enqueueDue } from './engine/workflows/schedule/enqueue-due.ts'
export {
  createOverdueWatch,
  type Overdue,
  oldestUnanchoredSeconds,
  oldestWaitSeconds,
} from './engine/workflows/schedule/find-overdue.ts'
export { collectBundle, type FileUse, type FoundFile } from './engine/workflows/session/load/collect-bundle.ts'
export { listPermissions } from './engine/workflows/session/load/list-permissions.ts'
export { loadWorkspaceLater as loadWorkspace } from './engine/workflows/session/load/load-later.ts'
export { reviewBundle } from './engine/workflows/session/load/review-bundle.ts'
export { deliveryResults } from './engine/workflows/source/delivery.ts'
export { type Proposed, proposeChange } from './engine/workflows/source/propose-change.ts'
export { pullSource } from './engine/workflows/source/pull-source.ts'
export { receiveWebhook } from './engine/workflows/source/receive-webhook.ts'
export { removeSource, type SourceRequest, setSource } from './engine/workflows/source/source.ts'
export {
  forgetRecords,
  importState,
  moveRecord,
  taintRecords,
  untaintRecords,
} from './engine/workflows/state/corrections.ts'
export type { StateSource } from './engine/workflows/state/import-state.ts'
export { withinDeadline } from './engine/workflows/within-deadline.ts'
export { acknowledgeEpisode, snoozeEpisode, unsnoozeEpisode } from './engine/workflows/workspace/episodes.ts'
export { expirePreview } from './engine/workflows/workspace/expire-preview.ts'
export { pauseWorkspace, resumeWorkspace } from './engine/workflows/workspace/manage-workspace.ts'
export { putWorkspace } from './engine/workflows/workspace/put-workspace.ts'
export type { EpisodeRequest, SnoozeRequest } from './engine/workflows/workspace/quiet-episode.ts'
export { removeWorkspace } from './engine/workflows/workspace/remove-workspace.ts'
export {
  type DiffRequest,
  diffVersions,
  type RollbackRequest,
  rollbackWorkspace,
  workspaceHistory,
} from './engine/workflows/workspace/versions/versions.ts'
export { type Palette, palette } from './pages/render/characters/palette.ts'
export { alignCells } from './pages/render/characters/table.ts'
export { inOneLine, printable, visible } from './pages/render/characters/visible.ts'
export { renderProposal } from './pages/render/formats/markdown/render-proposal.ts'
export { renderAccept, renderFileDiffs } from './pages/render/plain/authoring/render-accept.ts'
export { renderImport } from './pages/render/plain/authoring/render-import.ts'
export { renderProbe, renderProbeObject } from './pages/render/plain/authoring/render-probe.ts'
export { renderProviderReport } from './pages/render/plain/authoring/render-provider-report.ts'
export { renderAlert } from './pages/render/plain/render-alert.ts'
export { renderAnchors } from './pages/render/plain/render-anchors.ts'
export { outcomeWords, renderApply } from './pages/render/plain/render-applies.ts'
export { renderEpisodes } from './pages/render/plain/render-episodes.ts'
export { renderError, renderIssues } from './pages/render/plain/render-error.ts'
export { type GraphFormat, graphFormats } from './pages/render/plain/render-graph.ts'
export { renderLedger, renderVerdict } from './pages/render/plain/render-ledger.ts'
export { type ListedWorkspace, renderListed } from './pages/render/plain/render-listed.ts'
export { renderPermissions } from './pages/render/plain/render-permissions.ts'
export { renderPreviews } from './pages/render/plain/render-previews.ts'
export { renderRun, renderRuns, renderWorkspaces } from './pages/render/plain/render-runs.ts'
export { renderBackups, renderState, renderStateChanged, renderStateShown } from './pages/render/plain/render-state.ts'
export { renderVersionDiff, renderVersions } from './pages/render/plain/render-versions.ts'
export { loadProvidersWith } from './providers/load-packages.ts'
export { loadProviders } from './providers/load-providers.ts'
export { sources } from './sources/index.ts'
