import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'
import { description, jsonSchemaOf, resolved, type Schema } from './description.ts'
import type { Route } from './routes.ts'

/** Requests and answers against the official description. Each schema is compiled when it is first used. */

const documentId = 'https://api.github.com/description'
const options = { strict: false, allErrors: true, logger: false, validateSchema: false } as const
const bodies = new Ajv(options)
const texts = new Ajv({ ...options, coerceTypes: 'array', useDefaults: true })
for (const ajv of [bodies, texts]) {
  // Its type says that the default export is a module; it is the function.
  ;(addFormats as unknown as (ajv: Ajv) => void)(ajv)
  ajv.addSchema({ $id: documentId, components: description.components })
}

const absolute = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(absolute)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) =>
      key === '$ref' && typeof each === 'string' && each.startsWith('#')
        ? [key, `${documentId}${each}`]
        : [key, absolute(each)],
    ),
  )
}

const cached = <K, V>(make: (key: K) => V): ((key: K) => V) => {
  const known = new Map<K, V>()
  return (key) => {
    const value = known.get(key) ?? make(key)
    known.set(key, value)
    return value
  }
}

const compiled = cached((schema: Schema): ValidateFunction => bodies.compile(absolute(schema) as Schema))

const parametersOf = cached(({ parameters }: Route): ValidateFunction => {
  const properties = Object.fromEntries(parameters.map(({ name, in: where, schema }) => [`${where}.${name}`, schema]))
  const required = parameters.flatMap(({ name, in: where, required: must }) => (must ? [`${where}.${name}`] : []))
  return texts.compile(absolute({ type: 'object', properties, required }) as Schema)
})

const sentence = ({ instancePath, message = '', params }: ErrorObject): string =>
  `${instancePath === '' ? 'body' : instancePath.slice(1)} ${message}${message.includes('allowed values') ? ` ${JSON.stringify(params['allowedValues'])}` : ''}`

const problems = (validate: ValidateFunction): readonly string[] => (validate.errors ?? []).map(sentence)

/** Numbers and booleans of the path and the query become what the description says they are; defaults are filled in. */
export const checkParameters = (
  route: Route,
  params: Readonly<Record<string, string>>,
  query: URLSearchParams,
): { readonly query: JsonObject; readonly problems: readonly string[]; readonly ignored: readonly string[] } => {
  const known = new Set(route.parameters.flatMap(({ name, in: where }) => (where === 'query' ? [name] : [])))
  const values: Record<string, Json> = {}
  for (const [name, value] of Object.entries(params)) values[`path.${name}`] = value
  for (const [name, value] of query) values[`query.${name}`] = value
  const validate = parametersOf(route)
  validate(values)
  const queries = Object.entries(values).flatMap(([name, value]) =>
    name.startsWith('query.') ? [[name.slice(6), value] as const] : [],
  )
  return {
    query: Object.fromEntries(queries),
    problems: problems(validate),
    ignored: [...query.keys()].filter((name) => !known.has(name)).map((name) => `query ${name}`),
  }
}

/** Members that the description of the body does not name: GitHub ignores them in silence. */
const unknownMembers = (schema: Schema, body: Json): readonly string[] => {
  const { properties, anyOf, oneOf, allOf, additionalProperties, $ref } = resolved<Schema>(schema)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return []
  if ([anyOf, oneOf, allOf, additionalProperties, $ref].some((each) => each !== undefined && each !== false)) return []
  return Object.keys(body).flatMap((name) =>
    name in ((properties as object | undefined) ?? {}) ? [] : [`body ${name}`],
  )
}

export const checkBody = (
  { operation }: Route,
  body: Json | undefined,
): { readonly problems: readonly string[]; readonly ignored: readonly string[] } => {
  const { requestBody } = operation
  const schema = requestBody && jsonSchemaOf(requestBody)
  if (schema === undefined) {
    const isEmpty = body === undefined || (typeof body === 'object' && body !== null && Object.keys(body).length === 0)
    return { problems: [], ignored: isEmpty ? [] : ['body'] }
  }
  if (body === undefined) return { problems: requestBody?.required ? ['body is missing'] : [], ignored: [] }
  const validate = compiled(schema)
  validate(body)
  return { problems: problems(validate), ignored: unknownMembers(schema, body) }
}

/** Answers that every operation may give, whether its description names them or not. */
const everywhere = new Set([301, 304, 307, 400, 401, 403, 404, 409, 422, 429, 500, 502, 503])

export const checkAnswer = ({ operation }: Route, status: number, body: Json | undefined): readonly string[] => {
  const answer = operation.responses[String(status)] ?? operation.responses['default']
  if (answer === undefined) return everywhere.has(status) ? [] : [`status ${status} is not described`]
  const schema = jsonSchemaOf(resolved(answer))
  if (schema === undefined) return body === undefined || status >= 300 ? [] : [`status ${status} has no body`]
  // GitHub prints one form of errors where its description names another one.
  if (status >= 300) return []
  if (body === undefined) return ['the body is missing']
  const validate = compiled(schema)
  validate(body)
  return problems(validate).map((each) => `${status}: ${each}`)
}
