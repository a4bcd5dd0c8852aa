import type { Option } from 'commander'
import {
  AppError,
  type Run as CheckRun,
  checkRecorded,
  checkWorkspace,
  driftOnly,
  narrowPlan,
  type Page,
  pullSource,
  type Workspace,
} from '#core'
import { formatNames, type PlanFormat } from '#render'
import { systemClock } from '../../adapters/clock.ts'
import { type AskedCheck, awaitRun } from '../backend/await-run.ts'
import { type Checked, fetchChecked, type Operation, perform, readingWithin, type Watch } from '../backend/backend.ts'
import { pathOf } from '../backend/http-client.ts'
import type { Context } from '../context.ts'
import { watching } from '../terminal/progress.ts'
import { reportCheck } from '../terminal/report-check.ts'
import { writePlanFile } from '../workspace/plan-file.ts'
import { withWorkspace } from '../workspace/session.ts'
import {
  command,
  option,
  type SelectionOptions,
  selectionIn,
  selectionOptions,
  variableOptions,
  workspaceArgument,
} from './command.ts'

interface CheckRequest {
  readonly workspace: string
  readonly watch: Watch
  /** False: nothing live is read. */
  readonly refresh?: boolean
}

/** The longest that the endpoint waits. */
const wait = '25s'

/** Reads the target and stores what it finds. At an endpoint, requests a check and waits for its run. */
export const requestedCheck: Operation<CheckRequest, Promise<Checked>> = {
  local: async ({ workspace, watch, refresh = true }, { deps, actor }) => {
    const check = refresh ? checkWorkspace : checkRecorded
    return readingWithin('the check', watch, deps, (own) =>
      check({ workspace, trigger: 'cli', actor, pull: pullSource }, own),
    )
  },
  remote: async ({ workspace, watch: { signal }, refresh = true }, { client }) => {
    const path = pathOf(workspace)
    const answer = await client.post<CheckRun | { readonly requestedAt: string }>(
      `${path}/check`,
      refresh ? { wait } : { wait, refresh: 'false' },
    )
    if ('id' in answer) return fetchChecked(client, answer)
    const { requestedAt } = answer
    const asked: AskedCheck = {
      workspace,
      requestedAt,
      findRun: async () => (await client.get<Page<CheckRun>>(`${path}/runs`, { scheduledFor: requestedAt })).items[0],
      // What is no check is never pending: it is waited for all the same.
      findPending: async () => (refresh ? (await client.get<Workspace>(path)).pendingCheck?.scheduledFor : requestedAt),
    }
    const run = await awaitRun(asked, { ...systemClock, signal })
    return fetchChecked(client, run)
  },
}

export const formatOption = (): Option =>
  option('--format <format>', 'format of the plan').choices(formatNames).default('text')

/** What is shown of a plan. */
export interface ViewOptions extends SelectionOptions {
  readonly refreshOnly?: boolean
}

export const viewOptions: readonly Option[] = [
  ...selectionOptions,
  option('--refresh-only', 'show only what changed outside, without changes and commands'),
]

/** The part of the plan that the options ask for; the run is that of the whole check. */
export const viewed = ({ run, plan }: Checked, options: ViewOptions): Checked => {
  if (options.refreshOnly !== true) return { run, plan: plan && narrowPlan(plan, selectionIn(options)) }
  if ((options.target ?? options.exclude) !== undefined)
    throw new AppError('USAGE', {
      detail: '--refresh-only shows the drift of all resources; leave out --target and --exclude',
    })
  return { run, plan: plan && driftOnly(plan) }
}

interface CheckOptions extends ViewOptions {
  readonly out?: string
  readonly refresh: boolean
  readonly format: PlanFormat
}

/** A view without commands has nothing to select or to save. */
const refuseMixed = ({ refresh, refreshOnly, out, target, exclude }: Omit<CheckOptions, 'format'>): void => {
  const view = refresh ? refreshOnly && '--refresh-only' : '--no-refresh'
  const mixed = [
    ...(out === undefined ? [] : ['--out']),
    ...((target ?? exclude) === undefined ? [] : ['--target and --exclude']),
    ...(refresh || refreshOnly !== true ? [] : ['--refresh-only']),
  ]
  if (view && mixed.length > 0)
    throw new AppError('USAGE', { detail: `${view} shows no commands; leave out ${mixed.join(', ')}` })
}

export const checkCommand = command({
  name: 'check',
  summary: 'read the target and show the differences',
  description:
    'Reads the target and shows the commands that would repair it. Never writes to the target.\nExit codes: 0 in sync, 1 failed, 2 differences, 3 something could not be read; with --refresh-only: 0 no drift, 2 drift.',
  argument: workspaceArgument,
  options: [
    ...viewOptions,
    option('--no-refresh', 'plan the recorded values; read nothing live, approve nothing'),
    option('--out <file>', 'write the plan, for `apply <file>`'),
    formatOption(),
    ...variableOptions,
  ],
  run: (context: Context, given: string | undefined, { format, ...options }: CheckOptions) =>
    withWorkspace(context, given, async ({ backend, workspace }) => {
      refuseMixed(options)
      const { refresh } = options
      const checked = await watching(context, 'reading', (watch) =>
        perform(requestedCheck, { workspace, watch, refresh }, backend),
      )
      const { run, plan } = viewed(checked, options)
      if (options.out !== undefined && plan !== undefined) await writePlanFile(options.out, run, plan, context)
      return reportCheck({ run, plan }, format, context)
    }),
})
