import type { RestDocument } from '../../../providers/rest/document/document.ts'
import { replacesUnknown } from '../../../providers/rest/document/replaced-place.ts'
import { partsOf, resourcesOf } from '../document/document-view.ts'
import { type Findings, finding } from './finding.ts'
import { say } from './words.ts'

/** Finds writes whose loss nobody can foresee, though their commands are called reversible. */
export function* findUnplaced(document: RestDocument): Findings {
  for (const view of resourcesOf(document))
    for (const { part, at } of partsOf(view)) {
      const operation = view.resource.operations[part.write?.op ?? '']
      if (operation !== undefined && replacesUnknown(view.resource, part, operation))
        yield finding([...at, 'write', 'op'], say('replacesUnknown', operation.path))
    }
}
