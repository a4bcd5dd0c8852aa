import type { RestDocument } from '../../providers/rest/document/document.ts'
import type { Description } from '../description/description.ts'
import { operationFinder, pathOfBase } from '../description/find-operation.ts'
import { baseOf, resourcesOf } from '../document/document-view.ts'
import { type Comparison, together } from './finding.ts'
import { compareResource } from './resource.ts'

/** A provider document beside a description of the same API. Pure; asks no server. */
export const compareDocument = (document: RestDocument, description: Description): Comparison => {
  const find = operationFinder(description, pathOfBase(baseOf(document)))
  return together(resourcesOf(document).map((view) => compareResource(document, view, find)))
}
