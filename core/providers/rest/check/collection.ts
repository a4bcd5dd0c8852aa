import type { Json, Path } from '../../../schema/json.ts'
import type { Problem } from '../../provider.ts'
import type { RestResource } from '../document/document.ts'
import type { Collection, Part } from '../document/part.ts'
import { problem } from '../document/problem.ts'
import { variablesOf } from '../document/template.ts'
import { checkWrite } from './operation.ts'

/** What the keys of a collection demand of each other. */
export const checkCollection = (resource: RestResource, { collection, onCreate }: Part): readonly Problem[] => {
  if (collection === undefined) return []
  const path: Path = ['collection']
  const { write, element, ignore = [] } = collection
  return [
    ...checkPositions(resource, collection).map((found) => ({ ...found, path: [...path, ...found.path] })),
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
    ...(ordered && write !== undefined && !isWhole && !('each' in write)
      ? [problem(['ordered'], 'where the order counts, the whole list is written', 'send {all}, or use write.each')]
      : []),
  ]
}

/** What addressing elements by their place demands. */
const checkPositions = (resource: RestResource, collection: Collection): readonly Problem[] => {
  const { positions, ordered, write, element, manage, ignore } = collection
  const each = write !== undefined && 'each' in write ? write.each : undefined
  if (positions === undefined)
    return ordered && each !== undefined
      ? [problem(['ordered'], 'nobody knows how the places of its elements are counted', 'say positions: { first: 0 }')]
      : []
  const at: Path = ['positions']
  const member = 'member' in positions ? positions.member : undefined
  return [
    ...(each === undefined
      ? [problem(at, 'no element is addressed alone', 'remove positions, or use write.each')]
      : []),
    ...(manage === 'declared' || ignore !== undefined
      ? [
          problem(
            at,
            'what is left alone would be counted too',
            'manage all elements, or address them by something else',
          ),
        ]
      : []),
    ...(member !== undefined && element[member]?.computed !== true
      ? [
          problem(
            [...at, 'member'],
            `"${member}" is no computed member`,
            'declare it under element with computed: true',
          ),
        ]
      : []),
    ...(member !== undefined && ordered
      ? [problem([...at, 'member'], 'the places of an ordered list are counted', 'say first: 0, or 1')]
      : []),
    ...(member === undefined && !ordered
      ? [problem([...at, 'first'], 'only an ordered list is counted', 'say ordered: true, or member')]
      : []),
    ...(member === undefined && each !== undefined && ![each.create, each.move].some((op) => takesPlace(resource, op))
      ? [problem(at, 'no request says where an element shall stand', 'use {to} in the operation of create or of move')]
      : []),
  ]
}

const takesPlace = ({ operations }: RestResource, op: string | undefined): boolean => {
  const { path = '', query = {}, body = null } = operations[op ?? ''] ?? {}
  return variablesOf([path, query, body]).some(([first]) => first === 'to')
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
