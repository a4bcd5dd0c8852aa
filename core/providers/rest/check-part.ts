import type { Json, Path } from '../../schema/json.ts'
import type { Problem } from '../provider.ts'
import { checkRead, checkWrite, problem } from './check-operation.ts'
import type { Part, RestResource } from './document.ts'
import { isSent } from './encode.ts'
import { variablesOf } from './template.ts'

/** What the keys of a part demand of each other. */
export const checkPart = (resource: RestResource, part: Part): readonly Problem[] => {
  const op = typeof part.read === 'string' ? part.read : part.read.op
  return [
    ...checkRead(resource, op, ['read']),
    ...(part.write === undefined ? [] : checkWrite(resource, part.write.op, ['write', 'op'])),
    ...(part.write?.send === 'template' && part.write.body === undefined
      ? [problem(['write'], 'send: template needs a body', 'add write.body')]
      : []),
    ...(part.attributes === undefined && part.collection === undefined
      ? [problem([], 'the part has neither attributes nor a collection', 'add one')]
      : []),
    ...checkWritable(part),
    ...checkCollection(resource, part),
  ]
}

/** An attribute that may change needs a way to be written. */
const checkWritable = (part: Part): readonly Problem[] => {
  if (part.write !== undefined) return []
  return Object.entries(part.attributes ?? {})
    .filter(([, entry]) => !entry.immutable && isSent(entry, 'update'))
    .map(([name]) =>
      problem(
        ['attributes', name],
        `"${name}" can change and the part has no write`,
        'add write, or say immutable: true or computed: true',
      ),
    )
}

const checkCollection = (resource: RestResource, { collection, onCreate }: Part): readonly Problem[] => {
  if (collection === undefined) return []
  const path: Path = ['collection']
  const { write, key, element } = collection
  return [
    ...key
      .filter((member) => element[member] === undefined)
      .map((member) =>
        problem([...path, 'key'], `the key member "${member}" is not in element`, 'declare it under element'),
      ),
    ...(collection.ignore ?? []).flatMap((rule, index) =>
      Object.keys(rule)
        .filter((member) => element[member] === undefined)
        .map((member) =>
          problem([...path, 'ignore', index, member], `"${member}" is not in element`, 'declare it under element'),
        ),
    ),
    ...(write === undefined ? [] : checkWrite(resource, write.op, [...path, 'write', 'op'])),
    ...(write === undefined && !collection.immutable
      ? [problem(path, 'the collection can change and has no write', 'add write, or say immutable: true')]
      : []),
    ...(write !== undefined && collection.ignore !== undefined && usesAll(write.body)
      ? [
          problem(
            [...path, 'write', 'body'],
            'a write of the whole list removes the ignored elements',
            'send {changes}, or ignore nothing',
          ),
        ]
      : []),
    ...(write === undefined && onCreate === 'after'
      ? [problem(path, 'onCreate: after needs a write', 'add write')]
      : []),
    ...(write !== undefined && !variablesOf(write.body).some(([first]) => listVariables.has(String(first)))
      ? [
          problem(
            [...path, 'write', 'body'],
            'the body holds no changes',
            'use {changes}, {upserts}, {removes} or {all}',
          ),
        ]
      : []),
  ]
}

const usesAll = (body: Json): boolean => variablesOf(body).some(([first]) => first === 'all')

const listVariables = new Set(['changes', 'upserts', 'removes', 'all'])
