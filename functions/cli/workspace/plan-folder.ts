import { mkdir, readdir, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { AppError } from '#core'
import { findEntry } from '../../adapters/files/find-entry.ts'
import { asRefused, ifThere } from '../../adapters/files/system-errors.ts'
import type { Checked } from '../backend/backend.ts'
import type { Context } from '../context.ts'
import { writePlanFile } from './plan-file.ts'

const suffix = '.plan.json'

/** The saved plans in a folder, as paths; `undefined` if it is no folder, or has a configuration or no plan. */
export const findPlansIn = async (given: string, { host }: Context): Promise<readonly string[] | undefined> => {
  const path = resolve(host.folder, given)
  const found = await ifThere(stat(path))
  if (found?.isDirectory() !== true || (await findEntry(path)) !== undefined) return undefined
  const names = (await readdir(path)).filter((name) => name.endsWith(suffix)).sort()
  return names.length === 0 ? undefined : names.map((name) => join(given, name))
}

export type PlanWriter = (checked: Checked) => Promise<void>

/** Throws USAGE, because `apply` of the folder would send an earlier plan together with the new ones. */
const refuseEarlier = async (given: string, context: Context): Promise<void> => {
  const [first] = (await findPlansIn(given, context)) ?? []
  if (first !== undefined)
    throw new AppError('USAGE', {
      detail: `--out ${given} has plans of an earlier check, such as ${first}; remove them, or name another folder`,
    })
}

const makeFolder = async (given: string, { host }: Context): Promise<void> => {
  const path = resolve(host.folder, given)
  await mkdir(path, { recursive: true }).catch((error: unknown) => {
    throw asRefused(error, path)
  })
}

/**
 * Prepares the place of `--out`: a file for one plan, or a folder for one plan of each workspace; a folder that exists
 * is always used as one. Without `given` nothing is written. Rejects with USAGE or FILE_REFUSED.
 */
export const openPlanFolder = async (given: string | undefined, isForSeveral: boolean, context: Context) => {
  if (given === undefined) return { write: async () => {}, tell: () => {} }
  const { host, output } = context
  const there = await ifThere(stat(resolve(host.folder, given)))
  const isFolder = isForSeveral || there?.isDirectory() === true
  await makeFolder(isFolder ? given : dirname(given), context)
  if (isFolder) await refuseEarlier(given, context)
  const written: Checked[] = []
  const write: PlanWriter = async ({ run, plan }) => {
    if (plan === undefined) return
    await writePlanFile(isFolder ? join(given, `${plan.workspace}${suffix}`) : given, run, plan, context)
    written.push({ run, plan })
  }
  const tell = (): void => {
    if (written.length === 0) return
    const refused = written.flatMap(({ plan }) => (plan?.refused === undefined ? [] : [plan.workspace]))
    const sends = `\`${host.invocation} apply ${given}\` sends exactly these commands`
    if (!isFolder)
      output.note(`the plan is in ${given}; ${refused.length > 0 ? 'the policy refuses to apply it' : sends}`)
    else {
      output.note(`${written.length} plan${written.length === 1 ? ' is' : 's are'} in ${given}; ${sends}`)
      if (refused.length > 0) output.note(`the policy refuses to apply those of ${refused.join(', ')}`)
    }
  }
  return { write, tell }
}
