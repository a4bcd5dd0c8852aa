import type { TofuMode } from '../compat/page.ts'
import { readTofuDocument, type TofuDocument } from '../read/load-document.ts'
import { readTofuSchemas } from '../read/load-schemas.ts'
import type { PageSource } from '../read/read-json.ts'
import { kindOfDocument, type PageOptions } from '../read/read-page.ts'
import { readSchemas } from '../read/schemas.ts'
import { buildPlanReview } from './build-plan-view.ts'
import { buildStateReview } from './build-state-view.ts'
import type { Review } from './plan-view.ts'

/** A plan or a state as our own pages show it. Throws USAGE for what is neither. */
export const buildTofuReview = (document: TofuDocument, { schemas, mode }: PageOptions = {}): Review => {
  const options = { schemas: readSchemas(schemas), mode }
  return kindOfDocument(document) === 'state' ? buildStateReview(document, options) : buildPlanReview(document, options)
}

/** The same of JSON that is in memory. */
export const readTofuReview = (
  source: PageSource,
  { schemas, mode }: { readonly schemas?: PageSource | undefined; readonly mode?: TofuMode | undefined } = {},
): Review => {
  const document = readTofuDocument(source)
  return buildTofuReview(document, { mode, schemas: schemas && readTofuSchemas(schemas, document) })
}
