import type { Json } from '../../schema/json.ts'
import type { TextFile } from './text-file.ts'

/** A part of a text file: a line, a block, what a line sets, the keys of a section. */
export type FoundPart<Value extends Json = Json> =
  | { readonly kind: 'present'; readonly value: Value; readonly at: number; readonly count: number }
  | { readonly kind: 'absent' }
  /** It may be there, and what it is cannot be told. Nothing is written then. */
  | { readonly kind: 'unclear'; readonly reason: 'ambiguous' | 'bad_body'; readonly detail: string }

/** What one kind of parts is. `Name` tells the part, `Value` is what it holds; `null` takes it away. */
export interface PartKind<Name, Value extends Json> {
  find(file: TextFile, name: Name): FoundPart<Value>
  /** Why a name or a value cannot stand in a file; a text for people that never repeats the value. */
  refuse(name: Name, value: Value | null): string | undefined
  /** `found` is present or absent. */
  write(file: TextFile, name: Name, value: Value | null, found: FoundPart<Value>): TextFile
}

/** Line numbers count from 1. */
export const numbersOf = (places: readonly number[]): string => places.map((place) => place + 1).join(', ')
