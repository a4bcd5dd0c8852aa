import { toPointer } from '../../../schema/json.ts'
import type { Judged } from '../../../transport/answer/answer-errors.ts'
import { defined } from '../../../values/defined.ts'
import type { Operation } from '../document/operation.ts'
import { placeOf } from '../document/template.ts'

const pointerTo = (place: string): string => toPointer(placeOf(place))

/** What tells success from failure in the answers of an operation. */
export const judgedBy = ({ success, errors }: Operation): Judged => {
  const messages = errors?.message === undefined ? [] : [errors.message].flat()
  const when = errors?.when?.map(({ place, ...rule }) => ({ pointer: pointerTo(place), ...rule }))
  return defined({ success, errors: errors && { message: messages.map(pointerTo), ...defined({ when }) } })
}
