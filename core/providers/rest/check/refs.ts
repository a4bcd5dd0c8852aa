import type { Path } from '../../../schema/json.ts'
import { defined } from '../../../values/defined.ts'
import type { Problem } from '../../provider.ts'
import type { AttributeEntry } from '../document/attribute.ts'
import { allEntries, type Entries, entriesOf } from '../document/attributes.ts'
import type { RestDocument, RestResource } from '../document/document.ts'
import { isRead } from '../document/operation.ts'
import { problem } from '../document/problem.ts'
import { keyOf, needs } from '../document/references.ts'
import type { RefEntry } from '../document/refs.ts'
import { variablesOf } from '../document/template.ts'

/** Each reference names what it can be found by, and no scopes wait for each other. */
export const checkRefs = (document: RestDocument, resource: RestResource): readonly Problem[] => [
  ...resource.parts.flatMap((part, index) =>
    Object.entries(entriesOf(part)).flatMap(([name, entry]) => {
      const { collection } = part
      const at: Path =
        collection?.field === name ? ['parts', index, 'collection'] : ['parts', index, 'attributes', name]
      return checkEntry(document, resource, entry, at, collection?.field === name)
    }),
  ),
  ...checkOrder(allEntries(resource)),
]

/** A collection writes the attributes of its elements one level higher than a set does. */
const checkEntry = (
  document: RestDocument,
  resource: RestResource,
  { ref, element, attributes = {}, type }: AttributeEntry,
  at: Path,
  isCollection = false,
): readonly Problem[] => [
  ...(ref === undefined ? [] : checkRef(document, resource, ref, [...at, 'ref'])),
  ...(ref === undefined || type === 'string' || type === 'number'
    ? []
    : [problem([...at, 'ref'], `a ${type} refers to nothing as a whole`, 'put ref under element or an attribute')]),
  ...Object.entries(attributes).flatMap(([name, inner]) =>
    checkEntry(document, resource, inner, isCollection ? [...at, name] : [...at, 'attributes', name]),
  ),
  ...(element === undefined ? [] : checkEntry(document, resource, element, [...at, 'element'], isCollection)),
]

const checkRef = (document: RestDocument, resource: RestResource, ref: RefEntry, at: Path): readonly Problem[] => {
  const { type, resolver, scope = {} } = ref
  const meant = type === undefined ? undefined : document.resources[type]
  const entries = allEntries(resource)
  return [
    ...((type === undefined) === (resolver === undefined)
      ? [problem(at, 'a reference is to a type or by a resolver', 'give one of type and resolver')]
      : []),
    ...(type !== undefined && meant === undefined
      ? [problem([...at, 'type'], `this document has no type "${type}"`, 'declare it, or use a resolver')]
      : []),
    ...(resolver !== undefined && document.resolvers?.[resolver] === undefined
      ? [problem([...at, 'resolver'], `there is no resolver "${resolver}"`, 'declare it under resolvers')]
      : []),
    ...(meant === undefined ? [] : checkKey(meant, ref, at)),
    ...variablesOf(scope)
      .filter(([first, second]) => first === 'refs' && !Object.hasOwn(entries, String(second)))
      .map((variable) =>
        problem([...at, 'scope'], `"{${variable.join('.')}}" is of no attribute`, 'name an attribute that has a ref'),
      ),
  ]
}

const checkKey = (meant: RestResource, ref: RefEntry, at: Path): readonly Problem[] => {
  const key = keyOf(meant, ref)
  if (key === undefined) {
    return [problem(at, `${ref.type} has several keys, and none is "name"`, 'say by which one it is meant: by')]
  }
  return allEntries(meant)[key] === undefined
    ? [problem([...at, 'by'], `${ref.type} has no attribute "${key}"`, 'use one of its identity keys')]
    : []
}

const checkOrder = (entries: Entries): readonly Problem[] => {
  const reaches = (from: string, to: string, seen: ReadonlySet<string>): boolean =>
    needs(entries[from] ?? { type: 'any' }).some(
      (next) => next !== from && (next === to || (!seen.has(next) && reaches(next, to, new Set([...seen, next])))),
    )
  return Object.keys(entries)
    .filter((name) => reaches(name, name, new Set()))
    .map((name) => problem(['parts'], `the scope of "${name}" depends on itself`, 'leave one of the scopes out'))
}

export const checkResolvers = ({ resolvers = {} }: RestDocument): readonly Problem[] =>
  Object.entries(resolvers).flatMap(([name, { list, retrieve }]) => {
    const at: Path = ['resolvers', name]
    const operations = defined({ list, retrieve })
    return [
      ...(list === undefined && retrieve === undefined
        ? [problem(at, 'there is nothing to ask', 'add list, retrieve or both')]
        : []),
      ...(retrieve !== undefined && !retrieve.path.includes('{value}')
        ? [problem([...at, 'retrieve', 'path'], 'every value finds the same object', 'put {value} into the path')]
        : []),
      ...Object.entries(operations)
        .filter(([, operation]) => !isRead(operation))
        .map(([op]) => problem([...at, op], 'a resolver only reads', 'use a GET, or say effect: read')),
    ]
  })
