import type { AttributeType } from '../schema/attribute.ts'
import type { Json } from '../schema/json.ts'
import { isNumberMark, type NumberMark } from '../schema/value.ts'

/** Whether a text spells an integer beyond 2^53 in the form of JSON. Equal integers have equal texts. */
export const isLargeInteger = (text: string): boolean =>
  /^-?[1-9]\d{15,308}$/.test(text) && !Number.isSafeInteger(Number(text))

/**
 * The number of a configuration that a text spells; an integer beyond 2^53 is a mark, which keeps all its digits. `undefined`
 * if neither holds it: an integer that is not written with all its digits, and a number beyond 1e308.
 */
export const writtenNumber = (source: string, value: number): Json | undefined => {
  if (!Number.isInteger(value) || Number.isSafeInteger(value)) return Number.isFinite(value) ? value : undefined
  const digits = /^[-+]?\d+$|^0[xo][\da-f]+$/i.test(source) ? digitsOf(source) : ''
  return isLargeInteger(digits) ? { $number: digits } : undefined
}

const digitsOf = (source: string): string =>
  source.startsWith('-') ? String(-BigInt(source.slice(1))) : String(BigInt(source))

/** Whether a value of a configuration is such a mark. A mapping that somebody writes in this form means the same number. */
export const isLargeNumber = (value: Json | undefined): value is { readonly [member: string]: Json } & NumberMark =>
  isNumberMark(value) &&
  typeof value.$number === 'string' &&
  isLargeInteger(value.$number) &&
  Object.keys(value).length === 1

/** The digits of an integer beyond 2^53 that an answer gives as text, or as a number if JavaScript holds it exactly. */
export const answeredDigits = (value: Json | undefined): string | undefined => {
  const digits = typeof value === 'number' || typeof value === 'string' ? String(value) : ''
  return isLargeInteger(digits) ? digits : undefined
}

/** The same for a value of this type: where anything may stand, a text of digits is a text. */
export const largeDigits = (type: AttributeType, value: Json | undefined): string | undefined => {
  if (isLargeNumber(value)) return value.$number
  return type === 'any' && typeof value === 'string' ? undefined : answeredDigits(value)
}

/** A number of a configuration for exact comparisons; `undefined` for what is no number. */
export const magnitudeOf = (value: Json | undefined): number | bigint | undefined => {
  if (isLargeNumber(value)) return BigInt(value.$number)
  return typeof value === 'number' ? value : undefined
}
