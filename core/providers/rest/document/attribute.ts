import * as z from 'zod'
import { type AttributeFacts, attributeFacts, type Immutable } from '../../../schema/attribute.ts'
import { json, name, objectChapter, optional } from '../../../schema/described.ts'
import { ref } from './refs.ts'
import { place, several } from './words.ts'

const attributeEntry: z.ZodType<AttributeEntry> = z.lazy(() => attributeShape)
export const attributeMap = z.record(name, attributeEntry)

/** How a value travels: where it is in an answer and in a body, and in which form. */
export const travels = {
  ref: optional(ref, 'It names another object, which is found before anything is compared.'),
  values: optional(
    several(json),
    'The only values that the server takes, compared under the normalisers before anything is sent.',
    ['Native', 'Master'],
  ),
  in: optional(z.literal('path'), 'Part of the URL, never of the body; immutable.'),
  path: optional(place, 'Its place in the answer, where that is not its name.', 'spec.size'),
  send: optional(place, 'Its place in the body, where that is not its name.'),
  as: optional(
    z.enum(['comma', 'text', 'json']),
    'Its write form, where it is not the read form: `comma` joins a list (`a,b`), `text` spells a scalar, `json` spells any value.',
  ),
  scale: optional(
    z.number().positive(),
    "The API's number is the attribute's times this: 1024 where it counts MiB and people write GiB.",
    1024,
  ),
  encoding: optional(
    z.literal('base64'),
    "The API's text is the attribute's in Base64: in answers, bodies, paths and queries.",
  ),
  clearAs: optional(
    z.union([z.null(), z.literal('omit')]),
    'How a write says that it has no value, where `send` of the part would say it otherwise: as null, or left out of a `full` body.',
  ),
  missing: optional(several(json), 'Values of an answer that say that there is none.', ['undefined']),
  omit: optional(
    several(z.string()),
    'Of a map: keys that another attribute is for, left out of what is read and refused in what is desired.',
  ),
  sendOn: optional(z.enum(['create', 'update']), 'Only in bodies of this kind; in both when left out.'),
  unlessSent: optional(several(name), 'Not sent along where one of these attributes is.'),
}

/** The core's facts of an attribute, and how its value travels. */
export interface AttributeEntry extends AttributeFacts, Immutable<z.infer<z.ZodObject<typeof travels>>> {
  readonly attributes?: Readonly<Record<string, AttributeEntry>>
  readonly element?: AttributeEntry
}

const { type, description, ...facts } = attributeFacts

/** Once only: a lazy shape that gets a description is another one. */
const attributeShape = objectChapter(
  'attribute',
  'Attribute',
  'What is known of a value, and how it travels: where it is in an answer and in a body. `{}` is a text under its own name.',
  {
    type,
    description,
    attributes: optional(attributeMap, 'Members of an `object`.'),
    element: optional(attributeEntry, 'Elements of a `map`, `list` or `set`.'),
    ...facts,
    ...travels,
  },
)
