import type { Json, Path } from '../../../schema/json.ts'
import type { AttributeEntry } from './attribute.ts'
import type { RestResource } from './document.ts'
import type { RefEntry } from './refs.ts'
import { variablesOf } from './template.ts'

/** The key of a type by which people name its objects. */
export const keyOf = (resource: RestResource, { by }: RefEntry): string | undefined => {
  const { keys } = resource.identity
  return by ?? (keys.includes('name') ? 'name' : keys.length === 1 ? keys[0] : undefined)
}

/** Attributes whose objects the scopes of these references are made of. */
export const needs = (entry: AttributeEntry): readonly string[] =>
  refsIn(entry).flatMap(({ scope = {} }) =>
    variablesOf(scope).flatMap(([first, second]) => (first === 'refs' && second !== undefined ? [String(second)] : [])),
  )

/** References at any depth of an attribute. */
export const refsIn = ({ ref, element, attributes = {} }: AttributeEntry): readonly RefEntry[] => [
  ...(ref === undefined ? [] : [ref]),
  ...(element === undefined ? [] : refsIn(element)),
  ...Object.values(attributes).flatMap(refsIn),
]

/** `{refs.attribute.member}` in any template of a type. */
export const refVariables = (resource: RestResource): readonly Path[] => {
  const known =
    variablesIn.get(resource) ?? variablesOf(resource as unknown as Json).filter(([first]) => first === 'refs')
  variablesIn.set(resource, known)
  return known
}

const variablesIn = new WeakMap<RestResource, readonly Path[]>()
