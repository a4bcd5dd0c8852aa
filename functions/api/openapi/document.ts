import * as z from 'zod'
import { defined, type ErrorCode, errorTable, mapMembers, present } from '#core'
import { type BodyLimits, bodyLimits } from '../route/body-limits.ts'
import { problemType } from '../route/problem.ts'
import type { AnswerShape, Route } from '../route/route.ts'
import { components } from '../route/shapes.ts'
import { problemExample } from './error-examples.ts'

/*
 * The OpenAPI 3.1 document, made from the same shapes that check requests. Its dialect is JSON Schema 2020-12.
 * https://spec.openapis.org/oas/v3.1.0
 */

type SchemaPart = Readonly<Record<string, unknown>>

const refTo = (name: string): string => `#/components/schemas/${name}`
const exampleOf = (code: ErrorCode): string => `#/components/examples/${code}`

/** In JSON Schema an empty schema means "any JSON value"; zod writes a recursive definition that means the same. */
const anyJson = /^#\/\$defs\/|\/__shared#/

const unneeded: ReadonlySet<string> = new Set(['$schema', '$id', '$defs'])

const embedded = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(embedded)
  if (typeof schema !== 'object' || schema === null) return schema
  if ('$ref' in schema && anyJson.test(String(schema.$ref))) return {}
  // The format says it; the pattern of a time is longer than the rest of its schema.
  const left = 'format' in schema && schema.format === 'date-time' ? new Set([...unneeded, 'pattern']) : unneeded
  const kept = Object.entries(schema).filter(([key]) => !left.has(key))
  return Object.fromEntries(kept.map(([key, child]) => [key, embedded(child)]))
}

const schemaOf = (shape: z.ZodType): unknown => {
  const name = components.get(shape)?.id
  return name === undefined ? embedded(z.toJSONSchema(shape, { io: 'input' })) : { $ref: refTo(name) }
}

const schemas = (): SchemaPart => {
  const made = z.toJSONSchema(components, { io: 'input', uri: refTo }).schemas
  const byName = Object.entries(made).sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(byName.map(([id, schema]) => [id, embedded(schema)]))
}

/** Writes field names as in HTTP: `Idempotency-Key`. */
const fieldName = (name: string): string => name.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase())

const parameters = (place: 'path' | 'query' | 'header', object: z.ZodObject): SchemaPart[] => {
  const schema = z.toJSONSchema(object, { io: 'input' })
  const required = new Set(schema.required)
  return Object.entries(schema.properties ?? {}).map(([name, member]) => {
    const { description, ...rest } = member as { description?: string }
    return {
      name: place === 'header' ? fieldName(name) : name,
      in: place,
      required: required.has(name),
      ...defined({ description }),
      schema: rest,
    }
  })
}

const contentOf = (content: AnswerShape['content'], example: unknown): SchemaPart =>
  mapMembers(content, (shape) =>
    typeof shape === 'string'
      ? { schema: { type: 'string', description: shape } }
      : { schema: schemaOf(shape), ...defined({ example }) },
  )

const headersOf = (headers: Readonly<Record<string, string>> = {}): SchemaPart =>
  mapMembers(headers, (description) => ({ description, schema: { type: 'string' } }))

const everyRoute: readonly ErrorCode[] = ['REQUEST_INVALID', 'NOT_ACCEPTABLE', 'INTERNAL']
const guarded: readonly ErrorCode[] = ['UNAUTHENTICATED', 'SCOPE_MISSING', 'STORE_UNAVAILABLE', 'STORE_FULL']
const withBody: readonly ErrorCode[] = ['MEDIA_TYPE_UNSUPPORTED', 'ENCODING_UNSUPPORTED', 'BODY_TOO_LARGE']

const errorsOf = ({ scope, bodies, errors }: Route): readonly ErrorCode[] =>
  present(everyRoute, scope !== null && guarded, Object.keys(bodies).length > 0 && withBody, errors).flat()

const problems = (route: Route): SchemaPart => {
  const byStatus = Map.groupBy(errorsOf(route), (code) => String(errorTable[code].status))
  return mapMembers(Object.fromEntries(byStatus), (codes) => ({
    description: codes.join(', '),
    content: {
      [problemType]: {
        schema: { $ref: refTo('Problem') },
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: exampleOf(code) }])),
      },
    },
  }))
}

const answers = (route: Route): SchemaPart =>
  mapMembers(route.answers, ({ description, headers, content, example }) => ({
    description,
    ...defined({ headers: headers && headersOf(headers) }),
    content: contentOf(content, example),
  }))

const limitWords = ({ sent, unpacked }: BodyLimits): string =>
  `May be packed, with \`Content-Encoding: gzip\`. At most ${sent} bytes as it is sent, and ${unpacked} unpacked.`

const body = ({ bodies, maxBodyBytes }: Route): SchemaPart => {
  if (Object.keys(bodies).length === 0) return {}
  const content = mapMembers(bodies, ({ shape, example }) => ({ schema: schemaOf(shape), example }))
  return { requestBody: { description: limitWords(bodyLimits(maxBodyBytes)), required: true, content } }
}

const operation = (route: Route): SchemaPart => ({
  operationId: route.id,
  summary: route.summary,
  ...defined({ description: route.description }),
  security: route.scope === null ? [] : [{ bearer: [route.scope] }, { iam: [] }],
  parameters: [
    ...parameters('path', route.params),
    ...parameters('query', route.query),
    ...parameters('header', route.headers),
  ],
  ...body(route),
  responses: { ...answers(route), ...problems(route) },
})

const securitySchemes: SchemaPart = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'Of the configured issuer. Scopes `read`, `check`, `apply`, `irreversible` and `configure` in `scope`, `scopes` or `scp`, for all workspaces, or as `read:acme-dns` or `read:acme-*` for some.',
  },
  iam: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'AWS Signature Version 4, service `execute-api`, at the endpoint for machines.',
    'x-amazon-apigateway-authtype': 'awsSigv4',
  },
}

export const describeRoutes = (routes: readonly Route[]): SchemaPart => ({
  openapi: '3.1.0',
  info: {
    title: 'Plumbline',
    version: '1',
    summary: 'Drift of configuration: found, shown as requests, approved, applied, logged.',
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  servers: [{ url: '/' }],
  paths: Object.fromEntries(
    [...Map.groupBy(routes, (route) => route.path)].map(([path, methods]) => [
      path,
      Object.fromEntries(methods.map((route) => [route.method.toLowerCase(), operation(route)])),
    ]),
  ),
  components: {
    schemas: schemas(),
    examples: Object.fromEntries(
      [...new Set(routes.flatMap(errorsOf))].sort().map((code) => [code, { value: problemExample(code) }]),
    ),
    securitySchemes,
  },
})
