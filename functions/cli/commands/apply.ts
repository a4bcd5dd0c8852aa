import { AppError, type Plan, renderCommands, renderPlan } from '#core'
import { applyText, exitOfApply } from '../apply-text.ts'
import { ask } from '../ask.ts'
import type { ApplyRequest, Checked, Watch } from '../backend.ts'
import type { Context, Exit } from '../context.ts'
import { exitOf, noteCheck, reportCheck } from '../report-check.ts'
import { type Session, withWorkspace } from '../session.ts'
import { watching } from '../watch.ts'
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
    ...(targets === undefined ? {} : { targets }),
  }
  const apply = await watching(context, (watch: Watch) => session.backend.apply(request, watch))
  const { output } = context
  output.answer(apply, () => applyText(apply, output.color))
  return exitOfApply(apply)
}

const showPlan = (plan: Plan, { output, host }: Context): void => {
  // With --json the outcome is the one answer, so what is asked about goes beside it.
  const color = output.paint.strong('') !== ''
  const form = { color, width: output.width }
  const text = `${renderPlan(plan, { format: 'text', ...form }).trimEnd()}\n\n${renderCommands(plan.commands, form).trimEnd()}\n`
  if (output.json) output.note(text)
  else host.stdout.write(text)
}

const agrees = async (plan: Plan, context: Context, options: Options): Promise<boolean> => {
  if (options.check || options.yes) return true
  const { commands } = plan
  const number = `${commands.length} command${commands.length === 1 ? '' : 's'}`
  return ask(`\nSend ${options.target === undefined ? number : 'the commands of the targets'}? Only "yes" sends: `, context.host)
}

const checkFirst = async (context: Context, session: Session, options: Options): Promise<Exit> => {
  const { output } = context
  if (!options.check && !options.yes && !output.interactive)
    throw new AppError('USAGE', {
      detail: 'nobody can be asked here; name what was approved with --digest, or send whatever is planned with --yes',
    })
  const checked: Checked = await watching(context, (watch) => session.backend.check(session.workspace, watch))
  const { run, plan } = checked
  if (plan === undefined || plan.commands.length === 0)
    return reportCheck(checked, { format: 'text', commands: false }, output)
  showPlan(plan, context)
  if (await agrees(plan, context, options)) return send(context, session, plan.digests.commands, options)
  output.note('nothing was sent')
  noteCheck(checked, context)
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
      'Sends exactly the commands that were approved by their digest, and nothing when the plan has changed since. Without --digest it checks, shows the plan and asks.\nEnds with 0 done, 2 refused because the plan has changed, 3 stopped or still different, 1 failed.',
    )
    .argument('[workspace]', 'a folder, or the name of a workspace')
    .option('--check', 'write the commands to the log and send none', false)
    .option('--digest <digest>', 'of the commands that are approved', digestArgument)
    .option('--target <address>', 'only this resource and what it depends on; may be repeated', collect)
    .option('--reason <text>', 'why, for the log', 'applied from the command line')
    .option('--yes', 'send what the check plans, without asking', false)
    .action((given: string | undefined, options: Options) => run(apply(given, options)))
}
