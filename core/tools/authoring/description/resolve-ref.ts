import { fromPointer, valueAt } from '../../../engine/json/pointer.ts'
import type { Json, JsonObject } from '../../../engine/schema/json.ts'
import { isObject } from '../../../engine/schema/json.ts'
import type { DescriptionNote } from '../../../engine/schema/reports/provider-report.ts'
import { notes } from './words.ts'

export interface Piece {
  readonly node: JsonObject
  readonly pointer: string
}

export interface Source {
  readonly root: JsonObject
  readonly version: '2.0' | '3.0' | '3.1'
  note(pointer: string, message: string): void
  notes(): readonly DescriptionNote[]
}

export const openSource = (root: JsonObject, version: Source['version']): Source => {
  const notes = new Map<string, DescriptionNote>()
  return {
    root,
    version,
    note: (pointer, message) => {
      notes.set(`${pointer}\n${message}`, { pointer, message })
    },
    notes: () => [...notes.values()],
  }
}

const maxHops = 32

const decoded = (fragment: string): string => {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

/** Follows references within the description. A reference without a target is noted and gives `undefined`. */
export const resolvePiece = (source: Source, value: Json | undefined, pointer: string): Piece | undefined => {
  let node = value
  let at = pointer
  for (let hop = 0; hop < maxHops; hop += 1) {
    if (!isObject(node)) {
      if (node !== undefined) source.note(at, notes.noObject)
      return undefined
    }
    const ref: Json | undefined = node['$ref']
    if (typeof ref !== 'string') return { node, pointer: at }
    if (!ref.startsWith('#')) {
      source.note(at, notes.otherDocument(ref))
      return undefined
    }
    const target = decoded(ref.slice(1))
    const found = valueAt(source.root, fromPointer(target))
    if (found === undefined) {
      source.note(at, notes.noTarget(ref))
      return undefined
    }
    node = found
    at = target
  }
  source.note(pointer, notes.circle)
  return undefined
}

export const textOf = (value: Json | undefined): string | undefined => (typeof value === 'string' ? value : undefined)

/** Returns the members that are objects; other values are noted. */
export const membersOf = (source: Source, value: Json | undefined, pointer: string): readonly [string, Json][] => {
  if (isObject(value)) return Object.entries(value)
  if (value !== undefined && value !== null) source.note(pointer, notes.noObject)
  return []
}
