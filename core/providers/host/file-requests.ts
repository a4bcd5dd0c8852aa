import type { Request } from '../../schema/command.ts'
import type { Json, JsonObject } from '../../schema/json.ts'
import type { Place } from './place.ts'

/** Requests to one file. The header `root` names the folder that the transport must not leave, by links either. */
export const requestsTo = ({ url }: Place, root: string) => {
  const request = (method: string, body?: JsonObject, headers: Record<string, string> = {}): Request => ({
    method,
    url,
    effect: method === 'GET' ? 'read' : 'write',
    headers: { root, ...headers },
    ...(body === undefined ? {} : { body }),
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
