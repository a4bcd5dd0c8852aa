import type { Json } from '../../schema/json.ts'
import { isSealed, type SealedMark } from '../../schema/value.ts'

/** Where the value is as the answer spells it, and the keyed digest of that. */
type AsRead = {
  /** `<name of the part><pointer into its object>`. */
  readonly at: string
  readonly digest: string
  /** A declared value could be sent in another form, although it means the same. */
  readonly isOther?: true
  /** It does not tell which element it is in. */
  readonly isUnsure?: true
}

/** A sensitive value that does not change: a request sends it back in the form in which it was read. No plan has such a mark. */
type SealedAsRead = SealedMark & { readonly asRead: AsRead }

export const isSealedAsRead = (value: Json | undefined): value is { readonly [member: string]: Json } & SealedAsRead =>
  isSealed(value) && Object.hasOwn(value, 'asRead')
