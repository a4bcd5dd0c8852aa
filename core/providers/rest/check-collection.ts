import type { Json, Path } from '../../schema/json.ts'
import type { Problem } from '../provider.ts'
import { checkWrite, problem } from './check-operation.ts'
import type { RestResource } from './document.ts'
import type { Collection, Part } from './document-part.ts'
import { variablesOf } from './template.ts'

/** What the keys of a collection demand of each other. */
export const checkCollection = (resource: RestResource, { collection, onCreate }: Part): readonly Problem[] => {
  if (collection === undefined) return []
  const path: Path = ['collection']
  const { write, element, ignore = [] } = collection
  return [
    ...checkKey(collection).map((found) => ({ ...found, path: [...path, ...found.path] })),
    ...ignore.flatMap((rule, index) =>
      Object.keys(rule)
        .filter((member) => element[member] === undefined)
        .map((member) =>
          problem([...path, 'ignore', index, member], `"${member}" is not in element`, 'declare it under element'),
        ),
    ),
    ...(write === undefined && !collection.immutable
      ? [problem(path, 'the collection can change and has no write', 'add write, or say immutable: true')]
      : []),
    ...(write === undefined && onCreate === 'after'
      ? [problem(path, 'onCreate: after needs a write', 'add write')]
      : []),
    ...(write === undefined ? [] : checkWrites(resource, collection, [...path, 'write'])),
  ]
}

const checkKey = ({ key, ordered, element, write }: Collection): readonly Problem[] => {
  const isWhole = write !== undefined && 'body' in write && usesAll(write.body)
  return [
    ...(key ?? [])
      .filter((member) => element[member] === undefined)
      .map((member) => problem(['key'], `the key member "${member}" is not in element`, 'declare it under element')),
    ...(key === undefined && write !== undefined && !isWhole
      ? [problem([], 'elements that are written one by one need a key', 'add key, or send {all}')]
      : []),
    ...(ordered && write !== undefined && !isWhole
      ? [problem(['ordered'], 'where the order counts, the whole list is written', 'send {all}')]
      : []),
  ]
}

const checkWrites = (resource: RestResource, { write, ignore }: Collection, path: Path): readonly Problem[] => {
  if (write === undefined) return []
  if ('each' in write) {
    return Object.entries(write.each).flatMap(([name, op]) => checkWrite(resource, op, [...path, 'each', name]))
  }
  return [
    ...checkWrite(resource, write.op, [...path, 'op']),
    ...(ignore !== undefined && usesAll(write.body)
      ? [
          problem(
            [...path, 'body'],
            'a write of the whole list removes the ignored elements',
            'send {changes}, or ignore nothing',
          ),
        ]
      : []),
    ...(variablesOf(write.body).some(([first]) => listVariables.has(String(first)))
      ? []
      : [problem([...path, 'body'], 'the body holds no changes', 'use {changes}, {upserts}, {removes} or {all}')]),
  ]
}

const usesAll = (body: Json): boolean => variablesOf(body).some(([first]) => first === 'all')

const listVariables = new Set(['changes', 'upserts', 'removes', 'all'])
