import type { Json } from '../schema/json.ts'
import { chooseIdentity, type Identity } from './choose-identity.ts'
import type { Schema } from './description.ts'
import {
  differInShape,
  entry,
  factsOf,
  freeName,
  isSensitive,
  lacks,
  memberNames,
  placesOf,
  type Sides,
  tells,
} from './draft-attribute.ts'
import { draftOperations } from './draft-operations.ts'
import { envelopeOf, insideOf } from './find-envelope.ts'
import { answered, type Candidate, itemsPlace, parametersIn } from './find-resources.ts'
import { attributeName } from './words.ts'
import { type Entry, map, type Node, openMap } from './write-yaml.ts'

export type Drafted = { readonly ok: true; readonly entry: Entry } | { readonly ok: false; readonly reason: string }

/** What the operations of a candidate take and answer, envelopes taken off. */
interface Schemas {
  readonly request: Schema
  readonly change?: Schema
  readonly created?: Schema
  readonly read?: Schema
  readonly item?: Schema
  readonly answers: Readonly<Record<string, string | undefined>>
  readonly bodies: Readonly<Record<string, string | undefined>>
  readonly items?: string
}

const schemasOf = (candidate: Candidate): Schemas | undefined => {
  const { words, create, update, retrieve, list } = candidate
  const taken = create.operation.body?.schema
  if (taken === undefined) return undefined
  const bodies = { create: envelopeOf(taken, words), update: envelopeOf(update?.operation.body?.schema, words) }
  const answers = { create: envelopeOf(answered(create), words), retrieve: envelopeOf(answered(retrieve), words) }
  const items = itemsPlace(answered(list), words)
  const change = insideOf(update?.operation.body?.schema, bodies.update)
  const created = insideOf(answered(create), answers.create)
  const read = insideOf(answered(retrieve), answers.retrieve)
  const item = insideOf(answered(list), items === '' ? undefined : items)?.items()
  return {
    request: insideOf(taken, bodies.create) ?? taken,
    ...(change === undefined ? {} : { change }),
    ...(created === undefined ? {} : { created }),
    ...(read === undefined ? {} : { read }),
    ...(item === undefined ? {} : { item }),
    // Only what is read as an object has a place; a create answers its ids from the whole.
    answers: { retrieve: answers.retrieve },
    bodies,
    ...(items === undefined ? {} : { items }),
  }
}

/** Names of variables and attributes, each once. */
interface Naming {
  /** Path parameter -> variable. */
  readonly variables: ReadonlyMap<string, string>
  readonly parents: readonly string[]
  readonly taken: Set<string>
}

const namingOf = (candidate: Candidate, identity: Identity): Naming => {
  const taken = new Set<string>()
  const variables = new Map<string, string>()
  const parents = parametersIn(candidate.path).filter((name) => candidate.kind !== 'keyed' || name !== candidate.key)
  for (const name of parents) if (!variables.has(name)) variables.set(name, freeName(name, taken))
  const { key } = candidate
  if (key !== undefined && !variables.has(key)) {
    const own = identity.chosenBy === 'client' && identity.property !== undefined ? identity.property : key
    variables.set(key, freeName(own, new Set(taken)))
  }
  return { variables, parents: [...new Set(parents)].map((name) => variables.get(name) ?? name), taken }
}

/** A resource of the document, with what its schemas tell. */
export const draftResource = (name: string, candidate: Candidate, pagination: Json): Drafted => {
  const schemas = schemasOf(candidate)
  if (schemas === undefined) return { ok: false, reason: 'the description does not say what a create takes' }
  const identity = chooseIdentity(candidate, schemas)
  if (identity === undefined) return { ok: false, reason: 'nothing that is sent could tell one object from another' }
  if (identity.chosenBy === 'server' && candidate.list === undefined) {
    return { ok: false, reason: 'objects are named by the server, and no list of them is described' }
  }
  const naming = namingOf(candidate, identity)
  const keys = keysOf(candidate, identity, naming)
  if (keys.length === 0) return { ok: false, reason: 'it is one object without a key' }
  return { ok: true, entry: resourceEntry(name, candidate, { schemas, identity, naming, keys, pagination }) }
}

interface Parts {
  readonly schemas: Schemas
  readonly identity: Identity
  readonly naming: Naming
  readonly keys: readonly string[]
  readonly pagination: Json
}

const keyName = (candidate: Candidate, identity: Identity, naming: Naming): string | undefined => {
  const { key } = candidate
  if (key === undefined) return undefined
  if (identity.chosenBy === 'server')
    return identity.property === undefined ? undefined : attributeName(identity.property)
  return naming.variables.get(key)
}

const keysOf = (candidate: Candidate, identity: Identity, naming: Naming): readonly string[] => {
  const own = keyName(candidate, identity, naming)
  return [...new Set([...naming.parents, ...(own === undefined ? [] : [own])])]
}

const resourceEntry = (name: string, candidate: Candidate, parts: Parts): Entry => {
  const { schemas, identity, naming, keys, pagination } = parts
  const ids = idsOf(candidate, parts)
  const place = Object.values(ids)[0]
  const produces = place === undefined ? undefined : producesOf(candidate, ids)
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
        pagination,
        ...(produces === undefined ? {} : { produces }),
      }),
      { key: 'identity', node: map([entry('keys', keys)]), comments: identity.comments },
      { key: 'lookup', node: lookupNode(candidate, parts) },
      ...(place === undefined ? [] : [entry('serverId', ids)]),
      ...(schemas.items === undefined ? [] : [entry('discover', { op: 'list', ...itemsEntry(schemas) })]),
      ...(candidate.delete === undefined ? [entry('lifecycle', { preventDelete: true })] : []),
      { key: 'parts', node: { kind: 'list', items: [partEntries(candidate, parts)] } },
    ]),
  }
}

const itemsEntry = ({ items }: Schemas): { readonly items?: string } =>
  items === undefined || items === '' ? {} : { items }

const idsOf = ({ key }: Candidate, { identity, naming }: Parts): Readonly<Record<string, string>> => {
  if (identity.chosenBy === 'client' || key === undefined) return {}
  return { [naming.variables.get(key) ?? key]: identity.idProperty ?? 'id' }
}

/** The create answers the ids from its whole body. */
const producesOf = (candidate: Candidate, ids: Readonly<Record<string, string>>): Readonly<Record<string, string>> => {
  const around = envelopeOf(answered(candidate.create), candidate.words)
  return Object.fromEntries(
    Object.entries(ids).map(([name, place]) => [name, around === undefined ? place : `${around}.${place}`]),
  )
}

const lookupNode = (candidate: Candidate, { schemas, identity, naming }: Parts): Node => {
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

const partEntries = (candidate: Candidate, parts: Parts): readonly Entry[] => {
  const { update } = candidate
  const method = update?.operation.method
  const attributes = attributeEntries(candidate, parts)
  const canWrite = update !== undefined && attributes.some(({ writable }) => writable)
  const full = method === 'PUT'
  const comments =
    canWrite && method !== 'PATCH'
      ? [`decide: ${method} replaces the whole (full), or leaves alone what is not sent (changed)`]
      : []
  return [
    entry('name', 'main'),
    entry('read', candidate.retrieve === undefined ? 'list' : 'retrieve'),
    ...(canWrite
      ? [{ key: 'write', node: map([entry('op', 'update'), entry('send', full ? 'full' : 'changed')]), comments }]
      : []),
    { key: 'attributes', node: openMap(attributes.map((one) => one.entry)) },
  ]
}

interface AttributeDraft {
  readonly entry: Entry
  readonly writable: boolean
}

/** Members that a resource may have before deeper ones are taken as they are. */
const maxLines = 250

const attributeEntries = (candidate: Candidate, parts: Parts): readonly AttributeDraft[] => {
  const { naming, schemas, identity, keys } = parts
  const own = keyName(candidate, identity, naming)
  const sides: Sides = {
    create: schemas.request,
    ...(schemas.change === undefined ? {} : { update: schemas.change }),
    ...((schemas.read ?? schemas.item) === undefined ? {} : { read: (schemas.read ?? schemas.item) as Schema }),
  }
  const properties = memberNames(sides)
  const inUrl = [...naming.parents, ...(identity.chosenBy === 'client' && own !== undefined ? [own] : [])]
  const urlOnly = inUrl.filter(
    (name) => !properties.some((property) => attributeName(property) === name && isWritten(sides, property)),
  )
  const taken = new Set(urlOnly)
  const path = urlOnly.map(
    (name): AttributeDraft => ({
      entry: { key: name, node: map([entry('required', true), entry('in', 'path')]) },
      writable: false,
    }),
  )
  const rest = (left: number): readonly AttributeDraft[] => {
    const names = new Set(taken)
    return properties
      .filter((property) => !taken.has(attributeName(property)))
      .map((property) =>
        attributeDraft(property, sides, {
          name: freeName(property, names),
          keys,
          left,
          inUrl,
          ids: Object.keys(idsOf(candidate, parts)),
          full: candidate.update?.operation.method === 'PUT',
          identity,
        }),
      )
  }
  const deep = [4, 3, 2, 1].map(rest).find((drafts) => sizeOf(drafts.map((one) => one.entry)) <= maxLines)
  return [...path, ...(deep ?? rest(0))]
}

const sizeOf = (entries: readonly Entry[]): number =>
  entries.reduce((sum, { node }) => sum + 1 + (node.kind === 'map' ? sizeOf(node.entries) : 0), 0)

const at = (schema: Schema | undefined, property: string): Schema | undefined => schema?.properties().get(property)

const isWritten = (sides: Sides, property: string): boolean =>
  [at(sides.create, property), at(sides.update, property)].some((schema) => schema !== undefined && !schema.readOnly)

interface AttributeFacts {
  readonly name: string
  readonly keys: readonly string[]
  readonly inUrl: readonly string[]
  readonly ids: readonly string[]
  readonly identity: Identity
  readonly left: number
  /** Whether an update sends everything. */
  readonly full: boolean
}

const attributeDraft = (property: string, whole: Sides, facts: AttributeFacts): AttributeDraft => {
  const sides = sidesAt(whole, property)
  const isKey = facts.keys.includes(facts.name)
  const isId = !isKey && (property === facts.identity.idProperty || facts.ids.includes(facts.name))
  const known = factsOf(property, sides, { left: facts.left, around: [] })
  if (isId || !isWritten(whole, property)) {
    const entries = known.entries.filter(({ key }) => key !== 'default' && key !== 'values')
    return {
      entry: { key: facts.name, node: map([...entries, entry('computed', true), ...placesOf(property, facts.name)]) },
      writable: false,
    }
  }
  const flags = flagsOf(property, whole, sides, facts)
  const entries = known.entries.filter(({ key }) => !isKey || key !== 'default')
  return {
    entry: {
      key: facts.name,
      node: map([...entries, ...flags.entries, ...placesOf(property, facts.name)]),
      comments: [...known.comments, ...flags.comments],
    },
    writable: !flags.immutable,
  }
}

const sidesAt = (whole: Sides, property: string): Sides => {
  const [create, update, read] = [at(whole.create, property), at(whole.update, property), at(whole.read, property)]
  return {
    ...(create === undefined ? {} : { create }),
    ...(update === undefined ? {} : { update }),
    ...(read === undefined ? {} : { read }),
  }
}

const words = (schema: Schema): string => schema.types.join(' or ')

interface Flags {
  readonly entries: readonly Entry[]
  readonly comments: readonly string[]
  readonly immutable: boolean
}

const flagsOf = (property: string, whole: Sides, sides: Sides, { name, keys, inUrl, full }: AttributeFacts): Flags => {
  const { create, update, read } = sides
  const isKey = keys.includes(name)
  // What an update's schema does not tell it may take all the same.
  const isFixed = whole.update === undefined || lacks(whole.update, update)
  const immutable = inUrl.includes(name) || isFixed
  const secret = isSensitive(property, sides)
  const written = create ?? update
  const otherShape = read !== undefined && written !== undefined && differInShape(written, read)
  const isUnseen = tells(whole.read) && read === undefined
  const isHidden = !isKey && (written?.writeOnly === true || isUnseen || otherShape)
  const isDemanded = isKey || whole.create?.required.has(property) === true
  const once = isFixed && full ? 'create' : lacks(whole.create, create) ? 'update' : undefined
  return {
    immutable,
    comments: [
      ...(otherShape ? [`decide: written as ${words(written)}, read as ${words(read)} of another kind`] : []),
      ...(isKey && isUnseen ? ['decide: which member of an answer is it? (`path`)'] : []),
      ...(secret && !isHidden ? ['decide: if it is not shown in clear: writeOnly: true'] : []),
    ],
    entries: [
      ...(isDemanded && once !== 'update' ? [entry('required', true)] : []),
      ...(immutable ? [entry('immutable', true)] : []),
      ...(secret && !isKey ? [entry('sensitive', true)] : []),
      ...(isHidden ? [entry('writeOnly', true)] : []),
      ...(once === undefined ? [] : [entry('sendOn', once)]),
    ],
  }
}
