import type { Option } from 'commander'
import { AppError, driftOnly, narrowPlan } from '#core'
import { formatNames, type PlanFormat } from '#render'
import type { Checked } from '../../backend/backend.ts'
import { type FailOn, failures } from '../../terminal/report-check.ts'
import { option, type SelectionOptions, selectionIn, selectionOptions } from '../command.ts'

export const formatOption = (): Option =>
  option('--format <format>', 'format of the plan').choices(formatNames).default('text')

export interface ViewOptions extends SelectionOptions {
  readonly refreshOnly?: boolean
}

export const failOnOption = (): Option =>
  option('--fail-on <what>', 'which differences end with 2; what could not be read fails in any case')
    .choices(failures)
    .default('any')

export const viewOptions: readonly Option[] = [
  ...selectionOptions,
  option('--refresh-only', 'show only what changed outside, without changes and commands'),
]

export const viewed = ({ run, plan }: Checked, options: ViewOptions): Checked => {
  if (options.refreshOnly !== true) return { run, plan: plan && narrowPlan(plan, selectionIn(options)) }
  if ((options.target ?? options.exclude) !== undefined)
    throw new AppError('USAGE', {
      detail: '--refresh-only shows the drift of all resources; leave out --target and --exclude',
    })
  return { run, plan: plan && driftOnly(plan) }
}

export interface CheckOptions extends ViewOptions {
  readonly all?: boolean
  readonly out?: string
  readonly refresh: boolean
  readonly format: PlanFormat
  readonly failOn: FailOn
}
