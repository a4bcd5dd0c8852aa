import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { AppError, type Plan, type Run, readSavedPlan, type SavedPlan, savePlan } from '#core'
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
export const writePlanFile = async (given: string, run: Run, plan: Plan, { host, output }: Context): Promise<void> => {
  const path = resolve(host.folder, given)
  const text = `${JSON.stringify(savePlan(run, plan, host.clock.now().toISOString()), null, 2)}\n`
  if (!(await writeDocument(path, text))) await writeDocument(path, text, true)
  const then =
    plan.refused === undefined
      ? `\`${host.invocation} apply ${given}\` sends exactly these commands`
      : 'the policy refuses to apply it'
  output.note(`the plan is in ${given}; ${then}`)
}
