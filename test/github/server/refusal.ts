import type { JsonObject } from '../../../core/engine/schema/json.ts'

const docs = 'https://docs.github.com/rest'

/** An answer that is no success; thrown by a handler, and sent as GitHub words it. */
export class Refusal extends Error {
  readonly status: number
  readonly body: JsonObject
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, body: JsonObject, headers: Readonly<Record<string, string>> = {}) {
    super(String(body['message']))
    this.status = status
    this.body = { ...body, documentation_url: body['documentation_url'] ?? docs, status: String(status) }
    this.headers = headers
  }
}

export const refuse = (status: number, message: string, more: JsonObject = {}): never => {
  throw new Refusal(status, { message, ...more })
}

export const notFound = (): never => refuse(404, 'Not Found')

/** https://docs.github.com/en/rest/using-the-rest-api/troubleshooting-the-rest-api#validation-failed */
export const invalid = (resource: string, field: string, code: string, message?: string): never =>
  refuse(422, 'Validation Failed', {
    errors: [{ resource, field, code, ...(message === undefined ? {} : { message }) }],
  })
