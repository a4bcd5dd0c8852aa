import * as z from 'zod'
import { described, json, name, optional, typeName } from './described.ts'
import type { Json } from './json.ts'

/** Canonical forms of values, by name: core/values/normalise/normalisers.ts has the function of each. */
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
] as const
export type NormaliserName = (typeof normaliserNames)[number]

const normaliser = z.enum(normaliserNames).meta({
  id: 'normaliser',
  description:
    'A function for values. `ip`: v4 and v6, a mask becomes a prefix; `network`: host bits are zero, one address is `/32` or `/128`; `timestamp`: RFC 3339 in UTC; `duration`: `PT1H30M`, `1h30m` or seconds, as seconds; `json`: text that holds JSON; `htmlText`: what a reader sees.',
})
const normaliserList = z.array(normaliser).min(1)

const attributeCase = z.strictObject({
  when: described(
    z.record(z.string(), z.array(json).min(1)),
    'Members of the objects around the value, with the values that they have then; of several objects with such a member the nearest counts.',
    { type: ['AAAA'] },
  ),
  normalise: described(normaliserList, 'Further normalisers.', ['ipv6']),
})

const reference = z.strictObject({
  type: described(typeName, 'A type of this document.'),
  attribute: optional(name, 'Its attribute or server id; when left out, whatever identifies it.'),
})

const flag = (description: string) => optional(z.boolean(), description)

/**
 * What a provider states about one attribute. Shared code asks these facts and never the resource type. This is their only
 * declaration: the core's `Attribute`, the shape of provider documents and docs/provider-reference.md are made of it.
 */
export const attributeFacts = {
  type: described(
    z.enum(['string', 'number', 'boolean', 'any', 'object', 'map', 'list', 'set']).default('string'),
    '`object` has `attributes`, and only those are managed; `map`, `list` (ordered) and `set` (unordered, equal elements count) have an `element`; `any` is compared as it is.',
  ),
  description: optional(z.string(), 'For people.'),
  key: optional(
    z.array(name).min(1),
    'Of a set of objects: members that tell elements apart. Without it, the whole element does.',
    ['name'],
  ),
  manage: optional(
    z.enum(['exclusive', 'declared']),
    'Of a map or a keyed set: elements that are not declared are removed (`exclusive`, the default), or left alone.',
  ),
  ignore: described(
    z.array(z.record(z.string(), json)),
    "Elements that are never ours. In a text `{attribute}` is the resource's own value, `{with.name}` what the workspace gives.",
    [{ type: 'SOA', name: '{name}' }],
  ).exactOptional(),
  ignoreKeys: optional(
    z.array(z.string().min(1)).min(1),
    "Keys of a map that are the server's; `*` is any text. They are left alone, so the part sends `object` or a patch.",
    ['kubernetes.io/*'],
  ),
  partial: flag(
    'Of an `any`: at any depth only the declared members of an object count. The others are kept as digests, unless a reference names them.',
  ),
  required: flag('A resource must give it.'),
  computed: flag('Made by the server: never compared, never sent.'),
  immutable: flag('It cannot change after the create: a difference goes to `lifecycle.onImmutable`.'),
  sensitive: flag('Only its keyed digest is shown or stored. The configuration must give it as a secret.'),
  writeOnly: flag('It cannot be read back: compared with the digest of what was last sent.'),
  witness: optional(
    name,
    'Of a write-only attribute: a readable attribute whose change shows that this one was changed.',
  ),
  leftOut: flag(
    'Answers leave it out when it has no value. Without this, and without a `default`, an answer is invalid (*bad_body*) if it lacks an attribute that is `required`, an identity key, or one that the last check saw.',
  ),
  default: optional(json, 'The meaning of an answer without a value; of a list, set or map also of null.'),
  whenUndeclared: optional(
    z.enum(['unmanaged', 'default']),
    'The meaning of a resource that does not give it: it is not compared (`unmanaged`, the default), or its `default` is desired.',
  ),
  nullMeans: optional(
    z.enum(['clear', 'empty', 'reject']),
    'The meaning of a desired null: no value (`clear`, the default), the empty value of its type, or an error.',
  ),
  normalise: optional(normaliserList, 'Canonical form of both sides, also of what is sent; in this order.', [
    'lower',
    'trailingDot',
  ]),
  compareAs: optional(
    normaliserList,
    'On top, for comparing only: two values that agree under these are the same, and the observed one stays.',
    ['lower'],
  ),
  cases: optional(z.array(attributeCase), 'More normalisers where an enclosing object says so.'),
  refersTo: optional(
    reference,
    'The value is an attribute or a server id of an object of another type. Nothing is looked up: `plumbline import` uses it to find which object is inside which, and writes `${resource...}`.',
  ),
}

/** Plain data, as a shape gives it, that is not changed any more. */
export type Immutable<T> = Json extends T
  ? T
  : T extends readonly (infer Element)[]
    ? readonly Immutable<Element>[]
    : T extends object
      ? { readonly [Member in keyof T]: Immutable<T[Member]> }
      : T

/** The facts that have no part in the nesting of attributes. */
export type AttributeFacts = Immutable<z.infer<z.ZodObject<typeof attributeFacts>>>
export type AttributeType = AttributeFacts['type']
export type ObjectReference = NonNullable<AttributeFacts['refersTo']>

export interface Attribute extends AttributeFacts {
  /** Members of an `object`. */
  readonly attributes?: Readonly<Record<string, Attribute>>
  /** Elements of a `map`, `list` or `set`. */
  readonly element?: Attribute
  /** Of a `list`: its places are fixed and each has facts of its own; there is no `element` then. */
  readonly elements?: readonly Attribute[]
  /** Tells this object from others of its type. */
  readonly identity?: boolean
  /** Of an `identity`: the server fills it in unless it is declared, so that only its ids lead to the object then. */
  readonly generated?: boolean
}

export interface ObjectSchema {
  readonly attributes: Readonly<Record<string, Attribute>>
}
