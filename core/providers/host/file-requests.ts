import type { Request } from '../../schema/command.ts'
import type { Json, JsonObject } from '../../schema/json.ts'
import { defined } from '../../values/defined.ts'
import type { Place } from './place.ts'

/** Requests to one file. */
export const requestsTo = ({ url }: Place) => {
  const request = (method: string, body?: JsonObject, headers?: Readonly<Record<string, string>>): Request => ({
    method,
    url,
    effect: method === 'GET' ? 'read' : 'write',
    ...defined({ headers, body }),
  })
  return {
    read: () => request('GET'),
    create: (body: JsonObject) => request('PUT', body, { 'if-none-match': '*' }),
    write: (body: JsonObject) => request('PUT', body),
    changeMode: (mode: Json) => request('PATCH', { mode }),
    remove: () => request('DELETE'),
  }
}

export type FileRequests = ReturnType<typeof requestsTo>
