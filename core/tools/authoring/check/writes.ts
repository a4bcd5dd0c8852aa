import { isSent } from '../../../providers/rest/document/attributes.ts'
import type { RestDocument } from '../../../providers/rest/document/document.ts'
import { isPatch } from '../../../providers/rest/document/part.ts'
import { replacesUnknown } from '../../../providers/rest/document/replaced-place.ts'
import { pathOf } from '../../../providers/rest/document/shared/template.ts'
import { fieldsOf, type PartView, partsOf, type ResourceView, readOf, resourcesOf } from '../document/document-view.ts'
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

/**
 * Finds attributes that are inside of the answer, and at the top of a body that nobody wrote down: few APIs mean that. What is
 * written below the object has places of its own.
 */
export function* findSentOutside(view: ResourceView): Findings {
  for (const each of partsOf(view).filter((one) => isBuiltFromNames(view, one)))
    for (const { name, entry, at } of fieldsOf(each)) {
      const { path = '', send, select } = entry
      const isInside = pathOf(path).length > 1 && send === undefined && select === undefined
      if (isInside && entry.in === undefined && (isSent(entry, 'update') || isSent(entry, 'create')))
        yield finding([...at, 'path'], say('sentOutside', name, path))
    }
}

const isBuiltFromNames = ({ resource: { operations } }: ResourceView, { part }: PartView): boolean => {
  const { op = 'create', body, send } = part.write ?? {}
  const { [op]: request, [readOf(part).op]: read } = operations
  const isWhole = part.write === undefined ? part.onCreate === 'inline' : request?.path === read?.path
  return (
    isWhole &&
    request !== undefined &&
    request.body === undefined &&
    body === undefined &&
    send !== 'template' &&
    !isPatch(part)
  )
}
