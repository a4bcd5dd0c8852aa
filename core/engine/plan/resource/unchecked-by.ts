import type { ObjectSchema } from '../../schema/attribute.ts'
import type { Address, RecordedResource, UnknownResult } from '../../schema/resource.ts'
import type { Unchecked } from '../../schema/stored/plan.ts'
import { successorTo } from '../../values/addresses/successor.ts'
import { defined } from '../../values/defined.ts'
import { besideUnclear, importOne, leftAmong, leftSent, leftUnread } from '../words.ts'

/** What could not be read, with the way out. `left`: the record of what left the configuration. */
export const uncheckedBy = (
  address: Address,
  result: UnknownResult,
  left: RecordedResource | undefined,
  schema: ObjectSchema,
): Unchecked => {
  const { reason, detail, permission, among } = result
  const owner = successorTo(address)
  const isUnclear = reason === 'ambiguous' && owner !== address
  const isLeft = reason === 'unexpected_status' && owner === address && left !== undefined
  const ofSeveral = among === undefined ? undefined : left === undefined ? importOne : leftAmong(namesIn(schema, left))
  const ofSent = reason === 'ambiguous' && left?.doubted === 'sent' ? leftSent(namesIn(schema, left)) : undefined
  const way = isUnclear ? besideUnclear(address, owner) : isLeft ? leftUnread : (ofSeveral ?? ofSent)
  return {
    address,
    reason,
    detail: way === undefined ? detail : `${detail}; ${way}`,
    ...defined({ permission }),
  }
}

const namesIn = (schema: ObjectSchema, { attributes }: RecordedResource): string =>
  Object.entries(schema.attributes)
    .flatMap(([key, { identity }]) => {
      const value = attributes[key]
      if (identity !== true) return []
      return typeof value === 'string' || typeof value === 'number' ? [`${key}: ${value}`] : []
    })
    .join(', ')
