import type { SQLOutputValue } from 'node:sqlite'
import { defined, type Item, isArray, isObject, type Json, type Key, unreadable } from '#core'
import { keptJson } from '../json-in.ts'

/** Blobs are sorted by their bytes, as DynamoDB sorts its keys. */
export const keyBlobs = ({ pk, sk }: Key): [Buffer, Buffer] => [Buffer.from(pk), Buffer.from(sk)]

/**
 * An item as it is stored: JSON, which keeps every number and also half of a surrogate pair, and its binary values,
 * concatenated. They are in the blob in the order of `bytes`.
 */
interface StoredJson {
  readonly json: Record<string, unknown>
  readonly bytes: readonly (readonly [string, number])[]
}

export interface ItemRow {
  readonly ttl: number | null
  readonly json: string
  readonly bytes: Buffer | null
}

export const toRow = (item: Item): ItemRow => {
  const attributes = Object.entries(item).filter(([name]) => name !== 'pk' && name !== 'sk')
  const blobs = attributes.flatMap(([name, value]) => (value instanceof Uint8Array ? [[name, value] as const] : []))
  const kept: StoredJson = {
    json: Object.fromEntries(attributes.filter(([, value]) => !(value instanceof Uint8Array))),
    bytes: blobs.map(([name, value]) => [name, value.byteLength]),
  }
  return {
    ttl: item.ttl ?? null,
    json: JSON.stringify(kept),
    bytes: blobs.length === 0 ? null : Buffer.concat(blobs.map(([, value]) => value)),
  }
}

const textOf = (blob: SQLOutputValue | undefined): string => Buffer.from(blob as Uint8Array).toString()

const ttlOf = ({ ttl }: Record<string, SQLOutputValue>): number | undefined =>
  typeof ttl === 'number' ? ttl : undefined

const storedIn = (text: string): StoredJson | undefined => {
  const value = keptJson(text) as Json | undefined
  return isObject(value) && isObject(value['json']) && isArray(value['bytes'])
    ? (value as unknown as StoredJson)
    : undefined
}

/** A row that was not written by this code is an unreadable item. */
export const fromRow = (row: Record<string, SQLOutputValue>): Item => {
  const keys = { pk: textOf(row['pk']), sk: textOf(row['sk']) }
  const stored = storedIn(String(row['json']))
  if (stored === undefined) return { ...keys, [unreadable]: true, ...defined({ ttl: ttlOf(row) }) }
  const { json, bytes } = stored
  const blob = (row['bytes'] ?? new Uint8Array()) as Uint8Array
  let start = 0
  const blobs = bytes.map(([name, length]) => {
    start += length
    return [name, new Uint8Array(blob.subarray(start - length, start))] as const
  })
  return Object.fromEntries([...Object.entries(keys), ...Object.entries(json), ...blobs]) as unknown as Item
}
