import type { Json } from './json.ts'

export type AttributeType = 'string' | 'number' | 'boolean' | 'any' | 'object' | 'map' | 'list' | 'set'

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

/**
 * What a provider states about one attribute. Shared code asks these facts and never the resource type.
 *
 * `object` has fixed members (only declared ones are managed), `map` has free keys, `list` is ordered, `set` is not
 * (multiplicity counts). `any` is compared as it is.
 */
export interface Attribute {
  readonly type: AttributeType
  readonly description?: string
  /** Members of an `object`. */
  readonly attributes?: Readonly<Record<string, Attribute>>
  /** Elements of a `map`, `list` or `set`. */
  readonly element?: Attribute
  /** Of a `list`: its places are fixed and each has facts of its own; there is no `element` then. */
  readonly elements?: readonly Attribute[]
  /** For a set of objects: the members that tell one element from another. Without it, the whole element does. */
  readonly key?: readonly string[]
  /** For a `map` and a keyed `set`. `exclusive` (default): what is not declared is removed. `declared`: it is left alone. */
  readonly manage?: 'exclusive' | 'declared'
  /** Elements of an exclusive collection that are never ours. `{attribute}` in a text is the resource's own top-level value. */
  readonly ignore?: readonly Readonly<Record<string, Json>>[]

  /** Keys of a map that are never ours: `kubernetes.io/*`. A `*` is any text. */
  readonly ignoreKeys?: readonly string[]
  /** Of an `any`: at any depth only the declared members of an object count. */
  readonly partial?: boolean

  /** Its value is what an object of that type is known by: an attribute of it, or an id that the server made. Nothing is resolved. */
  readonly refersTo?: ObjectReference

  /** Tells this object from others of its type. */
  readonly identity?: boolean
  /** Of an `identity`: the server fills it in unless it is declared, so that only its ids lead to the object then. */
  readonly generated?: boolean
  readonly required?: boolean
  /** Set by the server: never compared, never sent. */
  readonly computed?: boolean
  /** Cannot be changed after creation. */
  readonly immutable?: boolean
  /** Never shown or stored; only its keyed digest is. The configuration must give it as a secret. */
  readonly sensitive?: boolean
  /** Sent, never readable: compared with the digest of what was last sent. */
  readonly writeOnly?: boolean
  /** For a write-only attribute: the readable top-level attribute whose change shows that this one was changed outside. */
  readonly witness?: string
  /** An answer leaves it out where it has no value; without it, and without `default`, what is missing is not known. */
  readonly leftOut?: boolean
  /** What the server means when the attribute is missing from its answer. */
  readonly default?: Json
  /** `unmanaged` (default): not declared, not compared. `default`: not declared means the default is desired. */
  readonly whenUndeclared?: 'unmanaged' | 'default'
  /** What a desired null means. `clear` (default): the attribute shall be null or missing. `empty`: the empty value of its type. */
  readonly nullMeans?: 'clear' | 'empty' | 'reject'
  /** Canonical form, applied in this order to both sides; it is also the form that is sent. */
  readonly normalise?: readonly NormaliserName[]
  /** Applied on top for comparing only: two values that agree under these are the same, and the observed one stays. */
  readonly compareAs?: readonly NormaliserName[]
  /** More normalisers, on top, where the objects around the value say so: the content of a record by the record's type. */
  readonly cases?: readonly AttributeCase[]
}

/** Without `attribute` it is any that identifies the object. */
export interface ObjectReference {
  readonly type: string
  readonly attribute?: string
}

/** `when` names members of the objects around a value; of several objects with that member the nearest counts. */
interface AttributeCase {
  readonly when: Readonly<Record<string, readonly Json[]>>
  readonly normalise: readonly NormaliserName[]
}

export interface ObjectSchema {
  readonly attributes: Readonly<Record<string, Attribute>>
}
