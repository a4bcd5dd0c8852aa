import { AppError } from '../../errors/errors.ts'
import { fromPointer, setAt } from '../../json/pointer.ts'
import type { Json, JsonObject } from '../../schema/json.ts'
import type { ElementOf, LiveMark } from '../../schema/value.ts'
import { valueFaults } from '../words.ts'
import { findElement } from './find-elements.ts'
import { withKnownSecrets } from './known-secrets.ts'
import { layIn } from './lay-in.ts'
import { inside, liveAt, withoutPlaces } from './live-places.ts'

/** The value of a `$live` mark in the object that was just read. Throws OBJECT_CHANGED where it does not hold the former value. */
export const fillLive = (mark: LiveMark, object: JsonObject, onMoved?: (place: string) => void): Json => {
  const { without, with: values, from = {}, lists = {}, at, element } = mark
  const known = withKnownSecrets(object, mark.$live, [from, element?.like ?? null], { without })
  const read = element === undefined ? known : elementIn(known, element, lists)
  if (read === undefined) throw otherValue(mark, element?.in ?? '')
  const whole = Object.entries(values).reduce<Json>(
    (filled, [pointer, value]) => {
      const steps = fromPointer(pointer)
      if (!Object.hasOwn(from, pointer)) return setAt(filled, steps, value)
      // Elements are found by all that was read of them, also by what is not sent back.
      const next = layIn(liveAt(read, steps), from[pointer], value, lists, pointer, inside(without, steps), onMoved)
      if (next !== undefined) return setAt(filled, steps, next)
      throw otherValue(mark, pointer)
    },
    withoutPlaces(read, without),
  )
  return at === undefined ? whole : (liveAt(whole, fromPointer(at)) ?? null)
}

const elementIn = (
  object: Json,
  { in: place, like, key, nth }: ElementOf,
  lists: NonNullable<LiveMark['lists']>,
): Json | undefined => findElement(liveAt(object, fromPointer(place)), like, { ...(key && { key }) }, { lists, nth })

const otherValue = ({ $live }: LiveMark, place: string): AppError =>
  new AppError('OBJECT_CHANGED', { object: $live, detail: valueFaults.otherValue(place) })
