import { isObject, type Json, type JsonObject } from './json.ts'

/*
 * A mark is an object with a `$` member that takes the place of a value. Foreign data (an answer of an API, a literal
 * of the configuration) passes `escapeMarks`, so that nobody can insert a mark.
 */

/** A secret, by its source: `env:`, `file:`, `ssm:`, `secretsmanager:`, or `live:<address>#<pointer>` for a sensitive
 * value of the object itself, taken from the read right before the write; `live:<address>#<name><pointer>` for one that is sent
 * back as the object of that name has it. `digest` is the keyed digest of its value. */
export interface SecretMark {
  readonly $secret: string
  readonly digest?: string
}

/** A sensitive value that was read or recorded: only its keyed digest (`hmac-sha256:<name of the key>:<hex>`) is stored. */
export interface SealedMark {
  readonly $sealed: string
  /** How many members a map or a free object has that is sealed as a whole. */
  readonly members?: number
}

/**
 * A value that an earlier command will produce: a JSON pointer into the resource as it is then. A step into a list may be the key of an
 * element, as JSON.
 */
export interface AfterMark {
  readonly $after: string
  readonly pointer: string
  /**
   * The type of the attribute that receives the value. The value is spelled as this type, whatever type the answer had.
   */
  readonly as?: 'string' | 'number' | 'boolean'
  /**
   * The configuration itself names a sensitive attribute. Only a mark with this member is ever replaced by a secret.
   */
  readonly sensitive?: true
}

/** Parts in order: texts, and values of earlier commands, which are percent-encoded once they are known. */
export type UrlPart = string | (JsonObject & AfterMark)
export type UrlParts = readonly UrlPart[]

/** An absolute URL. A text is the complete, literal URL, without any syntax of Plumbline. */
export type Url = string | UrlParts

/** A reference of the configuration that is not resolved yet. */
export interface ReferenceMark {
  readonly $ref: string
  readonly pointer: string
}

/**
 * Text built from parts, some of which are marks. `digest` is the keyed digest of the whole if a part is secret. `encoding`:
 * the text is sent in Base64, once its parts are known.
 */
export interface ConcatMark {
  readonly $concat: readonly Json[]
  readonly encoding?: 'base64'
  readonly digest?: string
}

/** A map in a configuration, some of whose keys are references that are not resolved yet. */
export interface EntriesMark {
  readonly $entries: readonly (readonly [key: Json, value: Json])[]
}

/** Foreign JSON that looks like a mark and is not one. */
export interface LiteralMark {
  readonly $literal: Json
}

/**
 * A number in the spelling of its source, if JavaScript would spell it differently. Two such numbers are equal if their
 * spelling is equal.
 */
export interface NumberMark {
  readonly $number: string
}

/** `key`: pointers within an element to what identifies it; without it, all that a request names of the element does. */
export type ListRule = {
  readonly key?: readonly string[]
  /** Pointers within an element to what no read shows: it tells no element from another one. */
  readonly unseen?: readonly string[]
  /** Its order has no meaning. */
  readonly isSet?: true
  /** Of a set on the way back: what comes is put ahead of the next of ours that is there. */
  readonly comesBack?: true
  /** No list, but any JSON, which is replaced as a whole: all of it is a value, nulls too. */
  readonly isWhole?: true
  /** No list, but a map: a member with null is one of its members. */
  readonly isMap?: true
  /** Of a map that is hidden as a whole: keys that stay, `*` is any text; each other one that a request does not name goes. */
  readonly keeps?: readonly string[]
}

/** The element of the list at a place that has these members. `nth`: its index, where others have its key too. */
export type ElementOf = {
  readonly in: string
  readonly like: Json
  readonly key?: readonly string[]
  readonly nth?: number
}

/**
 * An object of a provider as the read right before the write shows it, with changes. Members that the mark does not
 * name are sent back as they were read; no plan, state or ledger ever contains them. Places are JSON pointers; `*` is
 * every element or member.
 */
export interface LiveMark {
  /** `<address>#<name of the object>`. */
  readonly $live: string
  /** Keyed digest of the object without `except`. Absent: the object does not exist yet at planning time. */
  readonly digest?: string
  /** Places that the digest leaves out, because they are compared in another way or may change. */
  readonly except: readonly string[]
  /** Places that are not sent back: they have a value only where the write changes it. */
  readonly without: readonly string[]
  /** Place -> value; missing objects on the way to the place are created. */
  readonly with: JsonObject
  /**
   * Place -> the former value, for values in `with` that are laid into what was read: it is changed as the two differ. Members
   * and elements that neither names stay as they were read.
   */
  readonly from?: JsonObject
  /** How lists inside of such values are compared, by their place within the object; `*` is every element or member. */
  readonly lists?: Readonly<Record<string, ListRule>>
  /** The place within the object of what the mark stands for; absent: the whole object. */
  readonly at?: string
  /** The mark stands for one element of a list of the object, and its places are within that element. */
  readonly element?: ElementOf
}

const hasMember = (value: Json | undefined, member: string): value is JsonObject =>
  isObject(value) && Object.hasOwn(value, member)

export const isSecret = (value: Json | undefined): value is JsonObject & SecretMark => hasMember(value, '$secret')
export const isSealed = (value: Json | undefined): value is JsonObject & SealedMark => hasMember(value, '$sealed')
export const isAfter = (value: Json | undefined): value is JsonObject & AfterMark => hasMember(value, '$after')
export const isReference = (value: Json | undefined): value is JsonObject & ReferenceMark => hasMember(value, '$ref')
export const isConcat = (value: Json | undefined): value is JsonObject & ConcatMark => hasMember(value, '$concat')
export const isEntries = (value: Json | undefined): value is JsonObject & EntriesMark => hasMember(value, '$entries')
export const isLiteral = (value: Json | undefined): value is JsonObject & LiteralMark => hasMember(value, '$literal')
export const isNumberMark = (value: Json | undefined): value is JsonObject & NumberMark => hasMember(value, '$number')

/**
 * `isMark` does not include live marks: the inserted values inside them are resolved, filled in and shown like any
 * other value.
 */
export const isLive = (value: Json | undefined): value is JsonObject & LiveMark => hasMember(value, '$live')

/** Whether a mark is one opaque value, so that its members must not be used. */
export const isMark = (value: Json | undefined): boolean =>
  isSecret(value) ||
  isSealed(value) ||
  isAfter(value) ||
  isReference(value) ||
  isConcat(value) ||
  isEntries(value) ||
  isLiteral(value) ||
  isNumberMark(value)

/** Whether the value, or a part of its text, is known only after an earlier command. */
export const isUnknown = (value: Json | undefined): boolean =>
  isAfter(value) || isReference(value) || isEntries(value) || (isConcat(value) && value.$concat.some(isUnknown))

export const isSensitive = (value: Json | undefined): boolean =>
  isSecret(value) ||
  isSealed(value) ||
  (isAfter(value) && value.sensitive === true) ||
  (isConcat(value) && value.$concat.some(isSensitive))

/** The keyed digest of a sensitive value, if it is known. */
export const sealOf = (value: Json | undefined): string | undefined => {
  if (isSealed(value)) return value.$sealed
  return isSecret(value) || isConcat(value) ? value.digest : undefined
}
