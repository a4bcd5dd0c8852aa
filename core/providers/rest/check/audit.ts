import { allEntries } from '../document/attributes.ts'
import type { RestResource } from '../document/document.ts'
import { checkRead } from './shared/operation.ts'
import { type Findings, found, problem } from './shared/problem.ts'

/** The log is read, and its entries are about attributes that exist. */
export const checkAudit = (resource: RestResource): Findings => {
  const { audit } = resource
  if (audit === undefined) return []
  const entries = allEntries(resource)
  return found(
    ['audit'],
    checkRead(resource, audit.list.op, ['list', 'op']),
    audit.about.flatMap(({ attributes = [] }, index) =>
      attributes.map(
        (name, place) =>
          entries[name] === undefined && problem(['about', index, 'attributes', place], 'noAttribute', name, entries),
      ),
    ),
  )
}
