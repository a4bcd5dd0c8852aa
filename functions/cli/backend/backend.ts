import type { ImportRequest } from '#authoring'
import type { Apply, ImportReport, LedgerEntry, LedgerFilter, LedgerVerdict, Progress, Run, Workspace } from '#core'
import type { Source } from '../workspace/find-source.ts'
import type { PlanView } from './plan-view.ts'

export interface Page<Item> {
  readonly items: readonly Item[]
  /** Names the page after this one; absent on the last. */
  readonly next?: string
}

export interface Paging {
  readonly limit: number
  readonly after?: string
}

export interface Checked {
  readonly run: Run
  /** Absent where the run failed. */
  readonly plan?: PlanView
}

export interface ApplyRequest {
  readonly workspace: string
  readonly mode: 'check' | 'execute'
  readonly digest: string
  readonly targets?: readonly string[]
  readonly reason: string
}

export interface Watch {
  readonly progress: (event: Progress) => void
  /** Aborted when somebody wants it to stop at the next command boundary. */
  readonly signal: AbortSignal
}

export interface PushOptions {
  /** Take the workspace from where it is. */
  readonly takeOver?: boolean
  /** Begin another one under the name of one that was removed. */
  readonly reuse?: { readonly reason: string } | undefined
}

/** Where a command does its work: on this machine, or at an endpoint. Everything rejects with an AppError. */
export interface Backend {
  /** Rejects with WORKSPACE_CLAIMED where it belongs to another folder; with `takeOver` it is taken from there. */
  push(source: Source, options?: PushOptions): Promise<Workspace>
  /** All three write down who and why. Reject with WORKSPACE_NOT_FOUND, WORKSPACE_REMOVED. */
  pause(workspace: string, reason: string): Promise<Workspace>
  resume(workspace: string, reason: string): Promise<Workspace>
  /** Rejects with LOCKED while an apply runs. */
  remove(workspace: string, reason: string): Promise<void>
  workspaces(paging: Paging): Promise<Page<Workspace>>
  workspace(id: string): Promise<Workspace>
  check(workspace: string, watch: Watch): Promise<Checked>
  /** Reads what exists, and keeps nothing. */
  import(request: ImportRequest, watch: Watch): Promise<ImportReport>
  runs(workspace: string, paging: Paging): Promise<Page<Run>>
  run(workspace: string, run: string): Promise<Checked>
  /** Answers when the apply has ended, or has stopped at a command boundary: then its status is `running`. */
  apply(request: ApplyRequest, watch: Watch): Promise<Apply>
  ledger(workspace: string, filter: LedgerFilter & Paging): Promise<Page<LedgerEntry>>
  /** The lines of an export; without a filter, the end of the ledger is the last. */
  exportLedger(workspace: string, filter: LedgerFilter): AsyncIterable<string>
  verify(workspace: string): Promise<LedgerVerdict>
  close(): Promise<void>
}
