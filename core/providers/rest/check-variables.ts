import type { Path } from '../../schema/json.ts'
import { allEntries } from './attributes.ts'
import type { RestResource } from './document.ts'

/** Path variables that only a write gives: `{el.id}` where an element is written alone, `{desired.zone}` in a change. */
export const isGivenByWrite = (resource: RestResource, operation: string, [first, second]: Path): boolean => {
  if (['el', 'key', 'changed', 'position', 'to'].includes(String(first)))
    return elementOperations(resource).has(operation)
  if (first !== 'desired' && first !== 'before') return false
  return Object.hasOwn(allEntries(resource), String(second)) && changeOperations(resource).has(operation)
}

const elementOperations = ({ parts }: RestResource): ReadonlySet<string | undefined> =>
  new Set(
    parts.flatMap(({ collection }) =>
      collection?.write !== undefined && 'each' in collection.write ? Object.values(collection.write.each) : [],
    ),
  )

const changeOperations = ({ parts, actions = {} }: RestResource): ReadonlySet<string | undefined> =>
  new Set([
    ...parts.flatMap(({ write }) => [write?.op, write?.create, write?.remove]),
    ...Object.values(actions).map(({ op }) => op),
  ])
