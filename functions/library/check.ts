import * as z from 'zod'
import type { Plan, Run } from '#core'
import { requestedCheck } from '../cli/commands/check/request.ts'
import { watchOf, withFolder } from './open-folder.ts'
import { requireOptions, type WorkspaceOptions, workspaceOptions } from './options.ts'

export interface CheckResult {
  readonly run: Run
  /** Absent if the check failed: then `run.error` says why. */
  readonly plan?: Plan | undefined
}

const shape = z.strictObject(workspaceOptions)

export const checkFolder = async (folder: string, options: WorkspaceOptions): Promise<CheckResult> => {
  requireOptions('check', shape, options)
  return withFolder(folder, options, ({ local, workspace }) =>
    requestedCheck.local({ workspace, watch: watchOf(options) }, local),
  )
}
