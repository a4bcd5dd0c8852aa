import type { Json, Path } from '../../schema/json.ts'
import { allEntries } from './attributes.ts'
import type { TypeContext } from './context.ts'
import type { RestResource } from './document.ts'
import type { AttributeEntry } from './document-attribute.ts'
import type { RefEntry } from './document-refs.ts'
import { variablesOf } from './template.ts'

const variablesIn = new WeakMap<RestResource, readonly Path[]>()

/** `{refs.attribute.member}` in any template of a type. */
export const refVariables = (resource: RestResource): readonly Path[] => {
  const known =
    variablesIn.get(resource) ?? variablesOf(resource as unknown as Json).filter(([first]) => first === 'refs')
  variablesIn.set(resource, known)
  return known
}

/** References at any depth of an attribute. */
export const refsIn = ({ ref, element, attributes = {} }: AttributeEntry): readonly RefEntry[] => [
  ...(ref === undefined ? [] : [ref]),
  ...(element === undefined ? [] : refsIn(element)),
  ...Object.values(attributes).flatMap(refsIn),
]

const typesReferredTo = new WeakMap<RestResource, ReadonlySet<string>>()

const referredTo = (resource: RestResource): ReadonlySet<string> => {
  const known =
    typesReferredTo.get(resource) ??
    new Set(Object.values(allEntries(resource)).flatMap((entry) => refsIn(entry).flatMap(({ type }) => type ?? [])))
  typesReferredTo.set(resource, known)
  return known
}

/** Whether others name members of the objects of this type: in their requests, or as what a reference to one is sent as. */
export const namesMembers = ({ types = {}, name }: TypeContext): boolean =>
  Object.values(types).some((resource) => refVariables(resource).length > 0 || referredTo(resource).has(name))
