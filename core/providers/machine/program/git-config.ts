import type { Listed, UnlistedPlace } from '../../../engine/provider/listing.ts'
import type { PlannedChange, ReadDeps, ResourceType, Target } from '../../../engine/provider/provider.ts'
import type { ObjectSchema } from '../../../engine/schema/attribute.ts'
import type { CommandDraft, Request } from '../../../engine/schema/command.ts'
import type { Json, JsonObject } from '../../../engine/schema/json.ts'
import type { ReadResult, UnknownResult } from '../../../engine/schema/resource.ts'
import { isSensitive } from '../../../engine/schema/value.ts'
import { defined } from '../../../engine/values/defined.ts'
import { looksSecret } from '../../../engine/values/texts/looks-secret.ts'
import { preparePath, preparing } from '../file/prepare.ts'
import { fileAttribute } from '../part/part-type.ts'
import { isOneArgument } from '../shared/argument.ts'
import { askProgram, askText, callOf, placeFor } from '../shared/ask.ts'
import type { FilePlace } from '../shared/place.ts'
import { splitReplacement } from '../shared/replacement.ts'
import type { MachineScope } from '../shared/scope.ts'
import { descriptions, doing, refusals, unknowns } from '../shared/words.ts'

const defaultFile = '.gitconfig'

const schema: ObjectSchema = {
  attributes: {
    file: fileAttribute(descriptions.gitFile, defaultFile),
    key: { type: 'string', identity: true, required: true, immutable: true, description: descriptions.gitKey },
    value: { type: 'string', required: true, nullMeans: 'reject', description: descriptions.gitValue },
  },
}

/** Section and name have no case; what is between them has: https://git-scm.com/docs/git-config#_syntax */
const keyPattern = /^([A-Za-z0-9][A-Za-z0-9.-]*?)(\.[^\n\0]*)?\.([A-Za-z][A-Za-z0-9-]*)$/

const canonicalKey = (key: string): string | undefined => {
  if (key.length > 1_000) return undefined
  const first = key.indexOf('.')
  const last = key.lastIndexOf('.')
  if (!keyPattern.test(key) || first < 1) return undefined
  const section = key.slice(0, first)
  if (!/^[A-Za-z0-9-]+$/.test(section) || section.startsWith('-')) return undefined
  return `${section.toLowerCase()}${key.slice(first, last)}${key.slice(last).toLowerCase()}`
}

/** One key of a file of git's configuration. Git itself reads and writes it. */
export const gitConfigType = (machine: MachineScope): ResourceType => ({
  name: 'machine_git_config',
  schema,
  lifecycle: { onImmutable: 'replace' },
  urlOf: ({ file, key }) => {
    const place = placeFor(machine, file)
    return 'kind' in place || typeof key !== 'string' ? undefined : `${place.url}#git=${JSON.stringify(key)}`
  },
  prepare: (written) =>
    preparing((refuse) => {
      const file = preparePath('file', written['file'] ?? defaultFile, machine, refuse)
      const { key } = written
      const canonical = typeof key === 'string' ? canonicalKey(key) : undefined
      if (typeof key === 'string' && canonical === undefined) refuse('key', refusals.gitKey(key))
      return { ...written, ...file, ...defined({ key: canonical }) }
    }),
  validate: ({ value }) => {
    if (isSensitive(value)) return [{ path: ['value'], ...refusals.secretArgument('value') }]
    if (typeof value !== 'string') return []
    if (/[\n\r\0]/.test(value)) return [{ path: ['value'], ...refusals.gitValue() }]
    return isOneArgument(value) ? [] : [{ path: ['value'], ...refusals.longArgument('value') }]
  },
  read: ({ attributes }, deps) => read(machine, attributes, deps),
  commands: (change) => splitReplacement(change).flatMap((each) => commandsFor(machine, each)),
  list: (scope, deps) => list(machine, scope, deps),
})

const entries = async (
  machine: MachineScope,
  place: FilePlace,
  deps: ReadDeps,
): Promise<{ readonly kind: 'entries'; readonly entries: readonly (readonly [string, string])[] } | UnknownResult> => {
  // Through the files first: they know links to the outside, missing files and missing rights; git says one thing of all.
  const asked = await askText(place, deps)
  if (asked.kind === 'unknown') return asked
  if (asked.kind === 'absent') return { kind: 'entries', entries: [] }
  const output = await askProgram(machine, 'git', ['config', '--file', place.absolute, '--null', '--list'], deps)
  if (output.kind !== 'output') return output
  const pairs = output.text
    .split('\0')
    .slice(0, -1)
    .map((entry): readonly [string, string] => {
      const at = entry.indexOf('\n')
      // A key without a sign of equality is true.
      return at === -1 ? [entry, 'true'] : [entry.slice(0, at), entry.slice(at + 1)]
    })
  return { kind: 'entries', entries: pairs }
}

const read = async (machine: MachineScope, { file, key }: JsonObject, deps: ReadDeps): Promise<ReadResult> => {
  const place = placeFor(machine, file)
  if ('kind' in place) return place
  if (typeof key !== 'string') return { kind: 'unknown', reason: 'unresolved', detail: unknowns.openName }
  const found = await entries(machine, place, deps)
  if (found.kind === 'unknown') return found
  const [first, ...others] = found.entries.filter(([name]) => name === key)
  if (first === undefined) return { kind: 'absent' }
  if (others.length > 0) return { kind: 'unknown', reason: 'ambiguous', detail: unknowns.severalValues(key) }
  return { kind: 'present', attributes: { file: place.path, key, value: first[1] } }
}

const commandsFor = (machine: MachineScope, { action, before, desired }: PlannedChange): readonly CommandDraft[] => {
  const place = placeFor(machine, desired['file'])
  const { key } = desired
  if ('kind' in place || typeof key !== 'string') return []
  const call = (...args: readonly Json[]): Request =>
    callOf(machine, 'write', 'git', ['config', '--file', place.absolute, ...args])
  // After the key git takes no options, so that a value may begin with a dash.
  const set = (value: Json): Request => call('--replace-all', key, value)
  const unset = call('--unset-all', key)
  if (before === null) {
    const request = set(desired['value'] ?? '')
    const description = doing.add(key, place.path)
    return [{ action: 'create', description, request, grade: 'reversible', inverse: unset }]
  }
  const inverse = set(before['value'] ?? '')
  return action === 'delete'
    ? [{ action, description: doing.takeAway(key, place.path), request: unset, grade: 'reversible', inverse }]
    : [
        {
          action: 'update',
          description: doing.change(key, place.path),
          request: set(desired['value'] ?? ''),
          grade: 'reversible',
          inverse,
        },
      ]
}

const list = async (machine: MachineScope, scope: readonly Target[], deps: ReadDeps) => {
  const files = new Set([...scope.map(({ attributes }) => attributes['file'] ?? defaultFile), defaultFile])
  const objects: Listed[] = []
  const unlisted: UnlistedPlace[] = []
  for (const file of files) {
    const place = placeFor(machine, file)
    const found = 'kind' in place ? place : await entries(machine, place, deps)
    if (found.kind === 'unknown') {
      unlisted.push({ within: { file }, reason: found.reason, detail: found.detail })
      continue
    }
    const secret = new Set(found.entries.filter((entry) => looksSecret(...entry)).map(([key]) => key))
    const keys = new Set(found.entries.map(([key]) => key)).difference(secret)
    for (const key of keys) objects.push({ identity: { file, key } })
    if (secret.size > 0) unlisted.push({ within: { file }, reason: 'secret', detail: unknowns.secrets([...secret]) })
  }
  return { kind: 'listed' as const, objects, unlisted }
}
