import type { RestDocument } from '../../providers/rest/document/document.ts'
import type { Description } from '../description/description.ts'
import { compareResource } from './compare-resource.ts'
import { baseOf, resourcesOf } from './document-view.ts'
import { operationFinder, pathOfBase } from './find-operation.ts'
import { type Comparison, together } from './finding.ts'

/** A provider document beside a description of the same API. Pure; asks no server. */
export const compareDocument = (document: RestDocument, description: Description): Comparison => {
  const find = operationFinder(description, pathOfBase(baseOf(document)))
  return together(resourcesOf(document).map((view) => compareResource(document, view, find)))
}
