import * as z from 'zod'
import { described, name, optional } from '../../../../engine/schema/described.ts'
import { place, several, where, withMembers } from '../shared/words.ts'

const bulkList = z.strictObject({
  op: described(name, 'The operation that lists, with no variable that one object has.', 'list'),
  items: described(place.default(''), 'Where its answer has the list.', 'nodes'),
  match: described(
    withMembers(where, 'at least one value tells the item'),
    'Values that the item of the request has, by their places.',
    { name: '{name}' },
  ),
  at: described(
    place.default(''),
    'Where the item has what the operation would answer (at its own `answer`).',
    'branchProtectionRules',
  ),
  for: optional(
    several(name),
    'Attributes that only this list shows, of several: it is not read if none of them is declared.',
    ['allow_auto_merge'],
  ),
})

/** Where an operation names the lists that answer it for many objects. */
export const bulk = optional(
  several(bulkList),
  'Lists that show for many objects what this read answers for one. Members of several lists come together in one answer. They spare requests, and decide nothing else: what is not as declared, or what they do not show, is read by this operation. They are read only if they replace at least ten requests and take at most half as many.',
  [{ op: 'list', match: { name: '{name}' } }],
)
export type BulkList = z.infer<typeof bulkList>

/** The lists that are read for what is declared. */
export const listsFor = (
  { bulk: lists = [] }: { readonly bulk?: readonly BulkList[] | undefined },
  names: readonly string[],
): readonly BulkList[] =>
  lists.filter(({ for: only }) => only === undefined || only.some((each) => names.includes(each)))
