import type { Claim, KeyTexts, Site, Want } from '../../../binding/share-objects.ts'
import { keysOf, keyTexts, lacksKey, objectText, unknownKeys } from '../../../binding/sight.ts'
import type { ResourceType } from '../../../provider/provider.ts'
import type { JsonObject } from '../../../schema/json.ts'
import { defined, present } from '../../../values/defined.ts'
import type { BoundResource } from './observation.ts'
import { rulesOf } from './observation.ts'

/**
 * The objects that a resource is, would create, or may be. Empty if that is unknown, or if several resources of the
 * type may share one object.
 */
export const claimsOf = (bound: BoundResource): readonly Claim[] => {
  const { address, desired, recorded, type, candidates } = bound
  if (type === undefined || type.identity?.isShared) return []
  const objects = candidates ?? [objectOf(bound, type)]
  const isThere = bound.observed.result.kind === 'present'
  const claim = {
    address,
    isDeclared: desired !== undefined,
    goes: desired === undefined || desired.absent,
    isRecorded: recorded !== undefined,
    isSure: candidates === undefined,
    ...defined({ keys: isThere ? keysIn(bound, type, bound.target.attributes) : undefined, site: siteOf(bound, type) }),
  }
  return present(...objects, desiredText(bound, type)).map((object) => ({ ...claim, object }))
}

const siteOf = ({ target, refs, observed }: BoundResource, type: ResourceType): Site | undefined => {
  const { attributes, ids: known = {} } = target
  const { result } = observed
  const ids = result.kind === 'present' ? { ...known, ...result.ids } : known
  const site = type.siteOf?.({ attributes, ids, ...defined({ refs }) })
  return site && { type: type.name, ...site }
}

/**
 * The object that a resource should be. Two resources with the same one are reported, whatever objects they are now.
 */
const desiredText = (
  { desiredAttributes, place }: BoundResource,
  { schema, urlOf, identity }: ResourceType,
): string | undefined => {
  if (desiredAttributes === undefined || identity?.followsKeys) return undefined
  const texts = keyTexts(schema, desiredAttributes)
  const isWhole = keysOf(schema).every((name) => Object.hasOwn(texts, name)) && !lacksKey(schema, desiredAttributes)
  return isWhole ? `desired ${urlOf?.(desiredAttributes) ?? JSON.stringify([place, texts])}` : undefined
}

const keysIn = ({ place }: BoundResource, { schema }: ResourceType, attributes: JsonObject): KeyTexts => ({
  place,
  texts: keyTexts(schema, attributes),
})

/** The keys of a resource that should exist and could not be read: it may be any object with these keys. */
export const wantsOf = (bound: BoundResource): readonly Want[] => {
  const { address, desired, type, observed, desiredAttributes = {} } = bound
  if (type === undefined || type.identity?.isShared || observed.result.kind !== 'unknown') return []
  if (desired === undefined || desired.absent) return []
  return [{ address, keys: keysIn(bound, type, desiredAttributes) }]
}

const objectOf = ({ desired, place, target, observed }: BoundResource, type: ResourceType): string | undefined => {
  const { schema } = type
  const { result } = observed
  if (result.kind === 'unknown') return undefined
  const isNamed = unknownKeys(schema, target.attributes).length === 0 && !lacksKey(schema, target.attributes)
  const isMade = desired !== undefined && !desired.absent && isNamed
  if (result.kind === 'absent' && !isMade) return undefined
  const beside = { schema, rules: rulesOf(type), place, urlOf: type.urlOf?.bind(type) }
  return objectText(beside, target.attributes, result.kind === 'present' ? result.ids : undefined)
}
