import type { TofuDocument } from '../read/load-document.ts'
import { noSchemas, type Schemas } from '../read/schemas.ts'
import type { TofuMode } from '../read/shapes.ts'
import { buildPlanView } from './build-plan-view.ts'
import { buildStateView } from './build-state-view.ts'
import type { View } from './plan-view.ts'

export interface ViewOptions {
  /** What kinds the values have; inferred from the values where absent. */
  readonly schemas?: Schemas | undefined
  /** How the plan was made, which it does not say; inferred where absent. */
  readonly mode?: TofuMode | undefined
}

/** A plan or a state as our own reports show it. */
export const buildView = (document: TofuDocument, { schemas = noSchemas, mode }: ViewOptions = {}): View =>
  document.kind === 'state' ? buildStateView(document, schemas) : buildPlanView(document, schemas, mode)
