import type { Json } from '../../../schema/json.ts'
import { defined } from '../../../values/defined.ts'
import { chooseIdentity } from '../find/identity.ts'
import { attributeName } from '../find/names.ts'
import { keyName, keysOf, namingOf, type ResourceParts, type Schemas, schemasOf } from '../find/resource-parts.ts'
import type { Candidate } from '../find/resources.ts'
import { entry, placeText } from './attribute.ts'
import { draftAttributes } from './attributes.ts'
import { draftIds } from './ids.ts'
import { draftOperations } from './operations.ts'
import { type Entry, map, type Node, openMap } from './yaml.ts'

export type Drafted = { readonly ok: true; readonly entry: Entry } | { readonly ok: false; readonly reason: string }

/** A resource of the document, with what its schemas tell. */
export const draftResource = (name: string, candidate: Candidate, pagination: Json): Drafted => {
  const schemas = schemasOf(candidate)
  if (schemas === undefined) return { ok: false, reason: 'the description does not say what a create takes' }
  const identity = chooseIdentity(candidate, schemas)
  if ('reason' in identity) return { ok: false, reason: identity.reason }
  if (identity.chosenBy === 'server' && candidate.list === undefined) {
    return { ok: false, reason: 'objects are named by the server, and no list of them is described' }
  }
  const naming = namingOf(candidate, identity)
  const keys = keysOf(candidate, identity, naming)
  if (keys.length === 0) return { ok: false, reason: 'it is one object without a key' }
  return { ok: true, entry: resourceEntry(name, candidate, { schemas, identity, naming, keys, pagination }) }
}

const resourceEntry = (name: string, candidate: Candidate, parts: ResourceParts): Entry => {
  const { schemas, identity, naming, keys, pagination } = parts
  const { serverId, produces, comments } = draftIds(candidate, parts)
  const pathOf = (path: string): string =>
    path.replaceAll(
      /\{([^{}]+)\}/g,
      (_, parameter: string) => `{${naming.variables.get(parameter) ?? attributeName(parameter)}}`,
    )
  const { answers, bodies } = schemas
  return {
    key: name,
    comments: [`From ${candidate.path}.`],
    node: openMap([
      draftOperations(candidate, {
        pathOf,
        answers,
        bodies,
        ...defined({ items: schemas.items }),
        pagination,
        ...defined({ produces }),
      }),
      { key: 'identity', node: map([entry('keys', keys)]), comments: identity.comments },
      { key: 'lookup', node: lookupNode(candidate, parts) },
      ...(serverId === undefined ? [] : [{ ...entry('serverId', serverId), comments }]),
      ...(schemas.items === undefined ? [] : [entry('discover', { op: 'list', ...itemsEntry(schemas) })]),
      ...(candidate.delete === undefined ? [entry('lifecycle', { preventDelete: true })] : []),
      { key: 'parts', node: { kind: 'list', items: [partEntries(candidate, parts)] } },
    ]),
  }
}

const itemsEntry = ({ items }: Schemas): { readonly items?: string } =>
  items === undefined || items.length === 0 ? {} : { items: placeText(items) }

const lookupNode = (candidate: Candidate, { schemas, identity, naming }: ResourceParts): Node => {
  const own = keyName(candidate, identity, naming)
  const byKey = identity.chosenBy === 'client' && candidate.retrieve !== undefined
  if (byKey || candidate.list === undefined || own === undefined) return map([entry('retrieve', true)])
  const filters = candidate.list.operation.parameters
    .filter(({ in: place }) => place === 'query')
    .map(({ name }) => name)
  const filter = [`${own}_exact`, own].find((name) => filters.includes(name))
  const query = filter === undefined ? {} : { query: { [filter]: `{${own}}` } }
  return map([entry('list', { ...query, ...itemsEntry(schemas) }), entry('match', [own])])
}

const partEntries = (candidate: Candidate, parts: ResourceParts): readonly Entry[] => {
  const { update } = candidate
  const method = update?.operation.method
  const attributes = draftAttributes(candidate, parts)
  const canWrite = update !== undefined && attributes.some(({ writable }) => writable)
  const full = method === 'PUT'
  const isPatch = method === 'PATCH' && candidate.create.operation.method !== 'PUT'
  const both =
    isPatch && candidate.hasPut === true ? ['decide: there is also a PUT; each may take what the other does not'] : []
  const comments =
    canWrite && method !== 'PATCH'
      ? [`decide: ${method} replaces the whole (full), or leaves alone what is not sent (changed)`]
      : both
  return [
    entry('name', 'main'),
    entry('read', candidate.retrieve === undefined ? 'list' : 'retrieve'),
    ...(canWrite
      ? [{ key: 'write', node: map([entry('op', 'update'), entry('send', full ? 'full' : 'changed')]), comments }]
      : []),
    { key: 'attributes', node: openMap(attributes.map((one) => one.entry)) },
  ]
}
