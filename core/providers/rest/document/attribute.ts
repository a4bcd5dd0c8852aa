import * as z from 'zod'
import { type AttributeFacts, attributeFacts, type Immutable } from '../../../engine/schema/attribute.ts'
import { described, json, name, objectChapter, optional } from '../../../engine/schema/described.ts'
import { ref } from './refs.ts'
import { permissions, place, several, where } from './shared/words.ts'

const attributeEntry: z.ZodType<AttributeEntry> = z.lazy(() => attributeShape)
export const attributeMap = z.record(name, attributeEntry)

/** The representation of a value: its place in an answer and in a body, and its form. */
export const travels = {
  ref: optional(ref, 'The value refers to another object, which is found before anything is compared.'),
  values: optional(
    several(json),
    'The only values that the server accepts. They are compared after the normalisers, before anything is sent.',
    ['Native', 'Master'],
  ),
  in: optional(
    z.literal('path'),
    'The object is addressed by it: requests name it in their path, query or body (`{name}`), it is not in `{fields}`, and answers need not show it; immutable.',
  ),
  path: optional(place, 'Its place in the answer, if that is not its name.', 'spec.size'),
  send: optional(place, 'Its place in the body, if that is not its name.'),
  select: optional(
    z.strictObject({
      in: described(place, 'Where the answer has the list.', 'protection_rules'),
      where: described(where, 'Values that the element must have, by their places.', { type: 'wait_timer' }),
      else: optional(
        place,
        'The place of the value in an answer that does not have the list at all, such as an item of a list beside this one.',
        'permissions',
      ),
    }),
    'The attribute is in one element of a list in the answer, and `path` is the place in this element. If no element matches, it is as if the answer left the attribute out.',
  ),
  readAs: optional(
    z.record(z.string(), json),
    'Values of answers that are written in another way: `{ read: pull }` for an API that takes `pull` and shows `read`. Elements of a set that become equal are one element.',
    { read: 'pull', write: 'push' },
  ),
  sendOnly: optional(
    place.min(1),
    'For an object: only what is at this place of its body is sent, instead of the object: `id` makes a list of ids from the elements of a list.',
    'id',
  ),
  as: optional(
    z.enum(['comma', 'text', 'json']),
    'The form in which it is written, if it differs from the form in which it is read: `comma` joins a list (`a,b`), `text` writes a scalar as text, `json` writes any value as JSON text.',
  ),
  scale: optional(
    z.number().positive(),
    'The number of the API is the number of the attribute times this factor: 1024 if the API counts MiB and people write GiB.',
    1024,
  ),
  names: optional(
    z.record(z.string(), json),
    'What people write for a value of the API, which may be a number: `{ admin: 5 }`. A value without a name is written as it is. For a `ref`, a name is not searched.',
    { maintain: 2, write: 4, admin: 5 },
  ),
  encoding: optional(
    z.literal('base64'),
    'The API has the text of the attribute in Base64: in answers, bodies, paths and queries. Bytes that are no UTF-8 text are written `bytes/base64:/wD+gA==`.',
  ),
  pairs: optional(
    z.strictObject({
      key: described(name, 'The member that has the key.', 'property_name'),
      value: described(name, 'The member that has the value.', 'value'),
    }),
    'For a map: a body has it as a list of objects with these two members, and an answer may. With `send: changed` the list has the members that differ, each with what was read of it, and a removed one has the value null.',
    { key: 'property_name', value: 'value' },
  ),
  clearAs: optional(
    z.union([z.null(), z.literal('omit')]),
    'How a write clears the value, if not in the way of `send` of the part: null, which a create sends, too, or left out of a `full` body (`omit`).',
  ),
  shownWith: optional(
    permissions,
    'Answers have it only for callers with these permissions. If an answer has none of the attributes with the same permissions, they are unchecked, and the permission is named.',
    { administration: 'write' },
  ),
  missing: optional(several(json), 'Values in an answer that mean that there is no value.', ['undefined']),
  omit: optional(
    several(z.string()),
    'For a map: keys that another attribute manages. They are removed from the observed value, and refused in the desired value.',
  ),
  sendOn: optional(
    z.enum(['create', 'update']),
    'The attribute is sent only in bodies of this kind; in both when left out.',
  ),
  unlessSent: optional(several(name), 'The attribute is not sent if one of these attributes is sent.'),
}

/** The core's facts of an attribute, and the representation of its value. */
export interface AttributeEntry extends AttributeFacts, Immutable<z.infer<z.ZodObject<typeof travels>>> {
  readonly attributes?: Readonly<Record<string, AttributeEntry>>
  readonly element?: AttributeEntry
}

const { type, description, ...facts } = attributeFacts

/** Only once, because a description makes a new shape of a lazy one. */
const attributeShape = objectChapter(
  'attribute',
  'Attribute',
  'The type of a value, facts about it, and where it is in an answer and in a body. `{}` is a text under its own name.',
  {
    type,
    description,
    attributes: optional(attributeMap, 'Members of an `object`.'),
    element: optional(attributeEntry, 'Elements of a `map`, `list` or `set`.'),
    ...facts,
    ...travels,
  },
)
