import { type Plan, type Run, renderRun } from '#core'
import { isForPipelines, type PlanFormat, renderChecks, renderPlan } from '#render'
import { keptJson } from '../../adapters/json-in.ts'
import type { Checked } from '../backend/backend.ts'
import type { Context, Exit } from '../context.ts'
import type { Host } from '../process/host.ts'

export const failures = ['any', 'drift', 'pending'] as const
export type FailOn = (typeof failures)[number]

const exits: Readonly<Record<Run['status'], Exit>> = { in_sync: 0, changes: 2, incomplete: 3, failed: 1 }
export const exitOf = ({ status }: Run): Exit => exits[status]

/** A view of drift does not compare with the configuration, so its findings are not differences from it. */
const exitOfView = (run: Run, { view, drift, complete }: Plan): Exit => {
  if (view !== 'drift') return exitOf(run)
  if (!complete) return 3
  return drift.length === 0 ? 0 : 2
}

const otherThan = { drift: 'pending', pending: 'drift' } as const

/** A change is omitted only if its every cause is the other one: a change without a recorded value counts as both. */
const isOf = (wanted: 'drift' | 'pending', { causes }: Plan['changes'][number]): boolean =>
  causes.length === 0 || causes.some(({ cause }) => cause !== otherThan[wanted])

/** Looks at the whole plan. A resource that left the configuration waits for a decision of its owner: it is pending. */
const failsOn = (on: FailOn, { changes, orphans = [] }: Plan): boolean => {
  if (on === 'any' || changes.some((change) => isOf(on, change))) return true
  return on === 'pending' && orphans.some(({ fate }) => fate === 'report')
}

/** Returns the exit code if only some differences shall fail. Unchecked resources fail in any case. */
export const exitFor = (exit: Exit, on: FailOn, plan: Plan | undefined): Exit =>
  exit === 2 && plan !== undefined && !failsOn(on, plan) ? 0 : exit

/** Rounded to a tenth. */
export const secondsOf = ({ startedAt, finishedAt }: Pick<Run, 'startedAt' | 'finishedAt'>): string =>
  `${((Date.parse(finishedAt) - Date.parse(startedAt)) / 1000).toFixed(1)} s`

export const asCalled = (text: string, { invocation }: Pick<Host, 'invocation'>): string =>
  text.replace(/^( *)plumbline (?=(?:apply|show) )/gm, `$1${invocation} `)

/** A check, and the folder of its workspace: formats name files from there. */
export interface ReportedCheck extends Checked {
  /** From the root of the repository, where pipelines and reviews look. */
  readonly folder?: string | undefined
  /** From where the command runs, as a terminal opens it. */
  readonly near?: string | undefined
}

const failureOf = ({ error }: Run) => error ?? { code: 'INTERNAL', message: 'the check has no plan', hint: '' }

export const checkToRender = ({ run, plan, folder }: ReportedCheck) => ({
  workspace: run.workspace,
  at: run.finishedAt,
  folder,
  found: plan === undefined ? { error: failureOf(run) } : { plan },
})

const textOf = async (check: ReportedCheck, format: PlanFormat, { output, host }: Context): Promise<string> => {
  const { color, width } = output
  const { run, plan, folder, near } = check
  const at = run.finishedAt
  if (format !== 'json' && isForPipelines(format))
    return asCalled(await renderChecks([checkToRender(check)], { format }), host)
  return plan === undefined
    ? renderRun(run, { color })
    : asCalled(
        await renderPlan(plan, {
          ...{ format, at, color, width, brief: output.isTerminal },
          folder: format === 'text' ? near : folder,
        }),
        host,
      )
}

export const reportCheck = async (check: ReportedCheck, format: PlanFormat, context: Context): Promise<Exit> => {
  const { output } = context
  const { run } = check
  if (output.json) output.answer(await checkValue(check), () => '')
  else output.page(await textOf(check, format, context))
  output.note(output.paint.dim(`run ${run.id}, ${secondsOf(run)}`))
  return exitOfChecked(check)
}

export const exitOfChecked = ({ run, plan }: Checked): Exit =>
  plan === undefined ? exitOf(run) : exitOfView(run, plan)

interface PlanValue {
  readonly plumbline: Readonly<Record<string, unknown>>
}

/**
 * For `--json`: OpenTofu's plan form at the top level, where policies expect it, and the run among the members of
 * plumbline. A check without a plan says in that form that it failed.
 */
export const checkValue = async ({ run, plan, folder }: ReportedCheck) => {
  if (plan === undefined) return { errored: true, complete: false, plumbline: { run } }
  const value = keptJson(await renderPlan(plan, { format: 'json', at: run.finishedAt, folder })) as PlanValue
  return { ...value, plumbline: { run, ...value.plumbline } }
}
