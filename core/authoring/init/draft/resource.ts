import type { Json } from '../../../schema/json.ts'
import { present } from '../../../values/defined.ts'
import { placeText } from '../find/names.ts'
import { type ResourceParts, resourceParts, type Schemas } from '../find/resource-parts.ts'
import type { Candidate } from '../find/resources.ts'
import { questions } from '../words.ts'
import { draftAttributes } from './attributes.ts'
import { draftIds } from './ids.ts'
import { draftOperations } from './operations.ts'
import { type Entry, entry, map, type Node, openMap } from './yaml.ts'

/** A resource of the document, or why there is none. */
export const draftResource = (
  name: string,
  candidate: Candidate,
  pagination: Json,
): Entry | { readonly reason: string } => {
  const parts = resourceParts(candidate)
  if ('reason' in parts) return parts
  const { schemas, identity, keys } = parts
  const ids = draftIds(parts)
  return {
    key: name,
    comments: [`From ${candidate.path}.`],
    node: openMap(
      draftOperations(parts, ids, pagination),
      { key: 'identity', node: map(entry('keys', keys)), comments: identity.comments },
      { key: 'lookup', node: lookupNode(parts) },
      entry('serverId', ids.serverId, ids.comments),
      schemas.items && entry('discover', { op: 'list', ...itemsMember(schemas) }),
      candidate.delete === undefined && entry('lifecycle', { preventDelete: true }),
      { key: 'parts', node: { kind: 'list', items: [partEntries(parts)] } },
    ),
  }
}

const itemsMember = ({ items = [] }: Schemas): { readonly items?: string } =>
  items.length === 0 ? {} : { items: placeText(items) }

const lookupNode = ({ candidate: { retrieve, list }, schemas, identity, own }: ResourceParts): Node => {
  const isByKey = identity.chosenBy === 'client' && retrieve !== undefined
  if (isByKey || list === undefined || own === undefined) return map(entry('retrieve', true))
  const isFilter = (name: string): boolean =>
    list.operation.parameters.some((one) => one.in === 'query' && one.name === name)
  const filter = [`${own}_exact`, own].find(isFilter)
  const query = filter === undefined ? {} : { query: { [filter]: `{${own}}` } }
  return map(entry('list', { ...query, ...itemsMember(schemas) }), entry('match', [own]))
}

const partEntries = (parts: ResourceParts): readonly Entry[] => {
  const { update, create, retrieve, hasPut } = parts.candidate
  const method = update?.operation.method
  const attributes = draftAttributes(parts)
  const canWrite = update !== undefined && attributes.some(({ writable }) => writable)
  const isBoth = method === 'PATCH' && create.operation.method !== 'PUT' && hasPut === true
  const comments =
    method !== undefined && method !== 'PATCH' ? [questions.replaces(method)] : isBoth ? [questions.alsoPut] : []
  const send = method === 'PUT' ? 'full' : 'changed'
  return present(
    entry('name', 'main'),
    entry('read', retrieve === undefined ? 'list' : 'retrieve'),
    canWrite && { key: 'write', node: map(entry('op', 'update'), entry('send', send)), comments },
    { key: 'attributes', node: openMap(...attributes.map((one) => one.entry)) },
  )
}
