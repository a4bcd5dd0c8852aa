import { AppError } from '#core'
import { isForPipelines } from '#render'
import { perform } from '../../backend/backend.ts'
import type { Context, Exit } from '../../context.ts'
import { watching } from '../../terminal/progress.ts'
import { exitFor, reportCheck } from '../../terminal/report-check.ts'
import { openPlanFolder } from '../../workspace/plan-folder.ts'
import { seenFolder } from '../../workspace/seen-folder.ts'
import { withWorkspace } from '../../workspace/session.ts'
import { allOption, command, option, refuseUnkept, variableOptions, workspacesArgument } from '../command.ts'
import { requestedCheck } from './request.ts'
import { checkSeveral } from './several.ts'
import { type CheckOptions, failOnOption, formatOption, viewed, viewOptions } from './view.ts'

const refuseMixed = ({ refresh, refreshOnly, out, target, exclude, failOn }: CheckOptions): void => {
  const view = refresh ? refreshOnly && '--refresh-only' : '--no-refresh'
  const mixed = [
    ...(out === undefined ? [] : ['--out']),
    ...((target ?? exclude) === undefined ? [] : ['--target and --exclude']),
    ...(refresh || refreshOnly !== true ? [] : ['--refresh-only']),
    ...(failOn === 'any' ? [] : ['--fail-on']),
  ]
  if (view && mixed.length > 0)
    throw new AppError('USAGE', { detail: `${view} shows no commands; leave out ${mixed.join(', ')}` })
}

const checkOne = (context: Context, given: string | undefined, options: CheckOptions): Promise<Exit> =>
  withWorkspace(context, given, async ({ backend, workspace }) => {
    const seen = await seenFolder({ backend, workspace }, given, context.host.folder)
    const { refresh, format, failOn } = options
    const plans = await openPlanFolder(options.out, false, context)
    const checked = await watching(context, 'reading', (watch) =>
      perform(requestedCheck, { workspace, watch, refresh }, backend),
    )
    const { run, plan } = viewed(checked, options)
    await plans.write({ run, plan })
    plans.tell()
    return exitFor(await reportCheck({ run, plan, ...seen }, format, context), failOn, checked.plan)
  })

export const commands = [
  command({
    name: 'check',
    example: 'plumbline check --all --fail-on drift',
    description:
      'Reads the target and shows the commands that would repair it. Never writes to the target. Several workspaces are checked one after the other; one that fails does not stop the others.\nExit codes: 0 in sync, 1 failed, 2 differences, 3 something could not be read; with --refresh-only: 0 no drift, 2 drift. Of several workspaces the worst: 1, 3, 2, 0.',
    argument: workspacesArgument,
    options: [
      allOption(),
      ...viewOptions,
      failOnOption(),
      option('--no-refresh', 'plan the recorded values; read nothing live, approve nothing'),
      option('--out <file>', 'write the plan, for `apply <file>`; of several, into a folder, for `apply <folder>`'),
      formatOption(),
      ...variableOptions,
    ],
    run: (context: Context, given: readonly string[], options: CheckOptions) => {
      refuseMixed(options)
      if (options.out !== undefined) refuseUnkept(context, '--out')
      if (!options.refresh || options.refreshOnly)
        refuseUnkept(context, options.refresh ? '--refresh-only' : '--no-refresh')
      const isOne =
        given.length < 2 && !given[0]?.includes('*') && options.all !== true && !isForPipelines(options.format)
      return isOne ? checkOne(context, given[0], options) : checkSeveral(context, given, options)
    },
  }),
]
