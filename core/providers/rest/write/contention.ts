import type { ResourceType } from '../../../engine/provider/provider.ts'
import { defined } from '../../../engine/values/defined.ts'
import { isFromList, readOp } from '../document/document.ts'
import { retrievesById } from '../document/ids.ts'
import { onePage } from '../document/operation/pages.ts'
import type { TypeContext } from '../request/context.ts'

/** What the commands of a type share with other writes to the target, besides the object itself. */
export const contentionOf = (context: TypeContext): NonNullable<ResourceType['contention']> =>
  defined({ pages: pagesOf(context), version: sharesVersion(context) || undefined })

/** Writes of others move what is on the pages of a list while it is read. */
const pagesOf = ({ resource, settings }: TypeContext): 'until known' | 'always' | undefined => {
  const { operations, lookup, parts } = resource
  const isPaged = (op: string): boolean =>
    (operations[op]?.pagination ?? settings.pagination ?? onePage).style !== 'none'
  if (parts.some((part) => isFromList(part) && isPaged(readOp(part)))) return 'always'
  if (!('list' in lookup) || !isPaged(lookup.list.op)) return undefined
  return retrievesById(resource) ? 'until known' : 'always'
}

/** A version that is read at another URL than the one that is written belongs to more than the object. */
const sharesVersion = ({ resource: { lock, operations, parts } }: TypeContext): boolean => {
  const paths = new Set(parts.map((part) => operations[readOp(part)]?.path))
  return lock !== undefined && Object.values(operations).some((each) => each.lock === true && !paths.has(each.path))
}
