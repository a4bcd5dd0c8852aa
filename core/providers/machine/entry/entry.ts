import type { PlannedChange, ResourceType } from '../../../engine/provider/provider.ts'
import type { ObjectSchema } from '../../../engine/schema/attribute.ts'
import type { CommandDraft, Request } from '../../../engine/schema/command.ts'
import type { JsonObject } from '../../../engine/schema/json.ts'
import { isSensitive } from '../../../engine/schema/value.ts'
import { defined } from '../../../engine/values/defined.ts'
import { preparePath, preparing, type Refuse } from '../file/prepare.ts'
import { askFile, badBody, placeFor } from '../shared/ask.ts'
import { type FilePlace, placeIn } from '../shared/place.ts'
import { commandsInFile } from '../shared/replacement.ts'
import type { MachineScope } from '../shared/scope.ts'
import { doing, unknowns } from '../shared/words.ts'

/** What has a name in a folder and is no regular file. */
export interface EntryKind {
  /** Tells the transport which kind is meant. */
  readonly media: 'inode/directory' | 'inode/symlink'
  readonly name: string
  readonly schema: ObjectSchema
  prepare(written: JsonObject, refuse: Refuse): JsonObject
  /** Beside the path; `undefined` for a body that has none. */
  attributes(body: JsonObject): JsonObject | undefined
  bodyOf(attributes: JsonObject): JsonObject
  describe(path: string, attributes: JsonObject, isNew: boolean): string
}

export const entryType = (machine: MachineScope, kind: EntryKind): ResourceType => ({
  name: kind.name,
  schema: kind.schema,
  urlOf: ({ path }) => (typeof path === 'string' ? placeIn(machine, path)?.url : undefined),
  lifecycle: { onImmutable: 'replace' },
  prepare: (written) =>
    preparing((refuse) => {
      const own = kind.prepare(written, refuse)
      return { ...written, ...preparePath('path', written['path'], machine, refuse), ...own }
    }),
  read: async ({ attributes: { path = null } }, deps) => {
    const place = placeFor(machine, path)
    if ('kind' in place) return place
    const asked = await askFile(place, deps, kind.media)
    if (asked.kind !== 'answer') return asked
    const own = kind.attributes(asked.body)
    if (own === undefined) return badBody(unknowns.noFile)
    return { kind: 'present', attributes: { path, ...own }, ...defined({ version: asked.etag }) }
  },
  commands: (change) => commandsInFile(machine, 'path', change, (each, place) => entryCommands(kind, each, place)),
})

const entryCommands = (kind: EntryKind, change: PlannedChange, place: FilePlace): readonly CommandDraft[] => {
  const { version, action, before, desired } = change
  const write = (method: string, body?: JsonObject, headers: Readonly<Record<string, string>> = {}): Request => ({
    method,
    url: place.url,
    effect: 'write',
    headers: { 'content-type': kind.media, ...headers },
    ...defined({ body }),
  })
  const create = (attributes: JsonObject): Request => write('PUT', kind.bodyOf(attributes), { 'if-none-match': '*' })
  const guard = version === undefined ? {} : { precondition: { kind: 'etag', etag: version } as const }
  if (before === null)
    return [
      {
        action: 'create',
        description: kind.describe(place.path, desired, true),
        request: create(desired),
        grade: 'reversible',
        inverse: write('DELETE'),
      },
    ]
  if (action === 'delete')
    return [
      {
        action,
        description: doing.remove(place.path),
        request: write('DELETE'),
        success: [204, 404],
        ...undone(before, create),
        ...guard,
      },
    ]
  const request = write('PUT', kind.bodyOf(desired))
  const description = kind.describe(place.path, desired, false)
  const inverse = undone(before, (attributes) => write('PUT', kind.bodyOf(attributes)))
  return [{ action: 'update', description, request, ...inverse, ...guard }]
}

/** A secret of which only the digest is known cannot be written again. */
const undone = (
  before: JsonObject,
  requestFor: (attributes: JsonObject) => Request,
): Pick<CommandDraft, 'grade' | 'inverse'> =>
  Object.values(before).some(isSensitive)
    ? { grade: 'irreversible' }
    : { grade: 'reversible', inverse: requestFor(before) }
