import { allEntries, entriesOf } from '../document/attributes.ts'
import { type RestDocument, type RestResource, readOp } from '../document/document.ts'
import { isRead, tellsExistence } from '../document/operation/operation.ts'
import { variablesOf } from '../document/shared/template.ts'
import { checkRead } from './shared/operation.ts'
import { type Findings, found, problem } from './shared/problem.ts'

/** Rules for the lists that answer an operation for many objects. */
export const checkBulk = (document: RestDocument, resource: RestResource): Findings =>
  Object.entries(resource.operations).map(([name, operation]) => {
    const { bulk = [] } = operation
    return found(
      ['operations', name, 'bulk'],
      bulk.length > 0 && (!isRead(operation) || tellsExistence(operation)) && problem([], 'bulkOfOther', name),
      bulk.map((list, at) =>
        found(
          [at],
          checkRead(resource, list.op, ['op']),
          list.op === name && problem(['op'], 'bulkOfItself', name),
          checkScope(document, resource, list.op),
          (list.for ?? [])
            .filter((each) => !isShownBy(resource, name, each))
            .map((each, index) => problem(['for', index], 'notReadBy', each, name)),
        ),
      ),
    )
  })

/** The list is one for all objects. */
const checkScope = ({ provider }: RestDocument, { operations }: RestResource, op: string): Findings => {
  const { path = '', query = {}, body = null, graphql } = operations[op] ?? {}
  // Of GraphQL, the path has the variables, and the text has braces.
  return variablesOf(graphql === true ? path : [path, query, body])
    .filter(([first]) => first !== 'with' && !Object.hasOwn(provider.params ?? {}, String(first)))
    .map(([first]) => problem(['op'], 'listOfOne', op, String(first)))
}

const isShownBy = (resource: RestResource, op: string, attribute: string): boolean =>
  Object.hasOwn(allEntries(resource), attribute) &&
  resource.parts.some((part) => readOp(part) === op && Object.hasOwn(entriesOf(part), attribute))
