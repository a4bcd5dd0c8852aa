import type { ForeseenRequest, Target } from '../../../engine/provider/provider.ts'
import { isObject, type Json, type JsonObject } from '../../../engine/schema/json.ts'
import { defined, present } from '../../../engine/values/defined.ts'
import { applies } from '../document/attributes.ts'
import { isListed, lookupOp, type RestResource, readOp } from '../document/document.ts'
import { isReadableById, retrievesById } from '../document/ids.ts'
import { listsFor } from '../document/operation/bulk.ts'
import type { Operation } from '../document/operation/operation.ts'
import type { ResourcePart } from '../document/part.ts'
import { variablesOf } from '../document/shared/template.ts'
import type { TypeContext } from '../request/context.ts'
import { containersOf, containerValues } from './containers.ts'
import { isWholeInList } from './find-object.ts'
import { isSpared } from './spared-parts.ts'

/**
 * The requests that a read of one object takes, without sending any: one for each operation. Equal names are one request. What
 * references and further pages cost is not known before.
 */
export const foreseeRequests = (
  context: TypeContext,
  { address, attributes, ids = {} }: Target,
): readonly ForeseenRequest[] => {
  const { resource, settings } = context
  const values = { ...attributes, ...context.params, ...ids }
  const requests = new Map<string, ForeseenRequest>()
  for (const op of opsFor(context, attributes, Object.keys(ids).length > 0)) {
    const operation = resource.operations[op]
    if (operation === undefined) continue
    const isList = op === listOp(resource)
    const name = requestName(operation, values, address)
    const size = isList ? pageSize(operation, settings.pagination) : undefined
    requests.set(name, { name, ...defined({ size, instead: insteadOf(context, operation, Object.keys(attributes)) }) })
  }
  for (const container of containersOf(context)) {
    const operation = container.context.resource.operations[container.op]
    if (operation === undefined) continue
    for (const own of containerValues(container, context, attributes)) {
      const name = requestName(operation, { ...context.params, ...own }, address)
      const instead = insteadOf(container.context, operation, [])
      if (!requests.has(name)) requests.set(name, { name, ...defined({ instead }) })
    }
  }
  return [...requests.values()]
}

/** The lists that may answer it. */
const insteadOf = (
  context: TypeContext,
  operation: Operation,
  names: readonly string[],
): ForeseenRequest['instead'] => {
  const lists = listsFor(operation, names).flatMap(({ op }): ForeseenRequest[] => {
    const list = context.resource.operations[op]
    const size = list && pageSize(list, context.settings.pagination)
    return list === undefined ? [] : [{ name: requestName(list, context.params, ''), ...defined({ size }) }]
  })
  return lists.length === 0 ? undefined : lists
}

const listOp = (resource: RestResource): string | undefined =>
  'list' in resource.lookup ? lookupOp(resource) : undefined

/** The operations of a read: those that find the object, and those of its parts. */
const opsFor = (context: TypeContext, desired: JsonObject, hasIds: boolean): readonly string[] => {
  const { resource } = context
  const { lookup, parts } = resource
  const byId = hasIds && isReadableById(resource) && retrievesById(resource) && !isWholeInList(resource)
  const finding = byId ? ['retrieve'] : [lookupOp(resource), ...present('follow' in lookup ? lookup.follow : undefined)]
  const read = parts.filter((part) => applies(resource, part, desired) && !isSpared(context, part, desired))
  const reading = read.map((part) => (isListed(resource, part) ? lookupOp(resource) : readOp(part)))
  return [...new Set([...finding, ...reading, ...besideLists(resource, finding, read)])]
}

/** The lists beside those that are read. */
const besideLists = (
  { lookup }: RestResource,
  found: readonly string[],
  read: readonly ResourcePart[],
): readonly string[] =>
  [
    ...('list' in lookup && found.includes(lookup.list.op) ? (lookup.list.also ?? []) : []),
    ...read.flatMap((part) => (typeof part.read === 'string' ? [] : (part.read.list?.also ?? []))),
  ].map(({ op }) => op)

const pageSize = ({ pagination }: Operation, usual: Operation['pagination']): number | undefined => {
  const { size } = { size: undefined, ...(pagination ?? usual) }
  return size?.value
}

/** A variable that only an answer has is another one for each object. */
export const requestName = (
  { method, path, query = {}, body = null }: Operation,
  values: JsonObject,
  address: string,
): string => {
  const asked: Json = [method, path, query, isObject(body) ? body : null]
  const filled = variablesOf(asked).map(([first = '']) => values[String(first)] ?? `of ${address}`)
  return JSON.stringify([...asked, filled])
}
