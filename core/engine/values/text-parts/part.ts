import type { Json } from '../../schema/json.ts'
import type { TextFile } from './text-file.ts'

export type FoundPart<Value extends Json = Json> =
  | { readonly kind: 'present'; readonly value: Value; readonly at: number; readonly count: number }
  | { readonly kind: 'absent' }
  /** The part may exist, but its value cannot be determined. In that case nothing is written. */
  | { readonly kind: 'unclear'; readonly reason: 'ambiguous' | 'bad_body'; readonly detail: string }

/** One kind of part: `Name` identifies the part, `Value` is its value; `null` removes it. */
export interface PartKind<Name, Value extends Json> {
  find(file: TextFile, name: Name): FoundPart<Value>
  /** Why a file cannot contain a name or a value; a text for people that never repeats the value. */
  refuse(name: Name, value: Value | null): string | undefined
  write(file: TextFile, name: Name, value: Value | null, found: FoundPart<Value>): TextFile
}

/** Line numbers count from 1. */
export const numbersOf = (places: readonly number[]): string => places.map((place) => place + 1).join(', ')
