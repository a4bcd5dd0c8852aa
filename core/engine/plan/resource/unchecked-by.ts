import type { ObjectSchema } from '../../schema/attribute.ts'
import type { Address, RecordedResource, UnknownResult } from '../../schema/resource.ts'
import type { Unchecked } from '../../schema/stored/plan.ts'
import { successorTo } from '../../values/addresses/successor.ts'
import { defined } from '../../values/defined.ts'
import type { ResourceInput } from '../planning.ts'
import { besideUnclear, importOne, leftAmong, leftUnread, sentAs } from '../words.ts'

/** What could not be read, with the way out. */
export const uncheckedBy = (
  address: Address,
  result: UnknownResult,
  { desired, recorded, facts: { schema } }: Pick<ResourceInput, 'desired' | 'recorded' | 'facts'>,
): Unchecked => {
  const { reason, detail, permission, among } = result
  const owner = successorTo(address)
  const isUnclear = reason === 'ambiguous' && owner !== address
  const left = desired === undefined ? recorded : undefined
  const isUnread = reason === 'unexpected_status' && owner === address && left !== undefined
  const ofSeveral = among === undefined ? undefined : left === undefined ? importOne : leftAmong(namesIn(schema, left))
  const isSent = reason === 'ambiguous' && recorded?.doubted === 'sent'
  const ofSent = isSent ? sentAs(namesIn(schema, recorded), desired === undefined) : undefined
  const way = isUnclear ? besideUnclear(address, owner) : isUnread ? leftUnread : (ofSeveral ?? ofSent)
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
