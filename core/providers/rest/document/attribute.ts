import * as z from 'zod'
import type { Attribute, AttributeType } from '../../../schema/attribute.ts'
import { normaliserNames } from '../../../schema/attribute.ts'
import type { Json } from '../../../schema/json.ts'
import { type RefEntry, ref } from './refs.ts'
import { chapter, described, json, name, place, typeName } from './words.ts'

const types = ['string', 'number', 'boolean', 'any', 'object', 'map', 'list', 'set'] as const satisfies AttributeType[]
const writeForms = ['comma', 'text', 'json'] as const
type WriteForm = (typeof writeForms)[number]

/** The facts of core/schema/attribute.ts, and how the value travels: where it is in an answer and in a body. */
export interface AttributeEntry extends Omit<Attribute, 'attributes' | 'element' | 'identity'> {
  readonly attributes?: Readonly<Record<string, AttributeEntry>>
  readonly element?: AttributeEntry
  readonly ref?: RefEntry
  readonly values?: readonly Json[]
  readonly in?: 'path'
  readonly path?: string
  readonly send?: string
  readonly as?: WriteForm
  readonly missing?: readonly Json[]
  readonly omit?: readonly string[]
  readonly sendOn?: 'create' | 'update'
  readonly unlessSent?: readonly string[]
  readonly scale?: number
  readonly encoding?: 'base64'
  readonly clearAs?: null | 'omit'
}

const normaliser = z.enum(normaliserNames).meta({
  id: 'normaliser',
  description:
    'A function for values. `ip`: v4 and v6, a mask becomes a prefix; `network`: host bits are zero, one address is `/32` or `/128`; `timestamp`: RFC 3339 in UTC; `duration`: `PT1H30M`, `1h30m` or seconds, as seconds; `json`: text that holds JSON; `htmlText`: what a reader sees.',
})
const normaliserList = z.array(normaliser).min(1)

const attributeCase = z.strictObject({
  when: described(
    z.record(z.string(), z.array(json).min(1)),
    'Members of the objects around the value, with the values that they have then.',
    { type: ['AAAA'] },
  ),
  normalise: described(normaliserList, 'Further normalisers.', ['ipv6']),
})

const reference = z.strictObject({
  type: described(typeName, 'A type of this document.'),
  attribute: described(name, 'Its attribute or server id; when left out, whatever identifies it.').exactOptional(),
})

const attributeEntry: z.ZodType<AttributeEntry> = z.lazy(() => attributeShape)
export const attributeMap = z.record(name, attributeEntry)

const structure = {
  type: described(
    z.enum(types).default('string'),
    '`object` has `attributes`; `map`, `list` and `set` have an `element`; `any` is compared as it is.',
  ),
  description: described(z.string(), 'For people.').exactOptional(),
  attributes: described(attributeMap, 'Members of an `object`.').exactOptional(),
  element: described(attributeEntry, 'Elements of a `map`, `list` or `set`.').exactOptional(),
  key: described(
    z.array(name).min(1),
    'Of a set of objects: members that tell elements apart. Without it, the whole element does.',
    ['name'],
  ).exactOptional(),
  manage: described(
    z.enum(['exclusive', 'declared']),
    'Of a map or a keyed set: elements that are not declared are removed (`exclusive`, the default), or left alone.',
  ).exactOptional(),
  ignore: described(
    z.array(z.record(z.string(), json)),
    "Elements that are never ours. In a text `{attribute}` is the resource's own value, `{with.name}` what the workspace gives.",
    [{ type: 'SOA', name: '{name}' }],
  ).exactOptional(),
  ignoreKeys: described(
    z.array(z.string().min(1)).min(1),
    "Keys of a map that are the server's; `*` is any text. They are left alone, so the part sends `object` or a patch.",
    ['kubernetes.io/*'],
  ).exactOptional(),
  partial: described(
    z.boolean(),
    'Of an `any`: at any depth only the declared members of an object count. The others are kept as digests, unless a reference names them.',
  ).exactOptional(),
}

const facts = {
  required: described(z.boolean(), 'A resource must give it.').exactOptional(),
  computed: described(z.boolean(), 'Made by the server: never compared, never sent.').exactOptional(),
  immutable: described(z.boolean(), 'A difference goes to `lifecycle.onImmutable`.').exactOptional(),
  sensitive: described(z.boolean(), 'Only its keyed digest is shown or stored.').exactOptional(),
  writeOnly: described(
    z.boolean(),
    'Cannot be read back: compared with the digest of what was last sent.',
  ).exactOptional(),
  witness: described(
    name,
    'Of a write-only attribute: a readable attribute whose change shows that this one was changed.',
  ).exactOptional(),
  leftOut: described(
    z.boolean(),
    'Answers leave it out where it has no value. Without this, and without a `default`, an answer that lacks what is `required`, an identity key or what the last check saw is no answer: *bad_body*.',
  ).exactOptional(),
  default: described(
    json,
    'What it means that an answer has no value; of a list, set or map also that it has null.',
  ).exactOptional(),
  whenUndeclared: described(
    z.enum(['unmanaged', 'default']),
    'What it means that a resource does not give it: it is not compared (`unmanaged`, the default), or shall have its `default`.',
  ).exactOptional(),
  nullMeans: described(
    z.enum(['clear', 'empty', 'reject']),
    'What a desired null means: no value (`clear`, the default), the empty value of its type, an error.',
  ).exactOptional(),
  normalise: described(normaliserList, 'Canonical form of both sides, also of what is sent; in this order.', [
    'lower',
    'trailingDot',
  ]).exactOptional(),
  compareAs: described(normaliserList, 'The same, for comparing only.', ['lower']).exactOptional(),
  cases: described(z.array(attributeCase), 'More normalisers where an enclosing object says so.').exactOptional(),
  refersTo: described(
    reference,
    'The value is an attribute or a server id of an object of another type. Nothing is looked up: `plumbline import` finds with it what is inside of what, and writes `${resource...}`.',
  ).exactOptional(),
}

const travels = {
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
    z.enum(writeForms),
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
    'How it is sent that it shall have no value, where `send` of the part would do it otherwise: as null, or left out of a `full` body.',
  ).exactOptional(),
  missing: described(z.array(json).min(1), 'Values of an answer that say that there is none.', [
    'undefined',
  ]).exactOptional(),
  omit: described(
    z.array(z.string()).min(1),
    'Of a map: keys that another attribute stands for, left out of what is read and refused in what is desired.',
  ).exactOptional(),
  sendOn: described(
    z.enum(['create', 'update']),
    'Only in bodies of this kind; in both when left out.',
  ).exactOptional(),
  unlessSent: described(z.array(name).min(1), 'Not sent along where one of these attributes is.').exactOptional(),
}

/** Once only: a lazy shape that gets a description is another one. */
const attributeShape = chapter(
  'attribute',
  'Attribute',
  'What is known of a value, and how it travels: where it is in an answer and in a body. `{}` is a text under its own name.',
  z.strictObject({ ...structure, ...facts, ...travels }),
)
