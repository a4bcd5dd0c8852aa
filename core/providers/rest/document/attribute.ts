import * as z from 'zod'
import { type AttributeFacts, attributeFacts, type Immutable } from '../../../schema/attribute.ts'
import { chapter, described, json, name } from '../../../schema/described.ts'
import { ref } from './refs.ts'
import { place } from './words.ts'

const attributeEntry: z.ZodType<AttributeEntry> = z.lazy(() => attributeShape)
export const attributeMap = z.record(name, attributeEntry)

/** How a value travels: where it is in an answer and in a body, and in which form. */
export const travels = {
  ref: described(ref, 'It names another object, which is found before anything is compared.').exactOptional(),
  values: described(
    z.array(json).min(1),
    'The only values that the server takes, compared under the normalisers before anything is sent.',
    ['Native', 'Master'],
  ).exactOptional(),
  in: described(z.literal('path'), 'Part of the URL, never of the body; immutable.').exactOptional(),
  path: described(place, 'Its place in the answer, where that is not its name.', 'spec.size').exactOptional(),
  send: described(place, 'Its place in the body, where that is not its name.').exactOptional(),
  as: described(
    z.enum(['comma', 'text', 'json']),
    'Its write form, where it is not the read form: `comma` joins a list (`a,b`), `text` spells a scalar, `json` spells any value.',
  ).exactOptional(),
  scale: described(
    z.number().positive(),
    "The API's number is the attribute's times this: 1024 where it counts MiB and people write GiB.",
    1024,
  ).exactOptional(),
  encoding: described(
    z.literal('base64'),
    "The API's text is the attribute's in Base64: in answers, bodies, paths and queries.",
  ).exactOptional(),
  clearAs: described(
    z.union([z.null(), z.literal('omit')]),
    'How a write says that it has no value, where `send` of the part would say it otherwise: as null, or left out of a `full` body.',
  ).exactOptional(),
  missing: described(z.array(json).min(1), 'Values of an answer that say that there is none.', [
    'undefined',
  ]).exactOptional(),
  omit: described(
    z.array(z.string()).min(1),
    'Of a map: keys that another attribute is for, left out of what is read and refused in what is desired.',
  ).exactOptional(),
  sendOn: described(
    z.enum(['create', 'update']),
    'Only in bodies of this kind; in both when left out.',
  ).exactOptional(),
  unlessSent: described(z.array(name).min(1), 'Not sent along where one of these attributes is.').exactOptional(),
}

/** The core's facts of an attribute, and how its value travels. */
export interface AttributeEntry extends AttributeFacts, Immutable<z.infer<z.ZodObject<typeof travels>>> {
  readonly attributes?: Readonly<Record<string, AttributeEntry>>
  readonly element?: AttributeEntry
}

const { type, description, ...facts } = attributeFacts

/** Once only: a lazy shape that gets a description is another one. */
const attributeShape = chapter(
  'attribute',
  'Attribute',
  'What is known of a value, and how it travels: where it is in an answer and in a body. `{}` is a text under its own name.',
  z.strictObject({
    type,
    description,
    attributes: described(attributeMap, 'Members of an `object`.').exactOptional(),
    element: described(attributeEntry, 'Elements of a `map`, `list` or `set`.').exactOptional(),
    ...facts,
    ...travels,
  }),
)
