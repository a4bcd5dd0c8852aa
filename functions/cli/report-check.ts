import { type Plan, renderCommands, renderPlan, type Run } from '#core'
import type { Checked } from './backend.ts'
import type { Context, Exit } from './context.ts'
import type { Host } from './host.ts'
import type { Output } from './output.ts'
import { paint } from './paint.ts'

export const formats = ['text', 'markdown', 'json', 'summary'] as const
export type Format = (typeof formats)[number]

export interface Report {
  readonly format: Format
  /** The exact requests too. */
  readonly commands: boolean
}

const exits: Readonly<Record<Run['status'], Exit>> = { in_sync: 0, changes: 2, incomplete: 3, failed: 1 }
export const exitOf = ({ status }: Run): Exit => exits[status]

/** Seconds, to a tenth. */
export const secondsOf = ({ startedAt, finishedAt }: Pick<Run, 'startedAt' | 'finishedAt'>): string =>
  `${((Date.parse(finishedAt) - Date.parse(startedAt)) / 1000).toFixed(1)} s`

const failure = ({ workspace, error }: Run, output: Output): string => {
  const { strong, bad, dim } = paint(output.color)
  const { code = 'INTERNAL', message = 'the check failed', hint = '' } = error ?? {}
  return `${bad('failed')}  ${strong(workspace)}\n\n${message}\n${dim(`${hint} (${code})`)}`
}

const planText = (plan: Plan, { format, commands }: Report, { color, width }: Output): string => {
  const text = renderPlan(plan, { format, color: color && format !== 'markdown', width })
  return commands && format === 'text' ? `${text.trimEnd()}\n\n${renderCommands(plan.commands, { color, width })}` : text
}

/** Answers with a check: the plan as text in the form that was asked for, or the run and the plan as JSON. */
export const reportCheck = ({ run, plan }: Checked, report: Report, output: Output): Exit => {
  output.answer({ run, ...(plan === undefined ? {} : { plan }) }, () =>
    plan === undefined ? failure(run, output) : planText(plan, report, output),
  )
  return exitOf(run)
}

/** To be copied: exactly these commands. */
export const applyLine = (workspace: string, plan: Plan, { invocation }: Pick<Host, 'invocation'>): string =>
  `${invocation} apply ${workspace} --digest ${plan.digests.commands}`

/** Which run it was, and what can be done about it. */
export const noteCheck = ({ run, plan }: Checked, { output, host }: Context): void => {
  const { dim } = output.paint
  output.note(dim(`\nrun ${run.id}  ${secondsOf(run)}`))
  if (plan === undefined || plan.commands.length === 0) return
  output.note(`${dim('repair:')} ${applyLine(run.workspace, plan, host)}`)
}
