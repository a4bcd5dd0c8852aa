import type { CommandDraft, Request } from '../../schema/command.ts'
import type { Json, JsonObject } from '../../schema/json.ts'
import { isSealed } from '../../schema/value.ts'
import { defined } from '../../values/defined.ts'
import type { PlannedChange } from '../provider.ts'
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

type FileRequests = ReturnType<typeof requestsTo>

const defaultMode = '0644'

type Act = Pick<CommandDraft, 'action' | 'description' | 'request' | 'grade' | 'inverse' | 'success'>

/** One request for each change, and the one that takes it back where what stood there is known. */
export const fileCommands = (change: PlannedChange, path: string, requests: FileRequests): readonly CommandDraft[] => {
  const { version } = change
  const act = choose(change, path, requests)
  return [version === undefined ? act : { ...act, precondition: { kind: 'etag', etag: version } }]
}

const choose = (change: PlannedChange, path: string, requests: FileRequests): Act => {
  const { action, before, desired } = change
  if (before === null) return create(desired, path, requests)
  if (action === 'delete') return remove(before, path, requests)
  const isModeOnly = change.changed.every(([member]) => member === 'mode')
  return isModeOnly ? changeMode(change, before, path, requests) : write(change, before, path, requests)
}

const create = (desired: JsonObject, path: string, requests: FileRequests): Act => ({
  action: 'create',
  description: `create ${path}`,
  request: requests.create(wholeFile(desired, desired['mode'] ?? defaultMode)),
  grade: 'reversible',
  inverse: requests.remove(),
})

const remove = (before: JsonObject, path: string, requests: FileRequests): Act => ({
  action: 'delete',
  description: `remove ${path}`,
  request: requests.remove(),
  // Somebody else removed it in the meantime: that is what was wanted.
  success: [204, 404],
  ...(isKnown(before)
    ? { grade: 'reversible', inverse: requests.create(wholeFile(before, modeOf(before))) }
    : { grade: 'irreversible' }),
})

const changeMode = (change: PlannedChange, before: JsonObject, path: string, requests: FileRequests): Act => {
  const mode = wantedMode(change, before)
  return {
    action: 'update',
    description: `set the mode of ${path} to ${mode}`,
    request: requests.changeMode(mode),
    grade: 'reversible',
    inverse: requests.changeMode(modeOf(before)),
  }
}

const write = (change: PlannedChange, before: JsonObject, path: string, requests: FileRequests): Act => ({
  action: 'update',
  description: `write ${path}`,
  request: requests.write(wholeFile(change.desired, wantedMode(change, before))),
  ...(isKnown(before)
    ? { grade: 'reversible', inverse: requests.write(wholeFile(before, modeOf(before))) }
    : { grade: 'lossy' }),
})

const modeOf = (attributes: JsonObject): Json => attributes['mode'] ?? defaultMode
const wantedMode = ({ desired }: PlannedChange, before: JsonObject): Json => desired['mode'] ?? modeOf(before)

/** A file of which no content is declared is empty. */
const wholeFile = ({ content, contentBase64 }: JsonObject, mode: Json): JsonObject =>
  contentBase64 === undefined ? { content: content ?? '', mode } : { contentBase64, mode }

/** What stood there can be written again: it was read, and it is no secret of which only the digest is kept. */
const isKnown = ({ content, contentBase64 }: JsonObject): boolean => {
  const given = content ?? contentBase64
  return given !== undefined && !isSealed(given)
}
