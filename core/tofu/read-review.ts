import type { Review } from '../schema/review.ts'
import type { TofuMode } from '../schema/tofu.ts'
import { readSchemas } from './facts.ts'
import { readTofuDocument, type TofuDocument } from './load-document.ts'
import { readTofuSchemas } from './load-schemas.ts'
import type { PageSource } from './read-json.ts'
import { kindOfDocument, type PageOptions } from './read-page.ts'
import { buildPlanReview } from './review/build-plan-review.ts'
import { buildStateReview } from './review/build-state-review.ts'

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
