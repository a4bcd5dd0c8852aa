import type { Problem } from '../../provider.ts'
import type { AttributeEntry } from '../document/attribute.ts'
import { entriesOf, isSent } from '../document/attributes.ts'
import type { RestResource } from '../document/document.ts'
import type { Part } from '../document/part.ts'
import { problem } from '../document/problem.ts'
import { checkWrite } from './operation.ts'

/** What the way in which a part is written demands of the rest. */
export const checkPartWrite = (resource: RestResource, part: Part): readonly Problem[] => {
  const { write } = part
  if (write === undefined) return []
  const names = (['op', 'create', 'remove'] as const).filter((name) => write[name] !== undefined)
  return [
    ...names.flatMap((name) => checkWrite(resource, write[name] ?? '', ['write', name])),
    ...(write.send === 'template' && write.body === undefined
      ? [problem(['write'], 'send: template needs a body', 'add write.body')]
      : []),
    ...(write.drop !== undefined && write.send !== 'object'
      ? [problem(['write', 'drop'], `send: ${write.send} sends nothing back that could be dropped`, 'remove drop')]
      : []),
    ...checkWholeRead(resource, part),
    ...Object.entries(part.attributes ?? {}).flatMap(([name, entry]) => checkSent(part, name, entry)),
  ]
}

/** The object must have come alone and whole. */
const checkWholeRead = ({ lookup }: RestResource, { read, write }: Part): readonly Problem[] => {
  if (write?.send !== 'object' && write?.send !== 'jsonPatch') return []
  const op = typeof read === 'string' ? read : read.op
  const isListed =
    ('list' in lookup && lookup.list.op === op) || (typeof read !== 'string' && read.select !== undefined)
  return isListed
    ? [
        problem(
          ['write', 'send'],
          `send: ${write.send} needs the whole object, and "${op}" reads a list`,
          'read the part with an operation that answers the object alone',
        ),
      ]
    : []
}

const patches: ReadonlySet<string> = new Set(['object', 'jsonPatch', 'mergePatch'])

const checkSent = (part: Part, name: string, entry: AttributeEntry): readonly Problem[] => {
  const send = part.write?.send ?? 'changed'
  const path = ['attributes', name]
  return [
    ...(entry.clearAs === 'omit' && send === 'changed'
      ? [
          problem(
            [...path, 'clearAs'],
            `left out of a body of what changed, "${name}" would stay as it is`,
            'say clearAs: null, or send the whole object',
          ),
        ]
      : []),
    ...(hasIgnoredKeys(entry) && !entry.immutable && isSent(entry, 'update') && !patches.has(send)
      ? [
          problem(
            [...path, 'ignoreKeys'],
            `send: ${send} sends "${name}" without its ignored keys, and so removes them`,
            'send object, mergePatch or jsonPatch',
          ),
        ]
      : []),
  ]
}

const hasIgnoredKeys = (entry: AttributeEntry): boolean =>
  entry.ignoreKeys !== undefined ||
  Object.values(entry.attributes ?? {}).some(hasIgnoredKeys) ||
  (entry.element !== undefined && hasIgnoredKeys(entry.element))

/** Calls: what triggers them exists, and so does the operation. */
export const checkActions = (resource: RestResource): readonly Problem[] => {
  const entries = Object.assign({}, ...resource.parts.map(entriesOf)) as Readonly<Record<string, AttributeEntry>>
  return Object.entries(resource.actions ?? {}).flatMap(([name, action]) => {
    const path = ['actions', name]
    const unknown = (key: 'on' | 'when', names: readonly string[]) =>
      names
        .filter((attribute) => entries[attribute] === undefined)
        .map((attribute) => problem([...path, key], `"${attribute}" is no attribute`, 'declare it in a part'))
    return [
      ...checkWrite(resource, action.op, [...path, 'op']),
      ...unknown('on', action.on),
      ...unknown('when', Object.keys(action.when ?? {})),
    ]
  })
}
