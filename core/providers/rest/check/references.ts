import type { Path } from '../../../schema/json.ts'
import type { Problem } from '../../provider.ts'
import type { AttributeEntry } from '../document/attribute.ts'
import { allEntries, entriesOf } from '../document/attributes.ts'
import type { RestDocument, RestResource } from '../document/document.ts'
import { problem } from '../document/problem.ts'

/** What an attribute refers to must be there to be referred to. */
export const checkReferences = (document: RestDocument, resource: RestResource): readonly Problem[] =>
  resource.parts.flatMap((part, index) =>
    Object.entries(entriesOf(part)).flatMap(([name, entry]) => {
      const { collection } = part
      const path: Path =
        collection?.field === name ? ['parts', index, 'collection'] : ['parts', index, 'attributes', name]
      return checkEntry(document, entry, path, collection?.field === name)
    }),
  )

/** A collection writes the attributes of its elements one level higher than a set does. */
const checkEntry = (
  document: RestDocument,
  { refersTo, element, attributes = {} }: AttributeEntry,
  path: Path,
  isCollection = false,
): readonly Problem[] => [
  ...(refersTo === undefined ? [] : checkReference(document, refersTo, [...path, 'refersTo'])),
  ...Object.entries(attributes).flatMap(([name, inner]) => checkEntry(document, inner, [...path, 'attributes', name])),
  ...(element === undefined
    ? []
    : isCollection
      ? Object.entries(element.attributes ?? {}).flatMap(([name, inner]) =>
          checkEntry(document, inner, [...path, 'element', name]),
        )
      : checkEntry(document, element, [...path, 'element'])),
]

const checkReference = (
  { resources }: RestDocument,
  { type, attribute }: NonNullable<AttributeEntry['refersTo']>,
  path: Path,
): readonly Problem[] => {
  const meant = Object.hasOwn(resources, type) ? resources[type] : undefined
  if (meant === undefined) {
    const known = Object.keys(resources).join(', ')
    return [problem([...path, 'type'], `this document has no type "${type}"`, `use one of: ${known}`)]
  }
  const names = [...Object.keys(allEntries(meant)), ...Object.keys(meant.serverId ?? {})]
  if (attribute === undefined || names.includes(attribute)) return []
  return [problem([...path, 'attribute'], `${type} has no "${attribute}"`, `use one of: ${names.join(', ')}`)]
}
