import { canonicalJson } from '../../../engine/json/canonical.ts'
import { digest } from '../../../engine/json/digest.ts'
import type { Json } from '../../../engine/schema/json.ts'

/** The parts of a name: the values that identify an object, the outermost first. */
export interface Nameless {
  readonly type: string
  readonly identity: readonly Json[]
}

const longest = 60

/**
 * Makes each name from the identity alone, so that the order of the objects never changes it. Equal names get a part of
 * their digest.
 */
export const nameObjects = (objects: readonly Nameless[], taken: ReadonlySet<string>): readonly string[] => {
  const alike = Map.groupBy(objects, (object) => addressOf(object, plainName(object)))
  const used = new Set(taken)
  return objects.map((object) => {
    const name = plainName(object)
    const isAlone = alike.get(addressOf(object, name))?.length === 1 && !used.has(addressOf(object, name))
    const chosen = isAlone ? name : distinct(object, name, used)
    used.add(addressOf(object, chosen))
    return chosen
  })
}

const addressOf = ({ type }: Nameless, name: string): string => `${type}.${name}`

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
  if (value === null) return ''
  const text = typeof value === 'string' ? value : canonicalJson(value)
  return text.replaceAll(/[^A-Za-z0-9_-]+/g, '_').replaceAll(/^_+|_+$/g, '')
}
