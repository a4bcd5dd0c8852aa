import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { type Item, type Json, type Key, mapMembers, unreadable } from '#core'
import { keptJson } from '../json-in.ts'

export type Attributes = Record<string, AttributeValue>

/**
 * Objects, lists, and values that DynamoDB would change (numbers beyond its range or precision, text with a lone surrogate)
 * are stored as JSON text. A map around the text distinguishes it from a plain text. It also lifts DynamoDB's limit of 32
 * levels.
 */
const asJsonText = (value: Json): AttributeValue => ({ M: { json: { S: JSON.stringify(value) } } })

export const toAttribute = (value: Json | Uint8Array): AttributeValue => {
  if (value instanceof Uint8Array) return { B: value }
  if (typeof value === 'string' && value.isWellFormed()) return { S: value }
  if (typeof value === 'boolean') return { BOOL: value }
  if (value === null) return { NULL: true }
  return Number.isSafeInteger(value) ? { N: JSON.stringify(value) } : asJsonText(value)
}

/** `undefined`: not written by this code. */
const fromAttribute = (value: AttributeValue): Json | Uint8Array | undefined => {
  if (value.B !== undefined) return value.B
  if (value.S !== undefined) return value.S
  if (value.N !== undefined) return Number(value.N)
  if (value.BOOL !== undefined) return value.BOOL
  if (value.NULL !== undefined) return null
  const text = value.M?.['json']?.S
  return text === undefined ? undefined : (keptJson(text) as Json | undefined)
}

export const toAttributes = (item: Item): Attributes =>
  mapMembers(item, (value) => (value === undefined ? undefined : toAttribute(value)))

/** In the table only: no reader of the store sees it. */
const markName = '#mark'

export const marked = (attributes: Attributes, mark: string): Attributes => ({ ...attributes, [markName]: { S: mark } })

export const isMarkedWith = (attributes: Attributes | undefined, mark: string): boolean =>
  attributes?.[markName]?.S === mark

export const fromAttributes = ({ [markName]: _, ...attributes }: Attributes): Item => {
  const item = mapMembers(attributes, fromAttribute) as unknown as Item
  const isRead = Object.keys(attributes).every((name) => item[name] !== undefined)
  return isRead ? item : { ...item, [unreadable]: true }
}

export const keyAttributes = ({ pk, sk }: Key): Attributes => ({ pk: { S: pk }, sk: { S: sk } })
