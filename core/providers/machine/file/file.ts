import type { ResourceType } from '../../../engine/provider/provider.ts'
import type { ObjectSchema } from '../../../engine/schema/attribute.ts'
import type { Json, JsonObject } from '../../../engine/schema/json.ts'
import type { ReadResult } from '../../../engine/schema/resource.ts'
import { isSensitive } from '../../../engine/schema/value.ts'
import { defined } from '../../../engine/values/defined.ts'
import { askFile, badBody, type ProgramAnswer, placeFor } from '../shared/ask.ts'
import { placeIn } from '../shared/place.ts'
import { commandsInFile } from '../shared/replacement.ts'
import type { MachineScope } from '../shared/scope.ts'
import { descriptions, unknowns } from '../shared/words.ts'
import { fileCommands } from './file-commands.ts'
import { prepareFile } from './prepare.ts'

const schema: ObjectSchema = {
  attributes: {
    path: { type: 'string', identity: true, required: true, immutable: true, description: descriptions.path },
    content: { type: 'string', nullMeans: 'empty', leftOut: true, description: descriptions.content },
    contentBase64: { type: 'string', nullMeans: 'reject', leftOut: true, description: descriptions.contentBase64 },
    mode: { type: 'string', nullMeans: 'reject', description: descriptions.mode },
  },
}

/** A regular file on the machine that applies, confined to the root. */
export const fileType = (name: string, machine: MachineScope): ResourceType => ({
  name,
  schema,
  // A path is relative to a root, and several roots may hold the file.
  urlOf: ({ path }) => (typeof path === 'string' ? placeIn(machine, path)?.url : undefined),
  lifecycle: { onImmutable: 'replace' },
  prepare: (written) => prepareFile(written, machine),
  read: async ({ attributes }, deps) => {
    const place = placeFor(machine, attributes['path'])
    if ('kind' in place) return place
    const asked = await askFile(place, deps)
    return asked.kind === 'answer' ? found(attributes, asked) : asked
  },
  // Another path is another file.
  commands: (change) => commandsInFile(machine, 'path', change, fileCommands),
})

const found = (desired: JsonObject, { body, etag }: ProgramAnswer): ReadResult => {
  if (!isFile(body)) return badBody(unknowns.noFile)
  const { content, contentBase64, mode } = body
  const text = content === undefined ? { contentBase64 } : { content }
  return {
    kind: 'present',
    attributes: { path: desired['path'] ?? null, ...(managesModeOnly(desired) ? {} : text), mode },
    // A plain digest of a secret could be found out by trying, so such a file is read again before it is written.
    ...defined({ version: etag === undefined || isSecretFile(desired) ? undefined : etag }),
  }
}

type FileBody = { readonly content?: string; readonly contentBase64: string; readonly mode: string }

const isFile = (body: Record<string, Json>): body is JsonObject & FileBody =>
  (typeof body['content'] === 'string' || typeof body['contentBase64'] === 'string') && typeof body['mode'] === 'string'

/** Then the content is none of our business, and stays out of plans and records. */
const managesModeOnly = ({ content, contentBase64, mode }: JsonObject): boolean =>
  mode !== undefined && content === undefined && contentBase64 === undefined

const isSecretFile = ({ content, contentBase64 }: JsonObject): boolean =>
  isSensitive(content) || isSensitive(contentBase64)
