import { isObject, type Json, type JsonObject } from './json.ts'

/*
 * Marks stand in a value where something else than plain JSON is meant. Each is an object with a `$` member. What comes
 * from outside (an API's answer, a literal of the configuration) passes `escapeMarks`, so that nobody can smuggle one in.
 */

/** A secret, by its source: `env:`, `file:`, `ssm:`, `secretsmanager:`, or `live:<address>#<pointer>` for a sensitive
 * value of the object itself, taken from the read right before the write. `digest` is the keyed digest of its value. */
export interface SecretMark {
  readonly $secret: string
  readonly digest?: string
}

/** A sensitive value that was read or recorded: only its keyed digest (`hmac-sha256:<name of the key>:<hex>`) is kept. */
export interface SealedMark {
  readonly $sealed: string
}

/** A value that an earlier command will have produced: the JSON pointer into what its resource then is. */
export interface AfterMark {
  readonly $after: string
  readonly pointer: string
  /** Of the attribute that takes it: it is spelled so, whatever the answer held. */
  readonly as?: 'string' | 'number' | 'boolean'
  /** The configuration refers to a sensitive attribute by its name. No other mark is ever filled with a secret. */
  readonly sensitive?: true
}

/** Parts in their order: texts, and what an earlier command produces, which is percent-encoded once it is known. */
export type UrlPart = string | (JsonObject & AfterMark)
export type UrlParts = readonly UrlPart[]

/** An absolute URL. A text is the whole of it and means itself: nothing that stands in it is syntax of ours. */
export type Url = string | UrlParts

/** A reference of the configuration that is not resolved yet. */
export interface ReferenceMark {
  readonly $ref: string
  readonly pointer: string
}

/** Text built from parts of which some are marks. `digest` is the keyed digest of the whole where a part is secret. */
export interface ConcatMark {
  readonly $concat: readonly Json[]
  readonly digest?: string
}

/** Foreign JSON that looks like a mark and is none. */
export interface LiteralMark {
  readonly $literal: Json
}

/** A number as its source writes it, where JavaScript would spell another one. Two are equal that are spelled alike. */
export interface NumberMark {
  readonly $number: string
}

/**
 * An object of a provider as the read right before the write shows it, with what is to differ. Members that nobody names
 * here go back as they were read; no plan, state or ledger ever holds them. Places are JSON pointers; a `*` is every
 * element or member.
 */
export interface LiveMark {
  /** `<address>#<name of the object>`. */
  readonly $live: string
  /** Keyed digest of the object without `except`. Absent: it does not exist yet when this is planned. */
  readonly digest?: string
  /** What is watched in another way, or may move: places that the digest leaves out. */
  readonly except: readonly string[]
  /** Places that do not go back. */
  readonly without: readonly string[]
  /** Place -> value; objects on the way are made where there are none. */
  readonly with: JsonObject
  /** Lists of `with`: place -> members by which an element finds the one that was read, whose other members it keeps. */
  readonly keyed?: Readonly<Record<string, readonly string[]>>
}

const hasMember = (value: Json | undefined, member: string): value is JsonObject =>
  isObject(value) && Object.hasOwn(value, member)

export const isSecret = (value: Json | undefined): value is JsonObject & SecretMark => hasMember(value, '$secret')
export const isSealed = (value: Json | undefined): value is JsonObject & SealedMark => hasMember(value, '$sealed')
export const isAfter = (value: Json | undefined): value is JsonObject & AfterMark => hasMember(value, '$after')
export const isReference = (value: Json | undefined): value is JsonObject & ReferenceMark => hasMember(value, '$ref')
export const isConcat = (value: Json | undefined): value is JsonObject & ConcatMark => hasMember(value, '$concat')
export const isLiteral = (value: Json | undefined): value is JsonObject & LiteralMark => hasMember(value, '$literal')
export const isNumberMark = (value: Json | undefined): value is JsonObject & NumberMark => hasMember(value, '$number')

/** Not one of `isMark`: what is put in stands inside it, and is resolved, filled in and shown like any other value. */
export const isLive = (value: Json | undefined): value is JsonObject & LiveMark => hasMember(value, '$live')

/** True where a mark stands for one opaque value, so that nobody may look for members inside it. */
export const isMark = (value: Json | undefined): boolean =>
  isSecret(value) ||
  isSealed(value) ||
  isAfter(value) ||
  isReference(value) ||
  isConcat(value) ||
  isLiteral(value) ||
  isNumberMark(value)

/** True where the value, or a part of its text, is known only after an earlier command. */
export const isUnknown = (value: Json | undefined): boolean =>
  isAfter(value) || isReference(value) || (isConcat(value) && value.$concat.some(isUnknown))

/** True where the value must not be shown. */
export const isSensitive = (value: Json | undefined): boolean =>
  isSecret(value) ||
  isSealed(value) ||
  (isAfter(value) && value.sensitive === true) ||
  (isConcat(value) && value.$concat.some(isSensitive))

/** The keyed digest behind a sensitive value, where it is known. */
export const sealOf = (value: Json | undefined): string | undefined => {
  if (isSealed(value)) return value.$sealed
  return isSecret(value) || isConcat(value) ? value.digest : undefined
}
