import { AppError, defined, narrowPlan, type Plan, renderApply, type SavedPlan } from '#core'
import { renderPlan } from '#render'
import { type Checked, perform } from '../backend/backend.ts'
import { type ApplyRequest, sentApply } from '../backend/sent-apply.ts'
import type { Context, Exit } from '../context.ts'
import { exitOfApply, wasStopped } from '../terminal/apply-exit.ts'
import { ask } from '../terminal/ask.ts'
import { watching } from '../terminal/progress.ts'
import { asCalled, exitOf, reportCheck } from '../terminal/report-check.ts'
import { eachPlace, type PlaceWork } from '../workspace/each-place.ts'
import { placesOf, titleOf, type WorkspacePlace } from '../workspace/places.ts'
import { findPlanFile, ofThisStore } from '../workspace/plan-file.ts'
import { findPlansIn } from '../workspace/plan-folder.ts'
import { type ChosenWorkspace, withWorkspace } from '../workspace/session.ts'
import { requestedCheck } from './check/request.ts'
import {
  allOption,
  command,
  digestArgument,
  option,
  reasonOption,
  refuseUnkept,
  type SelectionOptions,
  selectionIn,
  selectionOptions,
  variableOptions,
  workspacesArgument,
} from './command.ts'

interface ApplyOptions extends SelectionOptions {
  readonly all?: boolean
  readonly check?: boolean
  readonly digest?: string
  readonly reason: string
  readonly yes?: boolean
}

type Approved = Pick<ApplyRequest, 'digest' | 'runId' | 'basis' | 'targets' | 'exclude'>

export const send = async (
  context: Context,
  session: ChosenWorkspace,
  approved: Approved,
  { reason, check }: Pick<ApplyOptions, 'reason' | 'check'>,
): Promise<Exit> => {
  const request: ApplyRequest = { workspace: session.workspace, mode: check ? 'check' : 'execute', reason, ...approved }
  const { apply, interrupted } = await watching(context, 'applying', async (watch) => {
    const ended = await perform(sentApply, { request, watch }, session.backend)
    return { apply: ended, interrupted: watch.signal.aborted }
  })
  const { output } = context
  const { color, width } = output
  output.answer(apply, () => renderApply(apply, { color, width }))
  if (wasStopped(apply, interrupted))
    output.note(output.paint.yellow('stopped before the end; check again to see the remaining changes'))
  return exitOfApply(apply, interrupted)
}

/** Shows the plan as a note, because the answer is the outcome. */
export const showPlan = async (plan: Plan, at: string, { output, host }: Context): Promise<void> => {
  const { noteColor: color, width } = output
  output.note(asCalled(await renderPlan(plan, { format: 'text', at, color, width }), host))
}

export const agrees = async (
  plan: Plan,
  context: Context,
  options: Pick<ApplyOptions, 'check' | 'yes'>,
): Promise<boolean> => {
  if (options.check) return true
  // The plan says it too, but who is asked whether to send expects that it can be sent.
  if (plan.refused !== undefined) throw new AppError('POLICY_REFUSED', { detail: plan.refused })
  if (options.yes) return true
  const { length } = plan.commands
  return ask(`\nSend ${length} command${length === 1 ? '' : 's'}? Only "yes" sends: `, context.host)
}

const approvedBy = (digest: string, options: ApplyOptions): Approved => ({ digest, ...defined(selectionIn(options)) })

/** The plan was approved when it was saved, so the user is not asked. */
const applySaved = async (context: Context, file: string, saved: SavedPlan, options: ApplyOptions): Promise<Exit> => {
  const { workspace, commandsDigest: digest, runId, basis, targets, exclude } = saved
  const given = (['digest', 'target', 'exclude'] as const).find((name) => options[name] !== undefined)
  if (given !== undefined)
    throw new AppError('USAGE', { detail: `a saved plan decides what is sent; leave out --${given}` })
  const approved = { digest, runId, basis, ...defined({ targets, exclude }) }
  return ofThisStore(file, saved, () =>
    withWorkspace(context, workspace, (session) => send(context, session, approved, options)),
  )
}

const checkFirst = async (context: Context, session: ChosenWorkspace, options: ApplyOptions): Promise<Exit> => {
  const { output } = context
  if (!options.check && !options.yes && !output.interactive)
    throw new AppError('USAGE', {
      detail: 'no terminal to confirm on; pass --digest <approved digest>, or --yes to apply the current plan',
    })
  const checked: Checked = await watching(context, 'reading', (watch) =>
    perform(requestedCheck, { workspace: session.workspace, watch }, session.backend),
  )
  const { run, plan: whole } = checked
  if (whole === undefined || whole.commands.length === 0) return reportCheck(checked, 'text', context)
  // Exactly the shown commands are approved and sent.
  const plan = narrowPlan(whole, selectionIn(options))
  await showPlan(plan, run.finishedAt, context)
  if (await agrees(plan, context, options)) {
    return send(context, session, approvedBy(plan.digests.commands, options), options)
  }
  output.note('nothing was sent')
  return exitOf(run)
}

/** A saved plan with its file, or a workspace. */
interface Applicable {
  readonly place: WorkspacePlace
  readonly saved?: SavedPlan | undefined
}

const asThing = async (place: WorkspacePlace, context: Context): Promise<PlaceWork<Applicable>> => {
  const saved = await findPlanFile(place, context)
  return { title: saved?.workspace ?? (await titleOf(place, context)), place: { place, saved } }
}

/** What the arguments name: plans in files and folders, and workspaces. */
const applicable = async (
  given: readonly string[],
  options: ApplyOptions,
  context: Context,
): Promise<readonly PlaceWork<Applicable>[]> => {
  const words = await Promise.all(
    given.map(async (word) => (options.all ? undefined : await findPlansIn(word, context)) ?? [word]),
  )
  const places = await placesOf(words.flat(), options, context)
  return Promise.all(places.map((place) => asThing(place, context)))
}

/** Throws USAGE for options whose value belongs to one workspace. */
const refuseForOne = ({ length }: readonly unknown[], options: ApplyOptions): void => {
  const named = (['digest', 'target', 'exclude'] as const).find((name) => options[name] !== undefined)
  if (length > 1 && named !== undefined)
    throw new AppError('USAGE', { detail: `--${named} belongs to one workspace, and ${length} are named` })
}

const applyOne = (context: Context, { place, saved }: Applicable, options: ApplyOptions): Promise<Exit> => {
  if (place !== undefined && saved !== undefined) return applySaved(context, place, saved, options)
  return withWorkspace(context, place, (session) =>
    options.digest === undefined
      ? checkFirst(context, session, options)
      : send(context, session, approvedBy(options.digest, options), options),
  )
}

const words: Readonly<Record<Exit, string>> = {
  1: 'failed',
  2: 'changed since, or with other differences',
  3: 'not finished or not read completely',
  0: 'in sync',
}

export const commands = [
  command({
    name: 'apply',
    example: 'plumbline apply plan.json --reason "change 4711"',
    description:
      'Sends exactly the commands that the digest approves. If the plan has changed since, it sends nothing. Without --digest it checks, shows the plan and asks for confirmation. Several workspaces or plans are applied one after the other; one that fails does not stop the others, and the worst exit code counts.\nExit codes: 0 done and in sync, 1 failed, 2 the plan has changed or other resources differ, 3 stopped, not converged or something could not be read.',
    argument: [
      '[workspace|file...]',
      `${workspacesArgument[1]}; or plans, or folders of plans, that \`check --out\` wrote`,
    ],
    options: [
      allOption(),
      option('--check', 'write the commands to the ledger and send none'),
      option('--digest <digest>', 'digest of the approved commands', digestArgument),
      ...selectionOptions,
      reasonOption().default('applied from the command line'),
      option('--yes', 'apply the current plan without confirmation'),
      ...variableOptions,
    ],
    run: async (context: Context, given: readonly string[], options: ApplyOptions) => {
      refuseUnkept(context, 'apply')
      const things = await applicable(given, options, context)
      refuseForOne(things, options)
      return eachPlace(things, { words, work: (thing, own) => applyOne(own, thing, options) }, context)
    },
  }),
]
