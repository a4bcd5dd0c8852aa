import { canonicalJson, digest } from '../../digest.ts'
import type { Json } from '../../schema/json.ts'
import { isArray, isObject } from '../../schema/json.ts'

/** What a name is made of: the values that identify an object, the outermost first. */
export interface Nameless {
  readonly type: string
  readonly identity: readonly Json[]
}

const longest = 60

/**
 * A name for each, from nothing but what identifies it: the same object gets the same one, in whatever order and company
 * it is found. Where two would be alike, both get a part of their digest, and so does one whose name is taken.
 */
export const nameObjects = (objects: readonly Nameless[], taken: ReadonlySet<string>): readonly string[] => {
  const plain = objects.map(plainName)
  const counts = new Map<string, number>()
  for (const [index, object] of objects.entries()) count(counts, addressOf(object, plain[index] ?? ''))
  const used = new Set(taken)
  return objects.map((object, index) => {
    const name = plain[index] ?? ''
    const isAlone = counts.get(addressOf(object, name)) === 1 && !used.has(addressOf(object, name))
    const chosen = isAlone ? name : distinct(object, name, used)
    used.add(addressOf(object, chosen))
    return chosen
  })
}

const addressOf = ({ type }: Nameless, name: string): string => `${type}.${name}`

const count = (counts: Map<string, number>, key: string): void => {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

const distinct = (object: Nameless, name: string, used: ReadonlySet<string>): string => {
  const hex = digest(object.identity as Json).slice('sha256:'.length)
  for (let length = 6; length < hex.length; length += 1) {
    const longer = `${name}_${hex.slice(0, length)}`
    if (!used.has(addressOf(object, longer))) return longer
  }
  return `${name}_${hex}`
}

const plainName = ({ type, identity }: Nameless): string => {
  const words = identity.map(wordOf).filter((word) => word !== '')
  const name = words.join('_').slice(0, longest).replace(/_+$/, '')
  return name === '' ? (type.split('_').at(-1) ?? type) : name
}

const wordOf = (value: Json): string => {
  const isEmpty = value === null || ((isArray(value) || isObject(value)) && Object.keys(value).length === 0)
  const text = isEmpty ? '' : typeof value === 'string' ? value : canonicalJson(value)
  return text.replaceAll(/[^A-Za-z0-9_-]+/g, '_').replaceAll(/^_+|_+$/g, '')
}
