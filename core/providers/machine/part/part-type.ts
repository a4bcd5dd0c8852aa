import type { Listed, UnlistedPlace } from '../../../engine/provider/listing.ts'
import type { PlannedChange, ReadDeps, ResourceType, Target } from '../../../engine/provider/provider.ts'
import type { Attribute, ObjectSchema } from '../../../engine/schema/attribute.ts'
import type { CommandDraft, Request } from '../../../engine/schema/command.ts'
import type { Json, JsonObject } from '../../../engine/schema/json.ts'
import type { ReadResult } from '../../../engine/schema/resource.ts'
import { isMark, isSensitive } from '../../../engine/schema/value.ts'
import { defined } from '../../../engine/values/defined.ts'
import type { TextEdit } from '../../../engine/values/text-parts/edit.ts'
import type { PartKind } from '../../../engine/values/text-parts/part.ts'
import { parseText, type TextFile } from '../../../engine/values/text-parts/text-file.ts'
import { looksSecret } from '../../../engine/values/texts/looks-secret.ts'
import { preparePath, preparing, type Refuse } from '../file/prepare.ts'
import { askText, placeFor } from '../shared/ask.ts'
import { type FilePlace, placeIn } from '../shared/place.ts'
import { commandsInFile } from '../shared/replacement.ts'
import type { MachineScope } from '../shared/scope.ts'
import { doing, refusals, unknowns } from '../shared/words.ts'

/** A kind of parts of text files as a resource type. Several resources share one file: each is written as an edit. */
export interface PartType<Name extends JsonObject, Value extends Json> {
  readonly name: string
  /** Beside `file`. Those that identify the part are immutable: another one is another part. */
  readonly attributes: Readonly<Record<string, Attribute>>
  readonly kind: TextEdit['kind']
  readonly part: PartKind<Name, Value>
  /** The file where none is declared. */
  readonly file?: string
  /** Other written forms. */
  prepare?(written: JsonObject, refuse: Refuse): JsonObject
  /** `undefined`: a value that identifies it is not known. */
  nameOf(attributes: JsonObject): Name | undefined
  /** May hold marks. */
  valueOf(attributes: JsonObject): Json
  attributesOf(value: Value): JsonObject
  /** For people. */
  describe(name: Name): string
  /** The attributes that its value is about, for problems. */
  readonly about: string
  /** Which files are looked into when what exists is listed, and what is in them. */
  readonly listing?: {
    readonly files: readonly string[]
    identities(file: TextFile): readonly JsonObject[]
  }
}

/** The attribute that names a file; `fallback` is what it is if it is not declared. */
export const fileAttribute = (description: string, fallback?: string): Attribute => ({
  type: 'string',
  identity: true,
  immutable: true,
  nullMeans: 'reject',
  description,
  ...(fallback === undefined ? { required: true } : { default: fallback }),
})

export const partType = <Name extends JsonObject, Value extends Json>(
  machine: MachineScope,
  type: PartType<Name, Value>,
): ResourceType => {
  const schema: ObjectSchema = { attributes: type.attributes }
  const { listing } = type
  return {
    name: type.name,
    schema,
    lifecycle: { onImmutable: 'replace' },
    urlOf: (attributes) => {
      const place = placeFor(machine, attributes['file'])
      const name = type.nameOf(attributes)
      return 'kind' in place || name === undefined ? undefined : `${place.url}#${type.kind}=${JSON.stringify(name)}`
    },
    prepare: (written) =>
      preparing((refuse) => ({
        ...written,
        ...type.prepare?.(written, refuse),
        ...preparePath('file', written['file'] ?? type.file, machine, refuse),
      })),
    validate: (attributes) => {
      const name = type.nameOf(attributes)
      const value = type.valueOf(attributes)
      const isOpen = isMark(value) || Object.values(attributes).some(isMark)
      const refusal = name && type.part.refuse(name, isOpen ? null : (value as Value))
      return refusal === undefined ? [] : [{ path: [type.about], ...refusals.noPart(refusal) }]
    },
    read: (target, deps) => read(machine, type, target, deps),
    commands: (change) => commandsInFile(machine, 'file', change, (each, place) => partCommands(type, each, place)),
    ...(listing && { list: (scope: readonly Target[], deps: ReadDeps) => list(machine, type, listing, scope, deps) }),
  }
}

const read = async <Name extends JsonObject, Value extends Json>(
  machine: MachineScope,
  type: PartType<Name, Value>,
  { attributes }: Target,
  deps: ReadDeps,
): Promise<ReadResult> => {
  const place = placeFor(machine, attributes['file'])
  if ('kind' in place) return place
  const name = type.nameOf(attributes)
  if (name === undefined) return { kind: 'unknown', reason: 'unresolved', detail: unknowns.openName }
  const asked = await askText(place, deps)
  if (asked.kind !== 'text') return asked
  const found = type.part.find(parseText(asked.text), name)
  if (found.kind === 'unclear') return { ...found, kind: 'unknown' }
  if (found.kind === 'absent') return found
  const identity = Object.entries(attributes).filter(([member]) => type.attributes[member]?.identity)
  return { kind: 'present', attributes: { ...Object.fromEntries(identity), ...type.attributesOf(found.value) } }
}

const defaultMode = '0644'

const partCommands = <Name extends JsonObject, Value extends Json>(
  type: PartType<Name, Value>,
  { action, before, desired }: PlannedChange,
  place: FilePlace,
): readonly CommandDraft[] => {
  const of = type.nameOf(action === 'delete' ? (before ?? desired) : desired)
  if (of === undefined) return []
  const edit = (to: Json, was?: Json): Request => ({
    method: 'PATCH',
    url: place.url,
    effect: 'write',
    body: {
      edit: { kind: type.kind, of, to, ...defined({ was }) },
      ...(to === null ? {} : { mode: defaultMode }),
    },
  })
  const what = type.describe(of)
  if (before === null) {
    const request = edit(type.valueOf(desired), null)
    const description = doing.add(what, place.path)
    return [{ action: 'create', description, request, grade: 'reversible', inverse: edit(null) }]
  }
  const old = isSecret(before) ? undefined : type.valueOf(before)
  const back = old === undefined ? {} : { inverse: edit(old) }
  if (action === 'delete') {
    const description = doing.takeAway(what, place.path)
    const grade = old === undefined ? 'irreversible' : 'reversible'
    // 404: the file is gone already, and the part with it.
    return [{ action, description, request: edit(null, old), success: [204, 404], grade, ...back }]
  }
  const description = doing.change(what, place.path)
  const grade = old === undefined ? 'lossy' : 'reversible'
  return [{ action: 'update', description, request: edit(type.valueOf(desired), old), grade, ...back }]
}

const isSecret = (attributes: JsonObject): boolean => Object.values(attributes).some(isSensitive)

/** The text that a part has, as far as it is clear. */
const valueIn = <Name extends JsonObject, Value extends Json>(
  type: PartType<Name, Value>,
  file: TextFile,
  identity: JsonObject,
): string => {
  const name = type.nameOf(identity)
  const found = name && type.part.find(file, name)
  return found?.kind === 'present' ? JSON.stringify(found.value) : ''
}

const list = async <Name extends JsonObject, Value extends Json>(
  machine: MachineScope,
  type: PartType<Name, Value>,
  { files, identities }: NonNullable<PartType<Name, Value>['listing']>,
  scope: readonly Target[],
  deps: ReadDeps,
) => {
  const named = scope.flatMap(({ attributes: { file } }) => (typeof file === 'string' ? [file] : []))
  const objects: Listed[] = []
  const unlisted: UnlistedPlace[] = []
  for (const file of new Set([...named, ...files])) {
    const place = placeIn(machine, file)
    if (place === undefined) continue
    const asked = await askText(place, deps)
    if (asked.kind === 'unknown') unlisted.push({ within: { file }, reason: asked.reason, detail: asked.detail })
    if (asked.kind !== 'text') continue
    const parsed = parseText(asked.text)
    const secret: string[] = []
    for (const identity of identities(parsed)) {
      const { name } = identity
      if (typeof name === 'string' && looksSecret(name, valueIn(type, parsed, identity))) secret.push(name)
      else objects.push({ identity: { file: place.path, ...identity } })
    }
    if (secret.length > 0) unlisted.push({ within: { file }, reason: 'secret', detail: unknowns.secrets(secret) })
  }
  return { kind: 'listed' as const, objects, unlisted }
}
