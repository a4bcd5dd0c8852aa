import * as z from 'zod'
import type { Attribute, AttributeType } from '../../schema/attribute.ts'
import { grades } from '../../schema/command.ts'
import type { Json } from '../../schema/json.ts'
import { normaliserNames } from '../../schema/normalisers.ts'
import { absences, errors, unknowns } from './document-answers.ts'
import { pagination } from './document-pages.ts'
import { provider } from './document-provider.ts'
import { type RefEntry, ref, resolverOf } from './document-refs.ts'
import { states, wait } from './document-wait.ts'
import { count, json, name, place, scalar, status, template } from './document-words.ts'

/*
 * The shape of a provider document: an HTTP API as data. docs/rest-provider.md explains every key. Unknown keys are
 * errors; what one key demands of another is in check-document.ts.
 */

/** As the configuration writes types. */
const typeName = z
  .string()
  .regex(/^[a-z][a-z0-9]*(_[a-z0-9]+)+$/, 'lower case letters and digits, with a _ after the prefix')

const types = ['string', 'number', 'boolean', 'any', 'object', 'map', 'list', 'set'] as const satisfies AttributeType[]
const writeForms = ['comma', 'text', 'json'] as const
type WriteForm = (typeof writeForms)[number]

/** The facts of core/schema/attribute.ts, and how the value travels: where it is in an answer and in a body. */
export interface AttributeEntry extends Omit<Attribute, 'attributes' | 'element' | 'identity'> {
  readonly attributes?: Readonly<Record<string, AttributeEntry>>
  readonly element?: AttributeEntry
  /** The value names another object, and is resolved to what the API wants before anything is compared. */
  readonly ref?: RefEntry
  /** The only values that the server takes, compared under the normalisers. */
  readonly values?: readonly Json[]
  /** Part of the URL and not of the body. */
  readonly in?: 'path'
  /** Place in the answer, where it is not the attribute's name. */
  readonly path?: string
  /** Place in the body, where it is not the attribute's name. */
  readonly send?: string
  /** The write form, where it is not the read form: `comma` joins a list, `text` spells a scalar, `json` spells any value. */
  readonly as?: WriteForm
  /** Values of an answer that say that there is none. */
  readonly missing?: readonly Json[]
  /** Of a map: keys that are another attribute's, left out of what is read and refused in what is desired. */
  readonly omit?: readonly string[]
  /** Only in bodies of this kind; in both when absent. */
  readonly sendOn?: 'create' | 'update'
  /** Not sent along where one of these attributes is. */
  readonly unlessSent?: readonly string[]
  /** What the API counts is the attribute's value times this: 1024 where it wants MiB and people write GiB. */
  readonly scale?: number
  /** How an attribute that shall have no value is sent: as null, or left out of a body that replaces the object. */
  readonly clearAs?: null | 'omit'
}

const normaliserList = z.array(z.enum(normaliserNames)).min(1)

const attributeEntry: z.ZodType<AttributeEntry> = z.lazy(() =>
  z.strictObject({
    type: z.enum(types).default('string'),
    description: z.string().exactOptional(),
    attributes: attributeMap.exactOptional(),
    element: attributeEntry.exactOptional(),
    key: z.array(name).min(1).exactOptional(),
    manage: z.enum(['exclusive', 'declared']).exactOptional(),
    ignore: z.array(z.record(z.string(), json)).exactOptional(),
    required: z.boolean().exactOptional(),
    computed: z.boolean().exactOptional(),
    immutable: z.boolean().exactOptional(),
    sensitive: z.boolean().exactOptional(),
    writeOnly: z.boolean().exactOptional(),
    witness: name.exactOptional(),
    default: json.exactOptional(),
    whenUndeclared: z.enum(['unmanaged', 'default']).exactOptional(),
    nullMeans: z.enum(['clear', 'empty', 'reject']).exactOptional(),
    normalise: normaliserList.exactOptional(),
    compareAs: normaliserList.exactOptional(),
    cases: z
      .array(
        z.strictObject({
          when: z.record(z.string(), z.array(json).min(1)),
          normalise: normaliserList,
        }),
      )
      .exactOptional(),
    ref: ref.exactOptional(),
    values: z.array(json).min(1).exactOptional(),
    in: z.literal('path').exactOptional(),
    path: place.exactOptional(),
    send: place.exactOptional(),
    as: z.enum(writeForms).exactOptional(),
    missing: z.array(json).min(1).exactOptional(),
    omit: z.array(z.string()).min(1).exactOptional(),
    sendOn: z.enum(['create', 'update']).exactOptional(),
    unlessSent: z.array(name).min(1).exactOptional(),
    scale: z.number().positive().exactOptional(),
    clearAs: z.union([z.null(), z.literal('omit')]).exactOptional(),
    ignoreKeys: z.array(z.string().min(1)).min(1).exactOptional(),
    partial: z.boolean().exactOptional(),
    refersTo: z.strictObject({ type: typeName, attribute: name.exactOptional() }).exactOptional(),
  }),
)
const attributeMap = z.record(name, attributeEntry)

const operation = z.strictObject({
  method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']),
  path: template.startsWith('/', 'a path starts with /'),
  query: z.record(z.string(), scalar).exactOptional(),
  headers: z.record(z.string(), z.string()).exactOptional(),
  /** `{fields}` is what the attributes give. `none`: no body is sent. Absent: the attributes are the body. */
  body: json.exactOptional(),
  /** Of the body, where it is not JSON (or what `send` says): `application/x-www-form-urlencoded`. */
  contentType: z.string().exactOptional(),
  /** Whether the resource's lock goes along; where it says nothing, it does where the path is that of the read. */
  lock: z.boolean().exactOptional(),
  success: z.array(status).min(1).exactOptional(),
  effect: z.enum(['read', 'write']).exactOptional(),
  grade: z.enum(grades).exactOptional(),
  /** Place of the object in the answer, where it is not the whole. */
  answer: place.exactOptional(),
  /** Statuses of this operation, in the place of what its use says: those that mean "not there", those that tell nothing. */
  absent: absences.exactOptional(),
  unknown: unknowns.exactOptional(),
  /** In the place of the provider's. */
  errors: errors.exactOptional(),
  /** For a list that comes in other pages than the provider's lists. */
  pagination: pagination.exactOptional(),
  /** Server ids that the answer of a create holds: name -> place. */
  produces: z.record(name, place).exactOptional(),
  /** What its success is waited for with, in the place of the resource's. */
  wait: z.union([z.literal('none'), wait]).exactOptional(),
})
export type Operation = z.infer<typeof operation>

/** How a list is asked for, and where its items are in the answer. */
const listing = z.strictObject({
  op: name.default('list'),
  query: z.record(z.string(), scalar).exactOptional(),
  items: place.default(''),
  /** The items are the members of an object; an item takes the name of its member under this name. */
  keyed: name.exactOptional(),
  absent: absences.default([]),
})
export type Listing = z.infer<typeof listing>

const lookup = z.union([
  z.strictObject({ retrieve: z.union([z.literal(true), name]) }),
  z.strictObject({
    list: listing,
    match: z.array(name).min(1),
    where: z.record(z.string(), json).exactOptional(),
    onMany: z.literal('error').default('error'),
  }),
])

const partRead = z.union([
  name,
  z.strictObject({
    op: name,
    /** One element of a list in the answer; `holds`: the one whose own list at a place has an element like this. */
    select: z
      .strictObject({
        in: place,
        where: z.record(z.string(), json).default({}),
        holds: z.strictObject({ in: place, where: z.record(z.string(), json) }).exactOptional(),
      })
      .exactOptional(),
    absent: absences.default([]),
  }),
])

const partWrite = z.strictObject({
  op: name,
  /** In the place of `op` where the part is not there yet. */
  create: name.exactOptional(),
  /** In the place of `op` where no attribute of the part shall have a value. */
  remove: name.exactOptional(),
  send: z.enum(['changed', 'full', 'template', 'object', 'jsonPatch', 'mergePatch']).default('changed'),
  body: json.exactOptional(),
  /** With `object`: places of the answer that do not go back. */
  drop: z.array(place.min(1)).exactOptional(),
})

/** A call of its own for a change of these attributes. */
const action = z.strictObject({
  on: z.array(name).min(1),
  /** Only where these attributes shall have one of these values. */
  when: z.record(name, z.array(json).min(1)).exactOptional(),
  op: name,
  body: json.exactOptional(),
  order: z.enum(['before', 'after']).default('before'),
  /** The attributes are written by their parts all the same; the call only goes along: reload, publish, reset. */
  alongside: z.boolean().default(false),
})
export type Action = z.infer<typeof action>

const lock = z.union([
  z.strictObject({
    /** The header of the read that tells the version; `true`: ETag. */
    etag: z.union([z.literal(true), z.string()]),
    /** The header of the write that repeats it. */
    send: z.string().default('If-Match'),
    /** Whether a weak one (`W/"..."`) goes along too. */
    weak: z.boolean().default(false),
    /** A create says that there must be none: If-None-Match. */
    create: z.boolean().default(false),
  }),
  /** Where the object tells its generation, and where a write repeats it: a place of the body, or a name in the query. */
  z.strictObject({ field: place.min(1), send: place.min(1) }),
  z.strictObject({ field: place.min(1), query: z.string() }),
])
export type Lock = z.infer<typeof lock>

const collection = z.strictObject({
  field: name,
  path: place.exactOptional(),
  send: place.exactOptional(),
  description: z.string().exactOptional(),
  /** Members that tell elements apart. */
  key: z.array(name).min(1).exactOptional(),
  /** The order of the elements counts. */
  ordered: z.boolean().exactOptional(),
  manage: z.enum(['exclusive', 'declared']).exactOptional(),
  ignore: z.array(z.record(z.string(), json)).exactOptional(),
  immutable: z.boolean().exactOptional(),
  default: z.array(json).exactOptional(),
  element: attributeMap,
  write: z
    .union([
      z.strictObject({
        op: name,
        batch: count.default(100),
        body: json,
        upsert: json.exactOptional(),
        remove: json.exactOptional(),
      }),
      /** Operations for one element each; without `update` an element that changes goes and comes again. */
      z.strictObject({
        each: z.strictObject({ create: name, update: name.exactOptional(), remove: name }),
      }),
    ])
    .exactOptional(),
})
export type Collection = z.infer<typeof collection>

const part = z.strictObject({
  name,
  read: partRead,
  onCreate: z.enum(['inline', 'after']).default('inline'),
  write: partWrite.exactOptional(),
  attributes: attributeMap.exactOptional(),
  collection: collection.exactOptional(),
})
export type Part = z.infer<typeof part>

const resource = z.strictObject({
  description: z.string().exactOptional(),
  operations: z.record(name, operation),
  identity: z.strictObject({ keys: z.array(name).min(1) }),
  lookup,
  serverId: z.record(name, place).exactOptional(),
  /** How everything of this type within the scope of one declared resource is listed. */
  discover: listing.extend({ ignore: z.array(z.record(z.string(), json)).exactOptional() }).exactOptional(),
  lifecycle: z
    .strictObject({
      preventDelete: z.boolean().exactOptional(),
      onImmutable: z.enum(['report', 'replace', 'error']).exactOptional(),
      replace: z.strictObject({ order: z.enum(['deleteFirst', 'createFirst']) }).exactOptional(),
      states: states.exactOptional(),
      delete: z
        .strictObject({
          /** In the place of the operation `delete`. */
          op: name.default('delete'),
          /** An object with these values at these places is as good as none. */
          gone: z.strictObject({ where: z.record(z.string(), json) }).exactOptional(),
        })
        .exactOptional(),
    })
    .exactOptional(),
  /** Of every write that has no `wait` of its own; of a delete, until the object is gone. */
  wait: wait.exactOptional(),
  lock: lock.exactOptional(),
  actions: z.record(name, action).exactOptional(),
  parts: z.array(part).min(1),
})
export type RestResource = z.infer<typeof resource>

/** The operation that takes an object away. */
export const deleteOf = ({ lifecycle }: RestResource): string => lifecycle?.delete?.op ?? 'delete'

const resolver = resolverOf(operation)
export type ResolverEntry = z.infer<typeof resolver>

export const restDocument = z.strictObject({
  provider,
  resolvers: z.record(name, resolver).exactOptional(),
  resources: z.record(typeName, resource),
})
export type RestDocument = z.infer<typeof restDocument>
