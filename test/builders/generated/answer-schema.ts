import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { openapiDocument } from '../../../functions/api/routes/index.ts'

interface Content {
  readonly schema: Record<string, unknown>
}
export interface Operation {
  readonly operationId: string
  readonly parameters: readonly { readonly name: string; readonly in: string }[]
  readonly security: readonly Record<string, readonly string[]>[]
  readonly requestBody?: { readonly content: Record<string, Content & { readonly example?: unknown }> }
  readonly responses: Record<
    string,
    {
      readonly content: Record<
        string,
        Content & { readonly example?: unknown; readonly examples?: Record<string, unknown> }
      >
    }
  >
}

/** As it is published: what does not survive JSON is no part of it. */
export const document = JSON.parse(JSON.stringify(await openapiDocument())) as {
  readonly openapi: string
  readonly paths: Record<string, Record<string, Operation>>
  readonly components: {
    readonly schemas: Record<string, unknown>
    readonly examples: Record<string, { readonly value: unknown }>
  }
}

const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
ajv.addSchema({ $id: 'openapi', components: { schemas: document.components.schemas } })

const compiled = new Map<string, ValidateFunction>()

/** Problems of a value under a schema of the document. */
export const problemsUnder = (schema: Record<string, unknown>, value: unknown): string[] => {
  const text = JSON.stringify(schema).replaceAll('"#/components/', '"openapi#/components/')
  const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text))
  compiled.set(text, validate)
  return validate(value) ? [] : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`)
}

export const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
)

const matches = (template: string, path: string): boolean =>
  new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+').replaceAll('.', '\\.')}$`).test(path)

/** The published schema of an answer; throws where the document does not know such an answer. */
export const answerSchema = (call: { method: string; path: string; status: number; mediaType: string }) => {
  const found = operations.find(({ path, method }) => method === call.method && matches(path, call.path))
  const content = found?.operation.responses[call.status]?.content[call.mediaType]
  if (content === undefined) throw new Error(`the document knows no ${JSON.stringify(call)}`)
  return content.schema
}
