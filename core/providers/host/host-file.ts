import type { ObjectSchema } from '../../schema/attribute.ts'
import type { CommandDraft, Response } from '../../schema/command.ts'
import { isObject, type Json, type JsonObject } from '../../schema/json.ts'
import type { ReadResult } from '../../schema/resource.ts'
import { isSensitive } from '../../schema/value.ts'
import type { WorkspaceFiles } from '../../schema/workspace-files.ts'
import { unknownFromError, unknownFromStatus } from '../../transport/answer/unknown.ts'
import { defined } from '../../values/defined.ts'
import type { PlannedChange, ReadDeps, ResourceType, Target } from '../provider.ts'
import { fileCommands, requestsTo } from './file-commands.ts'
import { type FilePlace, placeIn } from './place.ts'
import { prepareFile } from './prepare.ts'
import { descriptions, unknowns } from './words.ts'

const schema: ObjectSchema = {
  attributes: {
    path: { type: 'string', identity: true, required: true, immutable: true, description: descriptions.path },
    content: { type: 'string', nullMeans: 'empty', description: descriptions.content },
    contentBase64: { type: 'string', nullMeans: 'reject', description: descriptions.contentBase64 },
    mode: { type: 'string', nullMeans: 'reject', description: descriptions.mode },
  },
}

/** A regular file on the machine that applies, confined to the root. */
export const hostFile = (root: string, files: WorkspaceFiles): ResourceType => ({
  name: 'host_file',
  schema,
  // A path is relative to a root, and several roots may hold the file.
  urlOf: ({ path }) => (typeof path === 'string' ? placeIn(root, path)?.url : undefined),
  lifecycle: { onImmutable: 'replace' },
  prepare: (written) => prepareFile(written, { root, files }),
  read: async (target, deps) => {
    const { path } = target.attributes
    if (typeof path !== 'string') return { kind: 'unknown', reason: 'unresolved', detail: unknowns.openPath }
    const place = placeIn(root, path)
    return place ? readFile(target, place, deps) : outside(unknowns.outside(path, root))
  },
  commands: (change) => {
    const place = placeIn(root, String(change.desired['path']))
    const old = placeIn(root, String((change.before ?? change.desired)['path']))
    if (place === undefined || old === undefined) return []
    return change.action === 'replace' ? replaceFile(change, old, place) : fileCommands(change, place)
  },
})

/** Another path is another file. */
const replaceFile = (change: PlannedChange, old: FilePlace, place: FilePlace): readonly CommandDraft[] => {
  const { version: _, ...rest } = change
  const remove = fileCommands({ ...change, action: 'delete' }, old)
  const create = fileCommands({ ...rest, action: 'create', before: null }, place)
  return change.replaceOrder === 'createFirst' ? [...create, ...remove] : [...remove, ...create]
}

const readFile = async (target: Target, place: FilePlace, { transport, signal }: ReadDeps): Promise<ReadResult> => {
  try {
    return found(target.attributes, await transport.send(requestsTo(place).read(), signal))
  } catch (error) {
    return unknownFromError(error)
  }
}

const found = (wanted: JsonObject, { status, headers, body }: Response): ReadResult => {
  if (status === 404) return { kind: 'absent' }
  const { reason, detail, ...file } = isObject(body) ? body : {}
  if (reason === 'outside_root') return outside(String(detail))
  if (status === 409) return { kind: 'unknown', reason: 'unsupported', detail: String(detail) }
  if (status !== 200) return unknownFromStatus(status, typeof detail === 'string' ? detail : undefined)
  if (!isFile(file)) return { kind: 'unknown', reason: 'bad_body', detail: unknowns.noFile }
  const { content, contentBase64, mode } = file
  const text = content === undefined ? { contentBase64 } : { content }
  const etag = headers['etag']
  return {
    kind: 'present',
    attributes: { path: wanted['path'] ?? null, ...(managesModeOnly(wanted) ? {} : text), mode },
    // A plain digest of a secret could be found out by trying, so such a file is read again before it is written.
    ...defined({ version: etag === undefined || isSecretFile(wanted) ? undefined : etag }),
  }
}

type FileBody = { readonly content?: string; readonly contentBase64: string; readonly mode: string }

const isFile = (body: Record<string, Json>): body is JsonObject & FileBody =>
  (typeof body['content'] === 'string' || typeof body['contentBase64'] === 'string') && typeof body['mode'] === 'string'

const outside = (detail: string): ReadResult => ({ kind: 'unknown', reason: 'outside_root', detail })

/** Then the content is none of our business, and stays out of plans and records. */
const managesModeOnly = ({ content, contentBase64, mode }: JsonObject): boolean =>
  mode !== undefined && content === undefined && contentBase64 === undefined

const isSecretFile = ({ content, contentBase64 }: JsonObject): boolean =>
  isSensitive(content) || isSensitive(contentBase64)
