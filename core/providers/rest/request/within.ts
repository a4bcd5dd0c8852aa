import type { ResourceType } from '../../../engine/provider/provider.ts'
import { allEntries } from '../document/attributes.ts'
import { lookupOp, type RestResource } from '../document/document.ts'
import { isRead } from '../document/operation/operation.ts'
import type { TypeContext } from './context.ts'

/** What contains an object: all its writes are sent below the URL of the other one. */
export const withinOf = ({ resource, types = {} }: TypeContext): NonNullable<ResourceType['within']> => {
  const writes = Object.values(resource.operations).filter((operation) => !isRead(operation))
  return Object.entries(allEntries(resource)).flatMap(([attribute, { in: where, refersTo }]) => {
    if (where !== 'path' || refersTo === undefined || !Object.hasOwn(types, refersTo.type)) return []
    const outer = pathOf(types[refersTo.type])?.replace(`{${refersTo.attribute}}`, `{${attribute}}`)
    const isBelow = outer !== undefined && writes.length > 0 && writes.every(({ path }) => path.startsWith(`${outer}/`))
    return isBelow ? [{ attribute, of: refersTo }] : []
  })
}

/** The path of one object of a type. */
const pathOf = (resource: RestResource | undefined): string | undefined => {
  if (resource === undefined) return undefined
  const { operations, lookup } = resource
  return (operations['retrieve'] ?? ('list' in lookup ? undefined : operations[lookupOp(resource)]))?.path
}
