import type { Problem } from '../../provider.ts'
import { isSent } from '../document/attributes.ts'
import { isListed, type RestResource } from '../document/document.ts'
import { tellsExistence } from '../document/operation.ts'
import type { Part } from '../document/part.ts'
import { problem } from '../document/problem.ts'
import { checkCollection } from './collection.ts'
import { checkRead } from './operation.ts'
import { checkPartWrite } from './part-write.ts'

/** What the keys of a part demand of each other. */
export const checkPart = (resource: RestResource, part: Part): readonly Problem[] => {
  const op = typeof part.read === 'string' ? part.read : part.read.op
  return [
    ...checkRead(resource, op, ['read']),
    ...checkExistence(resource, part, op),
    ...checkListed(resource, part, op),
    ...checkPartWrite(resource, part),
    ...(part.attributes === undefined && part.collection === undefined
      ? [problem([], 'the part has neither attributes nor a collection', 'add one')]
      : []),
    ...checkWritable(resource, part),
    ...checkCollection(resource, part),
  ]
}

/** An operation that lists answers no object, unless it is the list that the object is looked for in. */
const checkListed = (resource: RestResource, part: Part, op: string): readonly Problem[] => {
  const { lookup, discover } = resource
  const lists = ['list' in lookup ? lookup.list.op : undefined, discover?.op]
  const isSelected = typeof part.read !== 'string' && part.read.select !== undefined
  if (!lists.includes(op) || isSelected || isListed(resource, part)) return []
  return [
    problem(
      ['read'],
      `"${op}" answers a list, and no element of it is the object`,
      'read the part with an operation that answers the object, or say which element it is: select',
    ),
  ]
}

/** What no body tells must stand in the URL, or be what nobody can read. */
const checkExistence = ({ operations, lock }: RestResource, part: Part, op: string): readonly Problem[] => {
  const operation = operations[op]
  if (operation === undefined || !tellsExistence(operation)) return []
  const unseen = Object.entries(part.attributes ?? {}).filter(([, entry]) => entry.in !== 'path' && !entry.writeOnly)
  return [
    ...unseen.map(([name]) =>
      problem(
        ['attributes', name],
        `"${name}" is in no answer: "${op}" only tells that the object is there`,
        'say in: path, or read the part with an operation that answers the object',
      ),
    ),
    ...(part.collection === undefined
      ? []
      : [problem(['collection'], `"${op}" answers no list`, 'read the part with an operation that answers one')]),
    ...(lock !== undefined && 'field' in lock
      ? [problem(['read'], `"${op}" answers no object that tells ${lock.field}`, 'use a lock by etag, or none')]
      : []),
  ]
}

/** An attribute that may change needs a way to be written. */
const checkWritable = ({ actions = {}, lifecycle }: RestResource, part: Part): readonly Problem[] => {
  if (part.write !== undefined || lifecycle?.mode === 'reference') return []
  const called = new Set(Object.values(actions).flatMap(({ on, alongside }) => (alongside ? [] : on)))
  return Object.entries(part.attributes ?? {})
    .filter(([name, entry]) => !entry.immutable && isSent(entry, 'update') && !called.has(name))
    .map(([name]) =>
      problem(
        ['attributes', name],
        `"${name}" can change and the part has no write`,
        'add write or an action, or say immutable: true or computed: true',
      ),
    )
}
