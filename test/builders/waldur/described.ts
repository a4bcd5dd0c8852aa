import { readFileSync } from 'node:fs'
import { Ajv, type ValidateFunction } from 'ajv'
import { parse } from 'yaml'
import type { JsonObject } from '../../../core/engine/schema/json.ts'
import type { Answered, Asked } from '../servers/json-routes.ts'

/* The API description of the Waldur stand-in, as a judge of what is asked and answered. */

interface Operation {
  readonly parameters?: readonly { readonly $ref?: string; readonly name?: string; readonly in?: string }[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}
type Content = { readonly 'application/json': { readonly schema: JsonObject } }

const file = new URL('../../fixtures/waldur-openapi.yaml', import.meta.url)
const description = parse(readFileSync(file, 'utf8')) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly parameters: Readonly<Record<string, { name: string }>> }
}

const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true })

/** An object has the members that the description names, and no others. */
const closed = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const inner = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]))
  return inner['properties'] === undefined ? inner : { additionalProperties: false, ...inner }
}
ajv.addSchema({ $id: 'waldur', components: closed(description.components) })

const operations = Object.entries(description.paths).flatMap(([path, { parameters: _, ...methods }]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    operation,
  })),
)

/** `METHOD /api/path/{uuid}/` of all of them. */
export const describedOperations: readonly string[] = operations.map(({ name }) => name)

const compiled = new Map<JsonObject, ValidateFunction>()
const faults = (content: Content | undefined, body: unknown): readonly string[] => {
  const schema = content?.['application/json'].schema
  if (schema === undefined) return body === undefined ? [] : ['there is a body']
  const found =
    compiled.get(schema) ?? ajv.compile(JSON.parse(JSON.stringify(closed(schema)).replaceAll('"#/', '"waldur#/')))
  compiled.set(schema, found)
  found(body)
  return (found.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  )
}

const nameOf = ({ $ref, name }: { readonly $ref?: string; readonly name?: string }): string | undefined =>
  $ref === undefined ? name : description.components.parameters[$ref.split('/').at(-1) ?? '']?.name

/** In what a request and its answer are not as described. A refusal has a form of its own each time. */
export const notDescribed = (asked: Asked, { status, body }: Answered): readonly string[] => {
  if (status >= 400) return []
  // What is as fixed as `me` comes before what a uuid fills.
  const [found] = operations
    .filter(({ method, pattern }) => method === asked.method && pattern.test(asked.path))
    .toSorted((left, right) => Number(left.name.includes('{')) - Number(right.name.includes('{')))
  const at = `${asked.method} ${asked.path}`
  if (found === undefined) return [`${at} is not described`]
  const { operation } = found
  const known = (operation.parameters ?? []).map(nameOf)
  const answer = operation.responses[status]
  return [
    // Whatever may come in pages is asked for with their size.
    ...[...asked.query.keys()]
      .filter((name) => name !== 'page_size' && !known.includes(name))
      .map((name) => `the filter ${name}`),
    ...(asked.body === undefined ? [] : faults(operation.requestBody?.content, asked.body)).map(
      (fault) => `body: ${fault}`,
    ),
    ...(answer === undefined ? [`the status ${status}`] : faults(answer.content, body)),
  ].map((fault) => `${found.name}: ${fault}`)
}
