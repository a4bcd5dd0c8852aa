import { allEntries } from '../document/attributes.ts'
import type { RestResource } from '../document/document.ts'
import { checkRead } from './shared/operation.ts'
import { type Findings, found, problem } from './shared/problem.ts'

/** Expanded attributes keep their text: nothing identifies an object by it, and nothing else changes it before it is compared. */
export const checkExpansion = (resource: RestResource): Findings => {
  const { expansion, identity } = resource
  if (expansion === undefined) return []
  const entries = allEntries(resource)
  return found(
    ['expansion'],
    expansion.attributes.map((name, index) => {
      const entry = entries[name]
      const path = ['attributes', index]
      if (entry === undefined) return problem(path, 'noAttribute', name, entries)
      const isFixed = identity.keys.includes(name) || entry.normalise !== undefined || entry.cases !== undefined
      return (isFixed || entry.sensitive || entry.writeOnly) && problem(path, 'notExpanded', name)
    }),
    expansion.read !== undefined && checkRead(resource, expansion.read.op, ['read', 'op']),
  )
}
