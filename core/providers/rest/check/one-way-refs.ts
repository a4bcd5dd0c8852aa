import type { Path } from '../../../schema/json.ts'
import type { Problem } from '../../provider.ts'
import type { AttributeEntry } from '../document/attribute.ts'
import { allEntries, entriesOf } from '../document/attributes.ts'
import type { RestDocument, RestResource } from '../document/document.ts'
import { problem } from '../document/problem.ts'
import { keyOf } from '../document/references.ts'
import type { RefEntry } from '../document/refs.ts'

/**
 * References whose emitted value leads to no object: a configuration that names objects works, and one that holds what the API
 * shows, as an import writes it, does not.
 */
export const findOneWayRefs = (document: RestDocument): readonly Problem[] =>
  Object.entries(document.resources).flatMap(([type, { parts }]) =>
    parts.flatMap((part, index) =>
      Object.entries(entriesOf(part)).flatMap(([name, entry]) => {
        const at: Path = ['resources', type, 'parts', index]
        const isCollection = part.collection?.field === name
        return inEntry(document, entry, isCollection ? [...at, 'collection'] : [...at, 'attributes', name])
      }),
    ),
  )

/** Told at the attribute of the resource: how deep the reference stands in it, its type says. */
const inEntry = (
  document: RestDocument,
  { ref, element, attributes = {} }: AttributeEntry,
  at: Path,
): readonly Problem[] => [
  ...(ref?.type === undefined ? [] : checkEmit(document.resources[ref.type], ref, at)),
  ...[...Object.values(attributes), ...(element === undefined ? [] : [element])].flatMap((inner) =>
    inEntry(document, inner, at),
  ),
]

/** Places whose values a server spells as a URL: what is on the provider's own host is read there. */
const urlPlace = /(ur[il]|href|link|self|location|@id)$/i

/** Whatever a reference gives for an object means that object again: as its key, its id, its URL, or among all that there are. */
const checkEmit = (meant: RestResource | undefined, ref: RefEntry, at: Path): readonly Problem[] => {
  if (meant === undefined) return []
  const { lookup, operations, discover, serverId = {} } = meant
  const isListed = discover !== undefined || ('list' in lookup && lookup.follow === undefined)
  const key = keyOf(meant, ref) ?? ''
  const ids = 'list' in lookup && operations['retrieve'] !== undefined ? Object.values(serverId) : []
  const isFound = [allEntries(meant)[key]?.path ?? key, ...ids].includes(ref.emit)
  if (isListed || isFound || urlPlace.test(ref.emit)) return []
  const message = `nothing finds a ${ref.type} by the "${ref.emit}" that this reference gives for it`
  return [problem(at, message, `give ${ref.type} a discover, or emit its key, its id or its URL`)]
}
