import { AppError } from '../../errors.ts'
import { buildPlanPage } from '../compat/build-plan-page.ts'
import { buildStatePage } from '../compat/build-state-page.ts'
import type { TofuCompat, TofuMode, TofuPage } from '../compat/page.ts'
import { differRules } from '../compat/rules.ts'
import { readTofuDocument, type TofuDocument } from './load-document.ts'
import { readTofuSchemas } from './load-schemas.ts'
import type { PageSource } from './read-json.ts'
import { readSchemas } from './schemas.ts'
import type { ValueMap } from './value.ts'

export interface PageOptions {
  /** Of `loadTofuSchemas`; guessed from the values without it. */
  readonly schemas?: ValueMap | undefined
  readonly mode?: TofuMode | undefined
  /** Whose differences; OpenTofu's where absent. */
  readonly compat?: TofuCompat | undefined
}

const planMembers = ['resource_changes', 'output_changes', 'planned_values', 'resource_drift', 'prior_state']

/** An empty state has nothing but its versions. */
const stateMembers: ReadonlySet<string> = new Set(['format_version', 'terraform_version', 'values', 'checks'])

/** Throws USAGE for a document that is neither. */
export const kindOfDocument = ({ name, present }: TofuDocument): 'plan' | 'state' => {
  if (planMembers.some((member) => present.has(member))) return 'plan'
  if (present.has('values')) return 'state'
  if (present.has('configuration')) return 'plan'
  if (present.has('format_version') && [...present].every((member) => stateMembers.has(member))) return 'state'
  throw new AppError('USAGE', { detail: `${name} is neither a plan nor a state; write one with "tofu show -json"` })
}

/** What a plan or a state shows as OpenTofu sees it. Throws USAGE for what is neither. */
export const buildTofuPage = (
  document: TofuDocument,
  { schemas, mode, compat = 'opentofu' }: PageOptions = {},
): TofuPage => {
  const options = { schemas: readSchemas(schemas), mode, rules: differRules[compat] }
  return kindOfDocument(document) === 'state' ? buildStatePage(document, options) : buildPlanPage(document, options)
}

/** The same of JSON that is in memory. */
export const readTofuPage = (
  source: PageSource,
  { schemas, ...options }: Omit<PageOptions, 'schemas'> & { readonly schemas?: PageSource | undefined } = {},
): TofuPage => {
  const document = readTofuDocument(source)
  return buildTofuPage(document, { ...options, schemas: schemas && readTofuSchemas(schemas, document) })
}
