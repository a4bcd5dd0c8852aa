import * as z from 'zod'
import type { Plan } from '#core'
import { formatNames, type PlanFormat, renderPlan } from '#render'
import { requireOptions } from './options.ts'

export interface PageOptions {
  readonly format: PlanFormat
  /** When the check was made, as in `run.finishedAt`. */
  readonly at?: string | undefined
}

const shape = z.strictObject({ format: z.enum(formatNames), at: z.iso.datetime().optional() })

export const writePage = async (plan: Plan, options: PageOptions): Promise<string> => {
  requireOptions('render', shape, options)
  const { format, at } = options
  return renderPlan(plan, at === undefined ? { format } : { format, at })
}
