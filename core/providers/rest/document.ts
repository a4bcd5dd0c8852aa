import * as z from 'zod'
import { listing, operation } from './document-operation.ts'
import { part } from './document-part.ts'
import { provider } from './document-provider.ts'
import { resolver } from './document-refs.ts'
import { states, wait } from './document-wait.ts'
import { json, name, place, typeName } from './document-words.ts'

/*
 * The shape of a provider document: an HTTP API as data. docs/rest-provider.md explains every key. Unknown keys are
 * errors; what one key demands of another is in check-document.ts.
 */

const lookup = z.union([
  z.strictObject({ retrieve: z.union([z.literal(true), name]) }),
  z.strictObject({
    list: listing,
    match: z.array(name).min(1),
    /** Where the items of another collection hold the keys, and the server ids. */
    at: z.record(name, place.min(1)).exactOptional(),
    ids: z.record(name, place.min(1)).exactOptional(),
    /** The operation that reads the object itself, by these ids. */
    follow: name.exactOptional(),
    where: z.record(z.string(), json).exactOptional(),
    onMany: z.literal('error').default('error'),
  }),
])

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

const resource = z.strictObject({
  description: z.string().exactOptional(),
  operations: z.record(name, operation),
  identity: z.strictObject({ keys: z.array(name).min(1) }).default({ keys: [] }),
  lookup,
  serverId: z.record(name, place).exactOptional(),
  /** How everything of this type within the scope of one declared resource is listed. */
  discover: listing.extend({ ignore: z.array(z.record(z.string(), json)).exactOptional() }).exactOptional(),
  lifecycle: z
    .strictObject({
      preventDelete: z.boolean().exactOptional(),
      onImmutable: z.enum(['report', 'replace', 'error']).exactOptional(),
      replace: z.strictObject({ order: z.enum(['deleteFirst', 'createFirst']) }).exactOptional(),
      /** `false`: an object that exists and was never recorded is left alone. */
      adopt: z.boolean().exactOptional(),
      /** It is there with the API, as settings are: never created, never deleted. */
      single: z.literal(true).exactOptional(),
      /** `reference`: it is only referred to, and never written. */
      mode: z.enum(['manage', 'reference']).exactOptional(),
      /** Calls that a delete needs before it, in this order. */
      beforeDelete: z.array(name).min(1).exactOptional(),
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

/** Whether it is neither created nor deleted. */
export const isKept = ({ lifecycle }: RestResource): boolean =>
  lifecycle?.single === true || lifecycle?.mode === 'reference'

/** The operation that takes an object away. */
export const deleteOf = ({ lifecycle }: RestResource): string => lifecycle?.delete?.op ?? 'delete'

export const restDocument = z.strictObject({
  provider,
  resolvers: z.record(name, resolver).exactOptional(),
  resources: z.record(typeName, resource),
})
export type RestDocument = z.infer<typeof restDocument>
