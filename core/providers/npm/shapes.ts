import * as z from 'zod'
import { type Attribute, accessWay, attributeFacts, type ObjectSchema } from '../../engine/schema/attribute.ts'
import { grades } from '../../engine/schema/command.ts'
import { json, typePattern } from '../../engine/schema/described.ts'
import { immutableFates, replaceOrders, unknownReasons } from '../../engine/schema/resource.ts'

/* What a package answers is foreign: only what has exactly these shapes goes on. */

const text = z.string().max(10_000)
const texts = z.record(z.string(), text)
const object = z.record(z.string(), json)
const names = z.array(text).max(1_000)

const attribute: z.ZodType<Attribute> = z.lazy(() =>
  z.strictObject({
    ...attributeFacts,
    attributes: z.record(z.string(), attribute).exactOptional(),
    element: attribute.exactOptional(),
    identity: z.boolean().exactOptional(),
    generated: z.boolean().exactOptional(),
  }),
) as unknown as z.ZodType<Attribute>

const callNames = ['prepare', 'validate', 'urlOf', 'list'] as const

export const typeShape = z.strictObject({
  name: text.regex(typePattern),
  schema: z.strictObject({ attributes: z.record(z.string(), attribute) }) as unknown as z.ZodType<ObjectSchema>,
  idNames: names.exactOptional(),
  lifecycle: z
    .strictObject({
      onImmutable: z.enum(immutableFates).exactOptional(),
      replaceOrder: z.enum(replaceOrders).exactOptional(),
      preventDelete: z.boolean().exactOptional(),
      adopt: z.boolean().exactOptional(),
      access: accessWay.exactOptional(),
    })
    .exactOptional(),
  listWithin: names.exactOptional(),
  listBy: names.exactOptional(),
  calls: z.array(z.enum(callNames)),
})

const problem = z.strictObject({ path: z.array(z.union([text, z.number()])), message: text, fix: text })

export const configuredShape = z.union([
  z.strictObject({ ok: z.literal(true), home: text.min(1).exactOptional(), types: z.array(typeShape).max(100) }),
  z.strictObject({
    ok: z.literal(false),
    issues: z
      .array(z.looseObject({ message: text, fix: text }))
      .min(1)
      .max(100),
  }),
])

export const preparedShape = z.union([
  z.strictObject({ ok: z.literal(true), attributes: object }),
  z.strictObject({ ok: z.literal(false), problems: z.array(problem) }),
])

export const problemsShape = z.array(problem)
export const urlShape = text.nullable()

const unknown = z.strictObject({ kind: z.literal('unknown'), reason: z.enum(unknownReasons), detail: text })

export const readShape = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('present'),
    attributes: object,
    ids: texts.exactOptional(),
    version: text.exactOptional(),
  }),
  z.strictObject({ kind: z.literal('absent') }),
  unknown,
])

export const listShape = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('listed'),
    objects: z.array(z.strictObject({ identity: object, ids: texts.exactOptional() })),
  }),
  unknown,
])

/** No `socket`, no sign-in: a request of a package is a read or a write of its own API. */
export const requestShape = z.strictObject({
  method: z.string().regex(/^[A-Z]{1,20}$/),
  url: text,
  effect: z.enum(['read', 'write']),
  headers: texts.exactOptional(),
  body: json.exactOptional(),
  auth: z
    .discriminatedUnion('kind', [
      z.strictObject({
        kind: z.literal('header'),
        name: text,
        template: text,
        secret: z.strictObject({ $secret: text }),
      }),
      z.strictObject({ kind: z.literal('query'), name: text, secret: z.strictObject({ $secret: text }) }),
      z.strictObject({
        kind: z.literal('basic'),
        user: z.union([text, z.strictObject({ $secret: text })]),
        password: z.union([z.strictObject({ $secret: text }), z.literal('')]),
      }),
    ])
    .exactOptional(),
})

const writing = requestShape.extend({ effect: z.literal('write') })

export const commandsShape = z
  .array(
    z.strictObject({
      action: z.enum(['create', 'update', 'replace', 'delete', 'call']),
      description: text.regex(/^[^\n\r]+$/),
      request: writing,
      grade: z.enum(grades),
      inverse: writing.exactOptional(),
      success: z.array(z.int().min(200).max(599)).exactOptional(),
      precondition: z
        .strictObject({ kind: z.literal('etag'), etag: text, header: text.exactOptional() })
        .exactOptional(),
      footprint: z
        .strictObject({
          sets: names.exactOptional(),
          elements: z
            .array(z.strictObject({ of: text, written: z.array(json), removed: z.array(json) }))
            .exactOptional(),
          affects: names.exactOptional(),
        })
        .exactOptional(),
    }),
  )
  .max(1_000)
