import * as z from 'zod'
import { attributeFacts } from '../../../schema/attribute.ts'
import { described, json, name, objectChapter, optional } from '../../../schema/described.ts'
import { absences } from './answers.ts'
import { attributeMap, travels } from './attribute.ts'
import { count, place, where } from './words.ts'

const select = z.strictObject({
  in: described(place, 'Where the answer holds the list.', 'items'),
  where: described(where.default({}), 'Values that the element has, by their places.', { kind: 'main' }),
  holds: optional(
    z.strictObject({
      in: described(place, 'Where the element holds a list of its own.'),
      where: described(where, 'Values that an element of that list has.'),
    }),
    'Takes the element whose own list has an element like this: a flow zone by the items in it.',
  ),
})

const partRead = z.union([
  name,
  z.strictObject({
    op: described(name, 'The operation.'),
    select: optional(
      select,
      "One element of a list in the answer. Where nothing fits, an attribute's `default` says what that means.",
    ),
    absent: described(
      absences.default([]),
      'What means that this part is missing: statuses, and `null`. Any other failure makes the whole resource unknown.',
      [404],
    ),
  }),
])

const partWrite = z.strictObject({
  op: described(name, 'The operation that changes the part.'),
  create: optional(name, 'In the place of `op` where the part is not there yet (its read is `absent`).'),
  remove: optional(name, 'Instead of `op` if no attribute of the part has a desired value.'),
  send: described(
    z.enum(['changed', 'full', 'template', 'object', 'jsonPatch', 'mergePatch']).default('changed'),
    'How `{fields}` is made: attributes that differ (`changed`, `template`), all of the part (`full`), the whole object as it was read (`object`), or a patch. docs/rest-provider.md has a table of them.',
  ),
  body: optional(
    json,
    'The body; `{fields}` alone when left out. It may be a list, a text, a number: `"{desired.tags}"`.',
    { zone: '{fields}' },
  ),
  drop: optional(z.array(place.min(1)), 'With `object`: places of the answer that do not go back, read-only ones.', [
    'created_at',
  ]),
})

const listWrite = z.strictObject({
  op: described(name, 'The operation.'),
  batch: described(count.default(100), 'Most elements of one request; `{all}` is never divided.'),
  body: described(json, 'The body, with `{changes}` (removals first), `{upserts}` and `{removes}`, or `{all}`.', {
    rrsets: '{changes}',
  }),
  upsert: optional(
    json,
    'An element that comes or changes, and each of `{all}`; `{el}` when left out. `"{el.url}"` makes a list of URLs.',
  ),
  remove: optional(json, 'One that goes; `{key}` when left out.'),
})

const elementWrite = z.strictObject({
  each: described(
    z.strictObject({
      create: described(name, 'For an element that comes.'),
      update: optional(name, 'For one that changes. Without it, the element is removed and created again.'),
      remove: described(name, 'For one that goes.'),
      move: optional(
        name,
        'Of an `ordered` list: for one that moves, from `{position}` to `{to}`. Without it, the element is removed and created again.',
      ),
    }),
    'Operations for one element each, in the place of `op` and `body`. `body` of the operation is `{el}` when left out, none for a removal.',
  ),
})

const collection = objectChapter(
  'collection',
  'Collection',
  'Elements with a key that are written apart: rrsets of a zone, rules of a group.',
  {
    field: described(name, "The attribute's name.", 'rrsets'),
    path: travels.path,
    send: travels.send,
    description: attributeFacts.description,
    key: attributeFacts.key,
    ordered: optional(
      z.boolean(),
      'The order of the elements counts. The whole list is written then, and they need no `key`; or each by operations of its own, with `positions`.',
    ),
    positions: optional(
      z.union([
        z.strictObject({
          first: described(
            z.union([z.literal(0), z.literal(1)]),
            'Of an `ordered` list: the number of its first element. `{position}` is where the element stands when its request is sent, `{to}` its new position, in the list without it.',
          ),
        }),
        z.strictObject({
          member: described(name, 'The `computed` member of an element that tells where it stands.', 'index'),
        }),
      ]),
      'Elements are addressed by where they stand, which moves with every write. They go from last to first; before each request the list is read again, and must be as the requests before left it.',
      { first: 0 },
    ),
    manage: attributeFacts.manage,
    ignore: attributeFacts.ignore,
    immutable: attributeFacts.immutable,
    default: optional(
      z.array(json),
      'What it means that an answer has no such list, which is *bad_body* otherwise: `[]` for empty.',
      [],
    ),
    element: described(attributeMap, 'The attributes of an element.'),
    write: optional(z.union([listWrite, elementWrite]), 'How changes are written.'),
  },
)
export type Collection = z.infer<typeof collection>
export type EachElement = z.infer<typeof elementWrite>['each']

export const part = objectChapter('part', 'Part', 'Attributes that are read and written together.', {
  name: described(name, 'For people.', 'main'),
  read: described(partRead, 'The operation that reads it. Parts with the same read share one request.', 'retrieve'),
  onCreate: described(
    z.enum(['inline', 'after']).default('inline'),
    "`inline`: part of the create's body. `after`: a command of its own after the create.",
  ),
  write: optional(partWrite, 'How it is changed. Without it every attribute must be immutable or computed.'),
  attributes: optional(attributeMap, 'Its attributes, by name.', {
    name: { required: true, immutable: true },
  }),
  collection: optional(collection, 'In the place of attributes: elements that are written apart.'),
})
export type ResourcePart = z.infer<typeof part>
