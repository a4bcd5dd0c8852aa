import { type Plan, type Run, renderRun } from '#core'
import { type PlanFormat, renderPlan } from '#render'
import { jsonIn } from '../../adapters/json-in.ts'
import type { Checked } from '../backend/backend.ts'
import type { Context, Exit } from '../context.ts'
import type { Host } from '../process/host.ts'

const exits: Readonly<Record<Run['status'], Exit>> = { in_sync: 0, changes: 2, incomplete: 3, failed: 1 }
/** Exit code of a check. */
export const exitOf = ({ status }: Run): Exit => exits[status]

/** A view of drift does not look at the configuration: nothing that it finds is a difference from it. */
const exitOfView = (run: Run, { view, drift, complete }: Plan): Exit => {
  if (view !== 'drift') return exitOf(run)
  if (!complete) return 3
  return drift.length === 0 ? 0 : 2
}

/** Seconds, to a tenth. */
export const secondsOf = ({ startedAt, finishedAt }: Pick<Run, 'startedAt' | 'finishedAt'>): string =>
  `${((Date.parse(finishedAt) - Date.parse(startedAt)) / 1000).toFixed(1)} s`

/** The commands at the end of a plan or an alert, in the form in which the user calls them here. */
export const asCalled = (text: string, { invocation }: Pick<Host, 'invocation'>): string =>
  text.replace(/^( *)plumbline (?=(?:apply|show) )/gm, `$1${invocation} `)

/** Answers with a check: the plan in the requested format, or the run and the plan as JSON. */
export const reportCheck = async (
  { run, plan }: Checked,
  format: PlanFormat,
  { output, host }: Context,
): Promise<Exit> => {
  const { color, width } = output
  const { finishedAt: at } = run
  if (plan === undefined) output.answer({ run }, () => renderRun(run, { color }))
  else if (output.json) output.answer({ run, plan: jsonIn(await renderPlan(plan, { format: 'json', at })) }, () => '')
  else output.raw(asCalled(await renderPlan(plan, { format, at, color, width }), host))
  output.note(output.paint.dim(`run ${run.id}, ${secondsOf(run)}`))
  return plan === undefined ? exitOf(run) : exitOfView(run, plan)
}
