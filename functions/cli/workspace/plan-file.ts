import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { AppError, isAppError, type Plan, type Run, readSavedPlan, type SavedPlan, savePlan } from '#core'
import { writeDocument } from '../../adapters/files/keep-file.ts'
import { ifThere } from '../../adapters/files/system-errors.ts'
import { readAll } from '../../adapters/read-all.ts'
import type { Context } from '../context.ts'
import { openBytes } from '../terminal/read-input.ts'

const maxBytes = 1_000_000

/** Reads the saved plan if the argument is a file. `undefined` for a folder, and for the name of a workspace. */
export const findPlanFile = async (given: string | undefined, { host }: Context): Promise<SavedPlan | undefined> => {
  if (given === undefined) return undefined
  const path = resolve(host.folder, given)
  const found = await ifThere(stat(path))
  if (found === undefined || found.isDirectory()) return undefined
  const bytes = await readAll(openBytes(path, host).chunks, maxBytes)
  if (bytes === undefined)
    throw new AppError('PLAN_FILE_INVALID', { file: given, detail: `it has more than ${maxBytes} bytes` })
  return readSavedPlan(given, new TextDecoder().decode(bytes))
}

/** Writes the proof of which plan was approved; an earlier file is replaced. */
export const writePlanFile = async (given: string, run: Run, plan: Plan, { host }: Context): Promise<void> => {
  const path = resolve(host.folder, given)
  const text = `${JSON.stringify(savePlan(run, plan, host.clock.now().toISOString()), null, 2)}\n`
  if (!(await writeDocument(path, text))) await writeDocument(path, text, true)
}

/** What says that a store does not know the check of a saved plan. */
const ofOtherStore = ['CONFIG_NOT_FOUND', 'WORKSPACE_NOT_FOUND', 'RUN_NOT_FOUND', 'PLAN_NOT_FOUND'] as const

/** Rejects with PLAN_OF_OTHER_STORE where the store does not know what the file names. */
export const ofThisStore = async <Result>(
  file: string,
  { workspace, runId: run }: SavedPlan,
  use: () => Promise<Result>,
): Promise<Result> => {
  try {
    return await use()
  } catch (error) {
    if (!ofOtherStore.some((code) => isAppError(error, code))) throw error
    throw new AppError('PLAN_OF_OTHER_STORE', { file, workspace, run }, { cause: error })
  }
}
