import type { Json } from '../../../schema/json.ts'
import { afterMarks } from '../../../schema/value.ts'
import type { Known } from './fill-known.ts'

/** The resources of which a value waits for something that is not known. */
export const unknownIn = (value: Json, known: Known): ReadonlySet<string> =>
  new Set(afterMarks(value).flatMap((mark) => (known(mark) === undefined ? [mark.$after] : [])))
