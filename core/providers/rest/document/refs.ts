import * as z from 'zod'
import { described, name, objectChapter, optional } from '../../../engine/schema/described.ts'
import { operation } from './operation/operation.ts'
import { place, several, template, where } from './shared/words.ts'

/** Values that people write as names, and that the API takes in another form. */

export const ref = objectChapter(
  'ref',
  'References by name',
  'The value is a name, an id or a URL of another object. Plumbline finds this object before it compares anything: `{ type: waldur_customer, emit: url }`.',
  {
    type: optional(
      z.string(),
      'A type of this document. A name is searched by its `lookup`, an id is read with its operation `retrieve`. The name of a resource that the workspace declares can be used before its object exists.',
    ),
    resolver: optional(name, 'One of the `resolvers` of this document, instead of `type`.'),
    by: optional(name, 'Which identity key of the type the value is; when left out, `name` or the only key.'),
    emit: described(
      place.min(1),
      'Where the found object has the value that is sent and compared. If an answer has a whole object in this attribute, the same place in that object is compared.',
      'url',
    ),
    scope: optional(
      z.record(z.string(), template),
      'Filters of the search, and path variables. `{realm}` is an attribute of the resource, `{refs.x.member}` a member of the object behind one; if it has no value, the resource is unchecked, and the search is not widened. If items have a member with the name of the filter, it is compared here, because servers may ignore filters.',
      { tenant_uuid: '{refs.tenant.uuid}' },
    ),
  },
)
export type RefEntry = z.infer<typeof ref>

export const resolver = objectChapter(
  'resolver',
  'Resolvers',
  'How to find objects that this document does not manage. `{value}` is the searched value.',
  {
    description: optional(z.string(), 'For people.'),
    list: optional(operation, 'Lists the objects, filtered by `{value}` if the API can.'),
    items: described(place.default(''), 'Where the answer of `list` has the items.'),
    plain: optional(name, 'The items are texts or numbers and no objects: each is the member with this name.'),
    retrieve: optional(operation, 'Reads one object by its id: `{value}` in the path.'),
    name: described(
      z.union([place.min(1), several(place.min(1))]).default('name'),
      'Where an item has its name, which is compared with the value: a place, or several.',
    ),
    where: optional(where, 'Values that an item must also have, by their places.', {
      is_removed: false,
    }),
  },
)
export type ResolverEntry = z.infer<typeof resolver>
