import type { Option } from 'commander'
import { AppError, defined, driftOnly, narrowPlan, type ShownPart, shownKinds, showPart } from '#core'
import { formatNames, type PlanFormat } from '#render'
import type { Checked } from '../../backend/backend.ts'
import { type FailOn, failures } from '../../terminal/report-check.ts'
import { collect, option, type SelectionOptions, selectionIn, selectionOptions } from '../command.ts'

export const formatOption = (): Option =>
  option('--format <format>', 'format of the plan').choices(formatNames).default('text')

export interface ViewOptions extends SelectionOptions {
  readonly refreshOnly?: boolean
  readonly address?: readonly string[]
  readonly only?: ShownPart['only']
}

export const failOnOption = (): Option =>
  option('--fail-on <what>', 'which differences end with 2; what could not be read fails in any case')
    .choices(failures)
    .default('any')

export const viewOptions: readonly Option[] = [
  ...selectionOptions,
  option('--refresh-only', 'show only what changed outside, without changes and commands'),
  option('--address <address>', 'show only these resources; `*` matches any part; repeatable', collect),
  option('--only <kind>', 'show only findings of this kind').choices(shownKinds),
]

/** What the reader asked for. The exit code is about the whole. */
export const viewed = (checked: Checked, options: ViewOptions): Checked => {
  const { run, plan } = partOf(checked, options)
  const { address: addresses, only } = options
  if (plan === undefined || (addresses ?? only) === undefined) return { run, plan }
  return { run, plan: showPart(plan, defined({ addresses, only })) }
}

const partOf = ({ run, plan }: Checked, options: ViewOptions): Checked => {
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
