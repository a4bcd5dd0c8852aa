import type { ObjectSchema } from '../schema/attribute.ts'
import type { JsonObject } from '../schema/json.ts'
import type { Address, IdentityRules } from '../schema/resource.ts'
import { present } from '../values/defined.ts'
import { pick } from '../values/members.ts'
import { type KeyTexts, mayBe } from './share-objects.ts'
import { keysOf, keyTexts } from './sight.ts'
import { unclear } from './words.ts'

/** Everything that may identify the object of a resource: as configured, as recorded, and as read. */
export interface Faces {
  readonly address: Address
  /** Two resources with an equal text are the same object. */
  readonly texts: readonly string[]
  /** All known keys of an object that could not be read: it may be any object that has them. */
  readonly vague?: KeyTexts
  /** The complete keys of the object. */
  readonly keys: readonly KeyTexts[]
}

/** The object as configured, as recorded or as read. */
export interface Form {
  readonly attributes: JsonObject
  readonly ids?: Readonly<Record<string, string>> | undefined
}

interface FormRules {
  readonly schema: ObjectSchema
  readonly identity: IdentityRules
  readonly place: string
  readonly urlOf?: ((attributes: JsonObject) => string | undefined) | undefined
}

/** All keys; `undefined` if one of them is not known yet. */
export const wholeKeys = ({ schema, place }: FormRules, attributes: JsonObject): KeyTexts | undefined => {
  const texts = keyTexts(schema, attributes)
  return keysOf(schema).every((name) => Object.hasOwn(texts, name)) ? { place, texts } : undefined
}

/**
 * One text for the keys, and one for each id together with the immutable keys: a record and a read need not have the same
 * ids. A position does not identify an object.
 */
export const textsOf = (rules: FormRules, { attributes, ids = {} }: Form): readonly string[] => {
  const { schema, identity, place, urlOf } = rules
  const url = urlOf?.(attributes)
  const whole = wholeKeys(rules, attributes)
  const keys = url ?? (whole && JSON.stringify([place, Object.entries(whole.texts).toSorted()]))
  const isFixed = (name: string): boolean => schema.attributes[name]?.immutable === true
  const fixed = keyTexts(schema, pick(attributes, keysOf(schema).filter(isFixed)))
  const byIds = identity.ids === undefined || identity.ids === 'position' ? [] : Object.entries(ids)
  const parent = Object.entries(fixed).filter(([name]) => isFixed(name))
  return [...present(keys), ...byIds.map((id) => JSON.stringify([place, 'id', id, parent.toSorted()]))]
}

/** Why resources must be left alone, by address: their objects belong, or may belong, to another workspace. */
export const heldElsewhere = (
  workspace: string,
  theirs: readonly Faces[],
  ours: readonly Faces[],
): ReadonlyMap<Address, string> => {
  const owners = new Map(theirs.flatMap(({ address, texts }) => texts.map((text) => [text, address] as const)))
  const unknown = theirs.flatMap(({ address, vague }) => (vague === undefined ? [] : [{ address, vague }]))
  const held = new Map<Address, string>()
  for (const { address, texts, keys } of ours) {
    const owner = texts.map((text) => owners.get(text)).find((found) => found !== undefined)
    const rival = unknown.find(({ vague }) => keys.some((each) => mayBe(vague, each)))
    if (owner !== undefined) held.set(address, unclear.held(workspace, owner))
    else if (rival !== undefined) held.set(address, unclear.mayBeHeld(workspace, rival.address))
  }
  return held
}
