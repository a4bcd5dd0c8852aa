import { digestOfText } from '../../../engine/json/digest.ts'
import { isOwnName } from '../../../engine/schema/described.ts'

/** The name of a resource, and its key if it is an instance. */
export interface AddressName {
  readonly name: string
  readonly key?: string
}

/** Under this name are those that have no plain name. */
const collected = 'named'

/** Longer keys do not fit into an address. */
const longestKey = 200

const isPlain = (name: string): boolean => /^[A-Za-z0-9_-]+$/.test(name) && isOwnName(name) && name !== collected

/** Another key for each name, however long it is. */
const keyOf = (name: string): string =>
  name.length <= longestKey ? name : `${name.slice(0, longestKey - 20)}...${digestOfText(name).slice(7, 23)}`

/** `website`, or `named["acme.github.io"]`: different names have different addresses. */
export const nameOf = (name: string): AddressName => (isPlain(name) ? { name } : { name: collected, key: keyOf(name) })

/** `website["main"]`, or `named["acme.github.io/main"]`: names that are unique within an owner, as a repository or a team. */
export const nameWithin = (owner: string, name: string): AddressName =>
  isPlain(owner) ? { name: owner, key: keyOf(name) } : { name: collected, key: keyOf(`${owner}/${name}`) }

export const addressOf = (type: string, { name, key }: AddressName): string =>
  key === undefined ? `${type}.${name}` : `${type}.${name}[${JSON.stringify(key)}]`
