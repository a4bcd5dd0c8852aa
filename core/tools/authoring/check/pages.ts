import type { Problem } from '../../../engine/schema/issue.ts'
import { present } from '../../../engine/values/defined.ts'
import type { RestDocument, RestResource } from '../../../providers/rest/document/document.ts'
import type { Operation } from '../../../providers/rest/document/operation/operation.ts'
import { say } from './words.ts'

/**
 * Lists of which the document does not say whether an answer is all of it. Page one of several looks like the whole list, and what
 * is on another page is created a second time.
 */
export const findUnpaged = ({ provider, resources, resolvers }: RestDocument): readonly Problem[] => {
  if (provider.pagination !== undefined) return []
  const open = (operation: Operation | undefined): readonly string[] =>
    operation === undefined || operation.pagination !== undefined || operation.graphql === true
      ? []
      : [`${operation.method} ${operation.path}`]
  const found = [
    ...Object.values(resources).flatMap((resource) => listsOf(resource).flatMap((op) => open(resource.operations[op]))),
    ...Object.values(resolvers ?? {}).flatMap((resolver) => ('list' in resolver ? open(resolver.list) : [])),
  ]
  const lists = [...new Set(found)]
  return lists.length === 0 ? [] : [{ path: ['provider'], ...say('unpaged', lists) }]
}

/** The operations whose answers decide what exists. */
const listsOf = ({ lookup, discover, parts }: RestResource): readonly string[] => {
  const asked = [...('list' in lookup ? [lookup.list] : []), ...present(discover)]
  return [
    ...asked.flatMap(({ op, also = [] }) => [op, ...also.map((other) => other.op)]),
    ...parts.flatMap(({ read }) =>
      typeof read === 'string' || read.list === undefined
        ? []
        : [read.op, ...(read.list.also ?? []).map((other) => other.op)],
    ),
  ]
}
