import * as z from 'zod'
import { attributeFacts } from '../../../engine/schema/attribute.ts'
import { described, json, name, objectChapter, optional } from '../../../engine/schema/described.ts'
import { attributeMap, travels } from './attribute.ts'
import { also } from './operation/operation.ts'
import { absences } from './shared/answers.ts'
import { pointerOf } from './shared/template.ts'
import { count, place, several, where } from './shared/words.ts'

const select = z.strictObject({
  in: described(place, 'Where the answer has the list.', 'items'),
  where: described(where.default({}), 'Values that the element must have, by their places.', { kind: 'main' }),
  holds: optional(
    z.strictObject({
      in: described(place, 'Where the element has a list of its own.'),
      where: described(where, 'Values that an element of that list must have.'),
    }),
    'Selects the element whose own list has such an element: for example, a flow zone by its items.',
  ),
})

const wholeList = z.strictObject({
  as: described(
    name,
    'The member of the part that the elements become: the `field` of a collection, or an attribute.',
    'labels',
  ),
  items: described(place.default(''), 'Where the answer has the list.', 'results'),
  also,
})

const partRead = z.union([
  name,
  z.strictObject({
    op: described(name, 'The operation.'),
    select: optional(
      select,
      'One element of a list in the answer. If no element matches, the `default` of an attribute is its value.',
    ),
    list: optional(
      wholeList,
      'The answer is a list, and all its elements over all pages are one attribute: the labels of a repository. A list of several pages is read twice, and is unknown if it changed meanwhile.',
      { as: 'labels' },
    ),
    exists: optional(
      name,
      'A boolean attribute that no body shows: true if the answer is a success, false if it is `absent`. A 404 means false only where the caller sees everything (`sight`).',
      'alerts',
    ),
    absent: described(
      absences.default([]),
      'What means that this part is missing: statuses, and `null`. Any other failure makes the whole resource unknown.',
      [404],
    ),
  }),
])

const dropped = several(place.min(1))

const partWrite = z.strictObject({
  op: described(name, 'The operation that changes the part.'),
  create: optional(name, 'Instead of `op` if the part does not exist yet (its read is `absent`).'),
  remove: optional(name, 'Instead of `op` if no attribute of the part has a desired value.'),
  send: described(
    z.enum(['changed', 'full', 'template', 'object', 'jsonPatch', 'mergePatch']).default('changed'),
    'What `{fields}` contains: the attributes that differ (`changed`, `template`; all of them in a PUT without `keeps`), all attributes of the part (`full`), the whole object as it was read (`object`), or a patch. docs/rest-provider.md#parts has a table of them.',
  ),
  body: optional(
    json,
    'The body; `{fields}` alone when left out. It may also be a list, a text or a number: `"{desired.tags}"`.',
    { zone: '{fields}' },
  ),
  drop: optional(
    dropped,
    'Places of the answer that are not sent back, such as read-only members; `*` is any element of a list, or any key of a map. Only a planned change is sent there. With `object` and a PUT that sends the whole object (`full`, and `changed` without `keeps`) it is any place; else one inside of what is sent whole: a list, or an object that holds the value of an attribute. A place that no request can send back is refused.',
    ['created_at', 'interfaces.*.id'],
  ),
  keeps: optional(
    z.boolean(),
    'The server keeps members that a body does not have. Without it, a body has all that was read of what is written whole (`full`, each PUT, and objects inside of a body), because the server may reset what is left out. A list is always sent whole. It is about objects inside of the object too: for a PATCH that merges only the top level, leave `keeps` out.',
    true,
  ),
})

const listWrite = z.strictObject({
  op: described(name, 'The operation.'),
  batch: described(count.default(100), 'Largest number of elements in one request; `{all}` is never split.'),
  body: described(json, 'The body, with `{changes}` (removals first), `{upserts}` and `{removes}`, or `{all}`.', {
    rrsets: '{changes}',
  }),
  upsert: optional(
    json,
    'The form of an element that is added or changed, and of each element of `{all}`; `{el}` when left out. `"{el.url}"` makes a list of URLs.',
  ),
  remove: optional(json, 'The form of an element that is removed; `{key}` when left out.'),
  drop: optional(
    dropped,
    'Places inside of the elements, as the answer has them, that are not sent back: `rows.*.id`. `*` is any element.',
    ['rows.*.id'],
  ),
})

const elementWrite = z.strictObject({
  each: described(
    z.strictObject({
      create: described(name, 'For an element that is added.'),
      update: optional(name, 'For an element that is changed. Without it, the element is removed and created again.'),
      remove: described(name, 'For an element that is removed.'),
      move: optional(
        name,
        'For an element of an `ordered` list that moves from `{position}` to `{to}`. Without it, the element is removed and created again.',
      ),
    }),
    'Operations for one element each, instead of `op` and `body`. When left out, `body` of the operation is `{el}`, and a removal has no body.',
  ),
  instead: optional(
    z.strictObject({
      op: described(name, 'The operation.', 'cancel'),
      when: described(z.record(name, several(json)), 'Values of members of the element, as they were read.', {
        pending: [true],
      }),
    }),
    'With `each`: the operation that removes an element with these values, instead of `each.remove`.',
  ),
  drop: optional(
    dropped,
    'Places inside of an element, as the answer has them, that `each.update` does not send back: `rows.*.id`. `*` is any element.',
    ['rows.*.id'],
  ),
  keeps: optional(
    z.boolean(),
    'The server keeps members of an element that the body of `each.update` does not have, also in a PUT: it is judged like a PATCH. Objects inside of the element are sent with all that was read of them.',
    true,
  ),
})

const collection = objectChapter(
  'collection',
  'Collection',
  'Elements with a key that are written separately: rrsets of a zone, rules of a group.',
  {
    field: described(name, "The attribute's name.", 'rrsets'),
    path: travels.path,
    send: travels.send,
    description: attributeFacts.description,
    key: attributeFacts.key,
    ordered: optional(
      z.boolean(),
      'The order of the elements matters. Either the whole list is written, and the elements need no `key`; or each element by its own operations, with `positions`.',
    ),
    positions: optional(
      z.union([
        z.strictObject({
          first: described(
            z.union([z.literal(0), z.literal(1)]),
            'For an `ordered` list: the number of its first element. `{position}` is the position of the element when its request is sent. `{to}` is its new position, in the list without the element.',
          ),
        }),
        z.strictObject({
          member: described(name, 'The `computed` member of an element that has its position.', 'index'),
        }),
      ]),
      'Elements are addressed by their position, which changes with every write. They are removed from last to first. Before each request the list is read again, and must be as the earlier requests left it.',
      { first: 0 },
    ),
    manage: attributeFacts.manage,
    ignore: attributeFacts.ignore,
    immutable: attributeFacts.immutable,
    access: attributeFacts.access,
    default: optional(
      z.array(json),
      'The value if an answer does not have the list; without it, such an answer is *bad_body*. `[]` means empty.',
      [],
    ),
    leftOut: optional(z.boolean(), '`true`: an answer without the list means that it is empty, as `default: []` does.'),
    within: optional(
      name,
      'Another collection of the type, with the same key, that has all elements of this one: who leaves that one in the same change needs no request here.',
      'members',
    ),
    namesObjects: optional(
      z.literal(true),
      'An element names an object that exists without the list, such as a person: what an answer shows of it besides belongs to that object, and no write of the list loses it.',
    ),
    element: described(attributeMap, 'The attributes of an element.'),
    plain: optional(
      z.literal(true),
      'The elements are texts or numbers and no objects: names of members, scopes of a token. `element` has one attribute, which is the value and the key; a resource declares `[alice, bob]`, and requests use `{el.user}`.',
    ),
    write: optional(z.union([listWrite, elementWrite]), 'How changes of elements are written.'),
  },
)
export type Collection = z.infer<typeof collection>
export type EachElement = z.infer<typeof elementWrite>['each']

export const part = objectChapter('part', 'Part', 'Attributes that are read and written together.', {
  name: described(name, 'For people.', 'main'),
  read: described(
    partRead,
    'The operation that reads the part. Parts with the same read share one request.',
    'retrieve',
  ),
  onCreate: described(
    z.enum(['inline', 'after']).default('inline'),
    '`inline`: the body of the create contains the part. `after`: a separate command writes it after the create.',
  ),
  ifDeclared: optional(
    z.literal(true),
    'It is read only if a resource declares one of its attributes, which spares a request. Of a resource that declares nothing but its keys, as in an import, everything is read.',
  ),
  ifDiffers: optional(
    several(name),
    'It is read only if one of these attributes, which are of parts before it, is not as declared: what it shows is needed for their change alone.',
    ['default_branch'],
  ),
  appliesWhen: optional(
    z.record(name, several(json)),
    'It is read and written only if these attributes have one of these values: for each of its attributes it is their `appliesWhen`. For the read, these attributes are of parts before it.',
    { visibility: ['public'] },
  ),
  write: optional(partWrite, 'How the part is changed. Without it every attribute must be immutable or computed.'),
  attributes: optional(attributeMap, 'Its attributes, by name.', {
    name: { required: true, immutable: true },
  }),
  collection: optional(collection, 'Instead of attributes: elements that are written separately.'),
})
export type ResourcePart = z.infer<typeof part>

export type PartWrite = NonNullable<ResourcePart['write']>

/** Places of the answer that a write does not send back, as pointers. */
export const dropsOf = (write: { readonly drop?: readonly string[] | undefined } | undefined): readonly string[] =>
  (write?.drop ?? []).map((each) => pointerOf(each))

/** Whether a part is written as the object that was read, or as what differs in it. */
export const isPatch = ({ write }: Pick<ResourcePart, 'write'>): boolean =>
  ['object', 'jsonPatch', 'mergePatch'].includes(write?.send ?? '')

/** A PUT resets what its body leaves out, unless the document says otherwise: what does not differ is sent, too. */
export const sendOf = ({ send, keeps }: PartWrite, method: string | undefined): PartWrite['send'] =>
  send === 'changed' && method === 'PUT' && keeps !== true ? 'full' : send
