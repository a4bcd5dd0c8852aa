import * as z from 'zod'
import { described, name, objectChapter, optional } from '../../../schema/described.ts'
import { operation } from './operation.ts'
import { place, several, template, where } from './words.ts'

/* Values that people give by name, and the API wants as something else. */

export const ref = objectChapter(
  'ref',
  'References by name',
  'The value is a name, an id or a URL of another object, which is found before anything is compared: `{ type: waldur_customer, emit: url }`.',
  {
    type: optional(
      z.string(),
      'A type of this document: found by its `lookup`, an id with its operation `retrieve`. A name of a resource that the workspace declares is known before its object exists.',
    ),
    resolver: optional(name, 'One of the `resolvers` of this document, in the place of `type`.'),
    by: optional(name, 'The identity key of the type that the value is; `name`, or the only one, when left out.'),
    emit: described(
      place.min(1),
      'Where the object that is found holds what is sent and compared. Where an answer holds a whole object in this attribute, the same place of that is compared.',
      'url',
    ),
    scope: optional(
      z.record(z.string(), template),
      'Filters of the search, and path variables. `{refs.x.member}` makes one of what another attribute was found to be; what it lacks makes the resource unchecked, not the search wider. Where items show a member of the name of the filter, it is compared, because servers ignore filters.',
      { tenant_uuid: '{refs.tenant.uuid}' },
    ),
  },
)
export type RefEntry = z.infer<typeof ref>

export const resolver = objectChapter(
  'resolver',
  'Resolvers',
  'How objects are found that this document does not manage. `{value}` is what is looked for.',
  {
    description: optional(z.string(), 'For people.'),
    list: optional(operation, 'Lists them, by `{value}` where the API can.'),
    items: described(place.default(''), 'Where the answer of `list` holds the items.'),
    retrieve: optional(operation, 'Reads one of them by its id: `{value}` in the path.'),
    name: described(
      z.union([place.min(1), several(place.min(1))]).default('name'),
      'Where an item holds its name: a place, or several, compared with the value.',
    ),
    where: optional(where, 'What else an item must hold.', {
      is_removed: false,
    }),
  },
)
export type ResolverEntry = z.infer<typeof resolver>
