// The entry point of `@plumbline/cli` for programs; docs/library.md describes it. What does the work is loaded with the first call.

import type { Apply, ErrorCode, Plan } from '#core'
import type { Approval } from './apply.ts'
import type { CheckResult } from './check.ts'
import type { PlumblineError } from './errors.ts'
import type { WorkspaceOptions } from './options.ts'
import type { PageOptions } from './write-page.ts'

export type { Run } from '#core'
export type { Apply, Approval, CheckResult, PageOptions, Plan, PlumblineError, WorkspaceOptions }

/**
 * Reads the targets of the workspace in a folder and plans what would repair them. It never writes to a target. Rejects with
 * a PlumblineError: CONFIG_NOT_FOUND, CONFIG_INVALID with all problems, and others.
 */
export const check = async (folder: string, options: WorkspaceOptions = {}): Promise<CheckResult> =>
  (await import('./check.ts')).checkFolder(folder, options)

/**
 * Sends the approved commands of the workspace in a folder. What was refused or failed is in `status`, `error` and
 * `outcomes` of the result. Rejects with a PlumblineError if nothing could be started, such as PLAN_NOT_FOUND for a digest
 * that no check of this store has planned.
 */
export const apply = async (folder: string, approval: Approval): Promise<Apply> =>
  (await import('./apply.ts')).applyApproved(folder, approval)

/** Writes a plan as a page, without colours. It reads nothing. */
export const render = async (plan: Plan, options: PageOptions): Promise<string> =>
  (await import('./write-page.ts')).writePage(plan, options)

/** With a code, true only for errors with that code. */
export const isPlumblineError = (error: unknown, code?: ErrorCode): error is PlumblineError =>
  error instanceof Error &&
  error.name === 'AppError' &&
  (code === undefined || ('code' in error && error.code === code))
