import type { RestDocument } from '../../providers/rest/document/document.ts'
import type { Description } from '../description/description.ts'
import { operationFinder, pathOfBase } from '../description/find-operation.ts'
import { baseOf, resourcesOf } from '../document/document-view.ts'
import type { Disagreement, Finding, Uncompared } from './finding.ts'
import { compareResource } from './resource.ts'

export interface Comparison {
  readonly disagreements: readonly Disagreement[]
  readonly uncompared: readonly Uncompared[]
}

/** A provider document beside a description of the same API. Pure; asks no server. Equal findings come once. */
export const compareDocument = (document: RestDocument, description: Description): Comparison => {
  const find = operationFinder(description, pathOfBase(baseOf(document)))
  const found = new Map<string, Finding>()
  for (const view of resourcesOf(document)) {
    for (const one of compareResource(document, view, find)) {
      const key = JSON.stringify([one.path, 'reason' in one ? one.reason : one.message])
      if (!found.has(key)) found.set(key, one)
    }
  }
  const all = [...found.values()]
  return {
    disagreements: all.flatMap((one) => ('reason' in one ? [] : [one])),
    uncompared: all.flatMap((one) => ('reason' in one ? [one] : [])),
  }
}
