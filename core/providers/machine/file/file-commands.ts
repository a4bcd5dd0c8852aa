import type { PlannedChange } from '../../../engine/provider/provider.ts'
import type { CommandDraft, Request } from '../../../engine/schema/command.ts'
import type { Json, JsonObject } from '../../../engine/schema/json.ts'
import { isSealed } from '../../../engine/schema/value.ts'
import { defined } from '../../../engine/values/defined.ts'
import type { FilePlace } from '../shared/place.ts'
import { doing } from '../shared/words.ts'

/** Requests to one file. */
const requestsTo = ({ url }: FilePlace) => {
  const write = (method: string, body?: JsonObject, headers?: Readonly<Record<string, string>>): Request => ({
    method,
    url,
    effect: 'write',
    ...defined({ headers, body }),
  })
  return {
    create: (body: JsonObject) => write('PUT', body, { 'if-none-match': '*' }),
    write: (body: JsonObject) => write('PUT', body),
    changeMode: (mode: Json) => write('PATCH', { mode }),
    remove: () => write('DELETE'),
  }
}

const defaultMode = '0644'

/** One request for each change, and its inverse if the former content is known. */
export const fileCommands = (change: PlannedChange, place: FilePlace): readonly CommandDraft[] => {
  const { version } = change
  const draft = draftOf(change, place)
  return [version === undefined ? draft : { ...draft, precondition: { kind: 'etag', etag: version } }]
}

const draftOf = ({ action, before, desired, changed }: PlannedChange, place: FilePlace): CommandDraft => {
  const { path } = place
  const requests = requestsTo(place)
  if (before === null) {
    const request = requests.create(wholeFile(desired, desired['mode'] ?? defaultMode))
    return {
      action: 'create',
      description: doing.create(path),
      request,
      grade: 'reversible',
      inverse: requests.remove(),
    }
  }
  const mode = before['mode'] ?? defaultMode
  const old = isKnown(before) ? wholeFile(before, mode) : undefined
  if (action === 'delete') {
    // 404: the file is gone already, which is the desired state.
    const remove = { action, description: doing.remove(path), request: requests.remove(), success: [204, 404] }
    return old === undefined
      ? { ...remove, grade: 'irreversible' }
      : { ...remove, grade: 'reversible', inverse: requests.create(old) }
  }
  const desiredMode = desired['mode'] ?? mode
  if (changed.every(([member]) => member === 'mode')) {
    const set = { description: doing.changeMode(path, String(desiredMode)), request: requests.changeMode(desiredMode) }
    return { action: 'update', ...set, grade: 'reversible', inverse: requests.changeMode(mode) }
  }
  const write = { description: doing.write(path), request: requests.write(wholeFile(desired, desiredMode)) }
  return old === undefined
    ? { action: 'update', ...write, grade: 'lossy' }
    : { action: 'update', ...write, grade: 'reversible', inverse: requests.write(old) }
}

/** A file of which no content is declared is empty. */
const wholeFile = ({ content, contentBase64 }: JsonObject, mode: Json): JsonObject =>
  contentBase64 === undefined ? { content: content ?? '', mode } : { contentBase64, mode }

/** What stood there can be written again: it was read, and it is no secret of which only the digest is kept. */
const isKnown = ({ content, contentBase64 }: JsonObject): boolean => {
  const given = content ?? contentBase64
  return given !== undefined && !isSealed(given)
}
