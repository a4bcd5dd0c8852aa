import type { Json } from '../../../../engine/schema/json.ts'
import { defined, present } from '../../../../engine/values/defined.ts'
import { isScalar, successesOf } from '../../description/look-into.ts'
import { isWithin, ownersAmong } from '../../description/owners.ts'
import type { OuterTypes } from '../find/containers.ts'
import { usualId } from '../find/identity.ts'
import { placeText } from '../find/names.ts'
import type { ResourceParts, Schemas } from '../find/resource-parts.ts'
import { answered } from '../find/resources.ts'
import { questions } from '../words.ts'
import { draftAttributes } from './attributes.ts'
import { draftOperations } from './operations.ts'
import { type Entry, entry, map, type Node, openMap } from './yaml.ts'

export const draftResource = (
  name: string,
  parts: ResourceParts,
  pagination: Json | undefined,
  containers: OuterTypes,
): Entry => {
  const { candidate, schemas, identity, keys } = parts
  const ids = draftIds(parts)
  return {
    key: name,
    comments: [`From ${candidate.path}.`],
    node: openMap(
      draftOperations(parts, ids.produces, pagination),
      keys.length > 0 && { key: 'identity', node: map(entry('keys', keys)), comments: identity.comments },
      { key: 'lookup', node: lookupNode(parts), comments: present(hasUndescribedList(parts) && questions.itemsUntold) },
      entry('serverId', ids.serverId, ids.comments),
      (schemas.items !== undefined || hasUndescribedList(parts)) &&
        entry('discover', { op: 'list', ...itemsMember(schemas) }),
      lifecycleEntry(parts),
      { key: 'parts', node: { kind: 'list', items: [partEntries(parts, containers)] } },
    ),
  }
}

/** A list that also contains objects of other owners does not adopt an object by its name. */
const lifecycleEntry = ({ candidate: { delete: remove, list }, schemas: { item }, keys }: ResourceParts) => {
  if (keys.length === 0) return entry('lifecycle', { single: true })
  const members = [...(item?.properties() ?? [])].map(([name, { description }]) => [name, description ?? ''] as const)
  const owners = list === undefined || isWithin(list.path) ? [] : ownersAmong(members)
  const isShared = owners.length > 0 && !keys.some((key) => owners.includes(key))
  if (remove !== undefined && !isShared) return undefined
  const node = map(isShared && entry('adopt', false), remove === undefined && entry('preventDelete', true))
  return { key: 'lifecycle', node, comments: isShared ? [questions.shared(owners)] : [] }
}

const hasUndescribedList = ({ candidate: { list } }: ResourceParts): boolean =>
  list !== undefined && answered(list) === undefined

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

const partEntries = (parts: ResourceParts, containers: OuterTypes): readonly Entry[] => {
  const { update, create, retrieve, hasPut } = parts.candidate
  const method = update?.operation.method
  const attributes = draftAttributes(parts, containers)
  const canWrite = update !== undefined && attributes.some(({ writable }) => writable)
  const isBoth = method === 'PATCH' && create.operation.method !== 'PUT' && hasPut === true
  const comments =
    method !== undefined && method !== 'PATCH' ? [questions.replaces(method)] : isBoth ? [questions.alsoPut] : []
  const send = method === 'PUT' ? 'full' : 'changed'
  return present(
    entry('name', 'main'),
    entry('read', retrieve === undefined ? 'list' : 'retrieve'),
    canWrite && { key: 'write', node: map(entry('op', 'update'), entry('send', send)), comments },
    {
      key: 'attributes',
      node: openMap(...attributes.map((one) => one.entry)),
      comments: present(parts.schemas.read === undefined && parts.schemas.item === undefined && questions.readUntold),
    },
  )
}

interface DraftedIds {
  /** The places of the ids in reads; absent if the client chooses the ids. */
  readonly serverId?: Readonly<Record<string, Json>>
  /** The places of the ids in the response to a create; absent if it has none. */
  readonly produces?: Readonly<Record<string, Json>>
  readonly comments: readonly string[]
}

const location: Json = { header: 'Location' }

/**
 * For ids that the server makes: a create returns them in its body, in `Location` only (RFC 9110, 15.3.2), or not at
 * all.
 */
const draftIds = (parts: ResourceParts): DraftedIds => {
  const [id] = Object.entries(parts.ids)
  if (id === undefined) return { comments: [] }
  const [name, place] = id
  const source = sourceOf(parts)
  if (source === 'location' && parts.identity.idProperty === undefined) {
    const ids = { [name]: location }
    return { serverId: ids, produces: ids, comments: [questions.onlyLocation(name)] }
  }
  const whole = placeText([...(parts.schemas.answers['create'] ?? []), memberWithId(parts)])
  const produced = source === 'body' ? whole : source === 'location' ? location : undefined
  return {
    serverId: { [name]: place },
    ...defined({ produces: produced === undefined ? undefined : { [name]: produced } }),
    comments: produced === undefined ? [questions.notProduced(name)] : [],
  }
}

/** An answer that is no object, such as that of a 202, often has the id under the name that the path has for it. */
const memberWithId = ({ candidate: { key }, schemas, identity }: ResourceParts): string => {
  const usual = identity.idProperty ?? usualId
  const members = schemas.created?.properties()
  const named = key === undefined || members?.has(usual) ? undefined : members?.get(key)
  return key !== undefined && named !== undefined && isScalar(named) ? key : usual
}

/** Returns the source of a new object's id. A body without a schema may contain it. */
const sourceOf = (parts: ResourceParts): 'body' | 'location' | 'nothing' => {
  const { create } = parts.candidate
  const successes = successesOf(create.operation)
  const members = parts.schemas.created?.properties()
  const isDescribed = members !== undefined && members.size > 0
  if (isDescribed && members.has(memberWithId(parts))) return 'body'
  if (successes.some(({ headers }) => headers.includes('location'))) return 'location'
  const isEmpty = successes.length > 0 && successes.every(({ content }) => content === undefined)
  return isDescribed || (answered(create) === undefined && isEmpty) ? 'nothing' : 'body'
}
