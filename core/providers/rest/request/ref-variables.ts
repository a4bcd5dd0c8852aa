import { allEntries } from '../document/attributes.ts'
import type { RestResource } from '../document/document.ts'
import { refsIn, refVariables } from '../document/references.ts'
import type { TypeContext } from './context.ts'

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
