import { AppError, defined, renderApply } from '#core'
import type { ApplyRequest, Checked } from '../backend/backend.ts'
import type { PlanView } from '../backend/plan-view.ts'
import type { Context, Exit } from '../context.ts'
import { exitOfApply, wasStopped } from '../terminal/apply-exit.ts'
import { ask } from '../terminal/ask.ts'
import { watching } from '../terminal/progress.ts'
import { asCalled, exitOf, reportCheck } from '../terminal/report-check.ts'
import { type Session, withWorkspace } from '../workspace/session.ts'
import { collect, digestArgument, type Register, type Run } from './command.ts'

interface Options {
  readonly check: boolean
  readonly digest?: string
  readonly target?: readonly string[]
  readonly reason: string
  readonly yes: boolean
}

const send = async (context: Context, session: Session, digest: string, options: Options): Promise<Exit> => {
  const { reason, target: targets, check } = options
  const request: ApplyRequest = {
    workspace: session.workspace,
    mode: check ? 'check' : 'execute',
    digest,
    reason,
    ...defined({ targets }),
  }
  const { apply, interrupted } = await watching(context, 'applying', async (watch) => {
    const ended = await session.backend.apply(request, watch)
    return { apply: ended, interrupted: watch.signal.aborted }
  })
  const { output } = context
  const { color, width } = output
  output.answer(apply, () => renderApply(apply, { color, width }))
  if (wasStopped(apply, interrupted))
    output.note(output.paint.warn('stopped before the end; check again to see what is left'))
  return exitOfApply(apply, interrupted)
}

/** Beside the answer, which is the outcome. */
const showPlan = async (plan: PlanView, { output, host }: Context): Promise<void> =>
  output.note(asCalled(await plan.render('text', { color: output.noteColor, width: output.width }), host))

const agrees = async (plan: PlanView, context: Context, options: Options): Promise<boolean> => {
  if (options.check || options.yes) return true
  const { length } = plan.commands
  return ask(`\nSend ${length} command${length === 1 ? '' : 's'}? Only "yes" sends: `, context.host)
}

const checkFirst = async (context: Context, session: Session, options: Options): Promise<Exit> => {
  const { output } = context
  if (!options.check && !options.yes && !output.interactive)
    throw new AppError('USAGE', {
      detail: 'nobody can be asked here; name what was approved with --digest, or send whatever is planned with --yes',
    })
  const checked: Checked = await watching(context, 'reading', (watch) =>
    session.backend.check(session.workspace, watch),
  )
  const { run, plan: whole } = checked
  if (whole === undefined || whole.commands.length === 0) return reportCheck(checked, 'text', context)
  // What is shown is what is approved and sent.
  const plan = options.target === undefined ? whole : await whole.only(options.target)
  await showPlan(plan, context)
  if (await agrees(plan, context, options)) return send(context, session, plan.digest, options)
  output.note('nothing was sent')
  return exitOf(run)
}

const apply =
  (given: string | undefined, options: Options): Run =>
  (context) =>
    withWorkspace(context, given, (session) =>
      options.digest === undefined
        ? checkFirst(context, session, options)
        : send(context, session, options.digest, options),
    )

export const registerApply: Register = (program, run) => {
  program
    .command('apply')
    .summary('send the commands that make it as configured')
    .description(
      'Sends exactly the commands that were approved by their digest, and nothing when the plan has changed since. Without --digest it checks, shows the plan and asks.\nEnds with 0 done and all as configured, 2 refused because the plan has changed, or something else differs, 3 stopped, still different, or something could not be read, 1 failed.',
    )
    .argument('[workspace]', 'a folder, or the name of a workspace')
    .option('--check', 'write the commands to the log and send none', false)
    .option('--digest <digest>', 'of the commands that are approved', digestArgument)
    .option(
      '--target <address>',
      'only this resource and what it depends on, which have a digest of their own; may be repeated',
      collect,
    )
    .option('--reason <text>', 'why, for the log', 'applied from the command line')
    .option('--yes', 'send what the check plans, without asking', false)
    .action((given: string | undefined, options: Options) => run(apply(given, options)))
}
