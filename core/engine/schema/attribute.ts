import * as z from 'zod'
import { described, json, name, optional, typeName } from './described.ts'
import type { Json } from './json.ts'

/** The functions are in core/engine/values/normalise/normalisers.ts. */
export const normaliserNames = [
  'trim',
  'lower',
  'upper',
  'trailingDot',
  'number',
  'string',
  'boolean',
  'commaList',
  'ipv6',
  'ip',
  'network',
  'timestamp',
  'duration',
  'json',
  'htmlText',
  'oneSpace',
  'quoted',
  'finalNewline',
  'sshKey',
] as const
export type NormaliserName = (typeof normaliserNames)[number]

const normaliser = z.enum(normaliserNames).meta({
  id: 'normaliser',
  description:
    'A function that brings a value into a canonical form. `ip`: IPv4 and IPv6, a mask becomes a prefix; `network`: host bits are zero, one address is `/32` or `/128`; `timestamp`: RFC 3339 in UTC; `duration`: `PT1H30M`, `1h30m` or seconds, as seconds; `json`: text that contains JSON; `htmlText`: the text that a reader of the HTML sees; `sshKey`: a public key of OpenSSH, its type and its value without the comment.',
})
const normaliserList = z.array(normaliser).min(1)

const attributeCase = z.strictObject({
  when: described(
    z.record(z.string(), z.array(json).min(1)),
    'The condition: members of the enclosing objects, with their values. If several enclosing objects have such a member, the nearest counts.',
    { type: ['AAAA'] },
  ),
  normalise: described(normaliserList, 'The additional normalisers.', ['ipv6']),
})

const reference = z.strictObject({
  type: described(typeName, 'A type of this document.'),
  attribute: optional(
    name,
    'Its attribute or server id; when left out, what identifies it: `name` if that is one of its keys, or its only key.',
  ),
})

/** `grants`: more of the value gives more access. `restricts`: more of it gives less. */
export const accessWay = z.enum(['grants', 'restricts'])

const flag = (description: string) => optional(z.boolean(), description)

/**
 * What a provider states about one attribute. Shared code uses these facts and never the resource type. They are
 * declared only here: the core's `Attribute`, the shape of provider documents and docs/provider-reference.md are made
 * from this declaration.
 */
export const attributeFacts = {
  type: described(
    z.enum(['string', 'number', 'boolean', 'any', 'object', 'map', 'list', 'set']).default('string'),
    '`object` has `attributes`, and only those are managed. `map`, `list` (ordered) and `set` (unordered; equal elements are counted) have an `element`. `any` is compared as it is.',
  ),
  description: optional(z.string(), 'For people.'),
  key: optional(
    z.array(name).min(1),
    'For a set of objects: members that identify an element. Without it, the whole element is its identity. For a list of objects: by what a write finds the element to which it leaves what the resource does not declare.',
    ['name'],
  ),
  manage: optional(
    z.enum(['exclusive', 'declared']),
    'For a map or a set: elements that are not declared are removed (`exclusive`, the default) or left alone (`declared`).',
  ),
  ignore: described(
    z.array(z.record(z.string(), json)),
    'Elements that are never managed; one that is declared all the same is told as ignored. In a text, `*` is any text, `{attribute}` is the value of the resource, and `{with.name}` the value that the workspace gives.',
    [{ type: 'SOA', name: '{name}' }],
  ).exactOptional(),
  ignoreKeys: optional(
    z.array(z.string().min(1)).min(1),
    'Keys of a map that belong to the server; `*` is any text. They are left alone, so `send` of the part must be `object` or a patch.',
    ['kubernetes.io/*'],
  ),
  partial: flag(
    'For an `any`: at any depth only the declared members of an object are compared; a list in it is one value. The others are stored as digests, unless a reference uses them.',
  ),
  required: flag('A resource must declare it.'),
  computed: flag('The server sets it: it is never compared and never sent.'),
  immutable: flag('It cannot change after the create: `lifecycle.onImmutable` decides what happens with a difference.'),
  sensitive: flag(
    'Only its keyed digest is shown or stored; of a list or a set, that of each element, and of a map, how many members it has. The configuration must give it as a secret.',
  ),
  writeOnly: flag('It cannot be read back: it is compared with the digest of the value that was last sent.'),
  createOnly: flag(
    'Only the create uses it. Of an object that exists it is neither compared nor sent, whatever a resource declares.',
  ),
  appliesWhen: optional(
    z.record(z.string(), z.array(json).min(1)),
    'It applies only if these attributes of the object, as they are after the change, have one of these values. Otherwise it is not compared and not sent, and the plan says so. A value that is not known hinders nothing.',
    { visibility: ['public'] },
  ),
  witness: optional(
    name,
    'For a write-only attribute: a readable attribute that changes whenever this one is changed.',
  ),
  leftOut: flag(
    'Answers leave it out if it has no value. Without this, and without a `default`, a declared attribute that an answer lacks is unchecked (*bad_body*), and the others are compared; if it is `required` or an identity key, the whole answer is invalid.',
  ),
  default: optional(json, 'The value if an answer has none; for a list, set or map also if the answer has null.'),
  whenUndeclared: optional(
    z.enum(['unmanaged', 'default']),
    'What it means if a resource does not declare it: it is not compared (`unmanaged`), or its `default` is desired. When left out, `unmanaged`; `default` for a member of an element with `access` and `default` in a document.',
  ),
  nullMeans: optional(
    z.enum(['clear', 'empty', 'reject']),
    'What a desired null means: no value (`clear`, the default), the empty value of its type (`empty`), or an error (`reject`).',
  ),
  normalise: optional(
    normaliserList,
    'Normalisers for both sides, and for the value that is sent; applied in this order.',
    ['lower', 'trailingDot'],
  ),
  compareAs: optional(
    normaliserList,
    'More normalisers, only for comparing: if two values are equal after them, there is no difference, and the observed value stays.',
    ['lower'],
  ),
  cases: optional(z.array(attributeCase), 'More normalisers, depending on members of the enclosing objects.'),
  access: optional(
    z.union([accessWay, z.array(json).min(2)]),
    'How it decides who may do what in the target. `grants`: more of it gives more access (true, a larger number, another element); `restricts`: more of it gives less. A list has all values, from the one that gives the least. Plans, alerts and `policy.allowWidening` use it.',
    ['none', 'read', 'write', 'admin'],
  ),
  refersTo: optional(
    reference,
    'The value is an attribute or a server id of an object of another type. No object is searched. A resource with this value waits for the declared resource that it names; of several with one name, for those in the same parents. `plumbline import` uses it to find which object contains which, and writes `${resource...}`.',
  ),
}

/** Makes a shape's type deeply readonly; plain JSON stays `Json`. */
export type Immutable<T> = Json extends T
  ? T
  : T extends readonly (infer Element)[]
    ? readonly Immutable<Element>[]
    : T extends object
      ? { readonly [Member in keyof T]: Immutable<T[Member]> }
      : T

/** The facts that do not nest attributes. */
export type AttributeFacts = Immutable<z.infer<z.ZodObject<typeof attributeFacts>>>
export type AttributeType = AttributeFacts['type']
export type ObjectReference = NonNullable<AttributeFacts['refersTo']>

export interface Attribute extends AttributeFacts {
  /** Members of an `object`. */
  readonly attributes?: Readonly<Record<string, Attribute>>
  /** Elements of a `map`, `list` or `set`. */
  readonly element?: Attribute
  /** For a `list` with fixed positions, each with its own facts; there is no `element` then. */
  readonly elements?: readonly Attribute[]
  /** The attribute is a key: it distinguishes the object from others of its type. */
  readonly identity?: boolean
  /**
   * For an `identity`: the server sets the attribute if it is not declared; such an object is found only by its ids.
   */
  readonly generated?: boolean
  /** A write sends null for it: null is a value like another, and not only what a missing value is. */
  readonly nullable?: boolean
}

export interface ObjectSchema {
  readonly attributes: Readonly<Record<string, Attribute>>
}
