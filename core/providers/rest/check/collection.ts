import type { RestResource } from '../document/document.ts'
import { takesPosition } from '../document/operation.ts'
import type { Collection, Part } from '../document/part.ts'
import { names } from '../document/template.ts'
import { checkWrite } from './operation.ts'
import { type Findings, found, problem } from './problem.ts'

/** What the keys of a collection demand of each other. */
export const checkCollection = (
  resource: RestResource,
  collection: Collection,
  onCreate: Part['onCreate'],
): Findings => {
  const { write, element, ignore = [], immutable } = collection
  return [
    checkPositions(resource, collection),
    checkKey(collection),
    ignore.map((rule, index) =>
      Object.keys(rule)
        .filter((member) => element[member] === undefined)
        .map((member) => problem(['ignore', index, member], 'notInElement', `"${member}"`, 'element')),
    ),
    write === undefined && !immutable && problem([], 'collectionWithoutWrite'),
    write === undefined && onCreate === 'after' && problem([], 'afterWithoutWrite'),
    found(['write'], checkWrites(resource, collection)),
  ]
}

const isWhole = ({ write }: Collection): boolean => write !== undefined && 'body' in write && names(write.body, 'all')

const checkKey = (collection: Collection): Findings => {
  const { key, ordered, element, write } = collection
  return [
    key?.map(
      (member) =>
        element[member] === undefined && problem(['key'], 'notInElement', `the key member "${member}"`, 'element'),
    ),
    write !== undefined &&
      !isWhole(collection) && [
        key === undefined && problem([], 'noElementKey'),
        ordered && !('each' in write) && problem(['ordered'], 'orderNotWritten'),
      ],
  ]
}

/** What addressing elements by their position demands. */
const checkPositions = (resource: RestResource, collection: Collection): Findings => {
  const { positions, ordered, write, element, manage, ignore } = collection
  const each = write !== undefined && 'each' in write ? write.each : undefined
  if (positions === undefined) return ordered && each !== undefined && problem(['ordered'], 'noPositions')
  return found(
    ['positions'],
    each === undefined && problem([], 'noElementAlone'),
    (manage === 'declared' || ignore !== undefined) && problem([], 'countsUnmanaged'),
    'member' in positions
      ? [
          element[positions.member]?.computed !== true && problem(['member'], 'noComputedMember', positions.member),
          ordered && problem(['member'], 'positionsAreCounted'),
        ]
      : [
          !ordered && problem(['first'], 'onlyOrderedIsCounted'),
          each !== undefined &&
            ![each.create, each.move].some((op) => takesPosition(resource, op)) &&
            problem([], 'noTargetPosition'),
        ],
  )
}

const checkWrites = (resource: RestResource, collection: Collection): Findings => {
  const { write, ignore } = collection
  if (write === undefined) return []
  if ('each' in write) return Object.entries(write.each).map(([name, op]) => checkWrite(resource, op, ['each', name]))
  return [
    checkWrite(resource, write.op, ['op']),
    ignore !== undefined && isWhole(collection) && problem(['body'], 'allRemovesIgnored'),
    !['changes', 'upserts', 'removes', 'all'].some((variable) => names(write.body, variable)) &&
      problem(['body'], 'noChangesInBody'),
  ]
}
