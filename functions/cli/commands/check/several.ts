import { relative, resolve } from 'node:path'
import { AppError, asAppError, defined, isAppError, visible } from '#core'
import { type CheckToRender, isForPipelines, type PlanFormat, renderChecks } from '#render'
import { asRefused } from '../../../adapters/files/system-errors.ts'
import { type Checked, perform, type Watch } from '../../backend/backend.ts'
import type { Context, Exit } from '../../context.ts'
import { errorText, errorValue } from '../../terminal/error-text.ts'
import { watching } from '../../terminal/progress.ts'
import {
  asCalled,
  checkToRender,
  checkValue,
  exitFor,
  exitOfChecked,
  reportCheck,
} from '../../terminal/report-check.ts'
import { summaryOf, worstOf } from '../../workspace/each-place.ts'
import { placesOf, type WorkspacePlace } from '../../workspace/places.ts'
import { openPlanFolder, type PlanWriter } from '../../workspace/plan-folder.ts'
import { seenFolder, seenFrom } from '../../workspace/seen-folder.ts'
import { withWorkspace } from '../../workspace/session.ts'
import { requestedCheck } from './request.ts'
import { type CheckOptions, viewed } from './view.ts'

interface Outcome {
  /** The name of the workspace, or its folder if the name is not known. */
  readonly title: string
  /** The folder of its files, relative to the root of the repository. */
  readonly folder?: string | undefined
  /** The same folder, from where the command runs. */
  readonly near?: string | undefined
  readonly exit: Exit
  readonly found: Checked | AppError
}

/** Turns every error into an outcome, so that the others are still checked. */
const checkPlace = async (
  place: WorkspacePlace,
  { watch, write, ...options }: CheckOptions & { readonly watch: Watch; readonly write: PlanWriter },
  context: Context,
): Promise<Outcome> => {
  const { folder: here } = context.host
  const path = resolve(here, place ?? '.')
  let seen = await seenFrom(path, here)
  let title = place === undefined || place === path ? relative(here, path) || '.' : place
  try {
    let found: Checked | undefined
    await withWorkspace(context, place, async (session) => {
      title = session.workspace
      seen = await seenFolder(session, place, here)
      found = await perform(requestedCheck, { workspace: title, watch, refresh: options.refresh }, session.backend)
      return 0
    })
    if (found === undefined) throw new AppError('INTERNAL', { detail: 'a check without an answer' })
    const shown = viewed(found, options)
    await write(shown)
    const exit = exitFor(exitOfChecked(shown), options.failOn, found.plan)
    return { title, ...seen, exit, found: shown }
  } catch (error) {
    // The user interrupted: the others are not started.
    if (watch.signal.aborted) throw error
    return { title, ...seen, exit: 1, found: asAppError(asRefused(error)) }
  }
}

const toRender = ({ title, folder, found }: Outcome): CheckToRender => {
  if (!(found instanceof Error)) return checkToRender({ ...found, folder })
  const issues = isAppError(found, 'CONFIG_INVALID') ? found.payload.issues : undefined
  return { workspace: title, folder, found: { error: found, issues } }
}

const asValue = async ({ title, folder, found }: Outcome) =>
  found instanceof Error
    ? { workspace: title, folder, ...errorValue(found) }
    : { folder, ...(await checkValue({ ...found, folder })) }

type CheckValue = Awaited<ReturnType<typeof asValue>>

const membersOf = (check: CheckValue, name: 'resource_changes' | 'resource_drift'): readonly object[] => {
  const { [name]: rows = [], plumbline } = check as unknown as Readonly<Record<typeof name, readonly Addressed[]>> & {
    readonly plumbline?: { readonly workspace: string }
  }
  return rows.map((row) => ({ ...row, address: `${plumbline?.workspace}/${row.address}` }))
}

interface Addressed {
  readonly address: string
}

/**
 * One plan of all checks, so that a policy finds every change where it looks. What failed is no empty list: then the
 * whole is `errored` and not complete.
 */
const asOnePlan = (checks: readonly CheckValue[]) => ({
  ...defined({
    format_version: checks.flatMap((check) => ('format_version' in check ? [check.format_version] : []))[0],
  }),
  resource_changes: checks.flatMap((check) => membersOf(check, 'resource_changes')),
  resource_drift: checks.flatMap((check) => membersOf(check, 'resource_drift')),
  complete: checks.every((check) => 'complete' in check && check.complete === true),
  errored: checks.some((check) => 'error' in check || ('errored' in check && check.errored)),
  checks,
})

/**
 * Shows pages as they are made; without a format one document follows at the end. An error goes to standard error, as
 * for one check.
 */
const show = async (
  { title, found, folder, near }: Outcome,
  format: PlanFormat | undefined,
  context: Context,
): Promise<void> => {
  const { output } = context
  if (found instanceof Error)
    output.note(`${output.paint.bold(visible(title))}: the check failed\n${errorText(found, output.noteColor, near)}`)
  else if (format !== undefined) await reportCheck({ ...found, folder, near }, format, context)
}

const words: Readonly<Record<Exit, string>> = {
  1: 'failed',
  3: 'not read completely',
  2: 'with differences',
  0: 'passed',
}

const refuseMixed = (places: readonly unknown[], { format }: CheckOptions): void => {
  if (places.length > 1 && format === 'html')
    throw new AppError('USAGE', { detail: '--format html takes one workspace; check them one by one' })
}

/** Runs the checks one after the other, and returns the worst exit code. */
export const checkSeveral = async (
  context: Context,
  given: readonly string[],
  options: CheckOptions,
): Promise<Exit> => {
  const { output } = context
  const { format } = options
  const places = await placesOf(given, options, context)
  refuseMixed(places, options)
  const plans = await openPlanFolder(options.out, places.length > 1 || options.all === true, context)
  const isOneDocument = output.json || format === 'json' || isForPipelines(format)
  const outcomes = await watching(context, 'reading', async (watch) => {
    const done: Outcome[] = []
    for (const place of places) {
      const outcome = await checkPlace(place, { ...options, watch, write: plans.write }, context)
      await show(outcome, isOneDocument ? undefined : format, context)
      done.push(outcome)
    }
    return done
  })
  if (output.json || format === 'json') {
    const checks = await Promise.all(outcomes.map(asValue))
    output.rawJson(`${JSON.stringify(asOnePlan(checks), null, 2)}\n`)
  } else if (isOneDocument) output.raw(asCalled(await renderChecks(outcomes.map(toRender), { format }), context.host))
  plans.tell()
  output.note(summaryOf(outcomes, words, context))
  return worstOf(outcomes.map(({ exit }) => exit))
}
