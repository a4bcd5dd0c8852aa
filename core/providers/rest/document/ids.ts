import { lastingIds, type RestResource, shownIds } from './document.ts'
import { variablesOf } from './shared/template.ts'

/** Whether the API can be asked for the object that has the ids: alone, or in a list that shows them. */
export const isReadableById = (resource: RestResource): boolean =>
  lastingIds(resource).length > 0 &&
  (retrievesById(resource) || ('list' in resource.lookup && Object.keys(shownIds(resource)).length > 0))

/** `retrieve` finds the object of an id if its request contains an id. A name may belong to another object. */
export const retrievesById = (resource: RestResource): boolean => {
  const { retrieve } = resource.operations
  if (retrieve === undefined) return false
  const { path, query = {}, body = null } = retrieve
  return variablesOf([path, query, body]).some(([name = '']) => lastingIds(resource).includes(String(name)))
}
