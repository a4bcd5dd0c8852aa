import type { TofuDocument } from '../read/load-document.ts'
import { noSchemas, type Schemas } from '../read/schemas.ts'
import type { TofuMode } from '../read/shapes.ts'
import { buildPlanReport } from './build-plan-report.ts'
import { buildStateReport } from './build-state-report.ts'
import type { TofuCompat, TofuReport } from './report.ts'
import { differRules } from './rules.ts'

export interface ReportOptions {
  /** What kinds the values have; inferred from the values where absent. */
  readonly schemas?: Schemas | undefined
  /** How the plan was made, which it does not say; inferred where absent. */
  readonly mode?: TofuMode | undefined
  /** Whose differences; OpenTofu's where absent. */
  readonly compat?: TofuCompat | undefined
}

/** What a plan or a state shows as the product sees it. */
export const buildTofuReport = (
  document: TofuDocument,
  { schemas = noSchemas, mode, compat = 'opentofu' }: ReportOptions = {},
): TofuReport => {
  const rules = differRules[compat]
  return document.kind === 'state'
    ? buildStateReport(document, { schemas, rules })
    : buildPlanReport(document, { schemas, rules, mode })
}
