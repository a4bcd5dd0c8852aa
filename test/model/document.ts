import type { JsonObject } from '../../core/engine/schema/json.ts'
import { callerPath, pageSize } from './api.ts'
import { idsOfType, isRenamable, type Model } from './model.ts'
import type { ThingType } from './world.ts'

/* The provider document that the author of such an API would write. */

interface Paths {
  /** The collection. */
  readonly all: string
  /** One object, by its id, or by its keys where that is all there is. */
  readonly one: string
  /** One object by its keys. */
  readonly named: string
}

const pathsOf = (model: Model, type: ThingType): Paths => {
  const below = type === 'item' && model.parents === 'path' ? '/zones/{zone}' : ''
  const name = type === 'item' && model.keys === 2 ? '{space}/{name}' : '{name}'
  const all = `${below}/${type}s`
  if (idsOfType(model, type) === 'none') return { all, one: `${all}/${name}`, named: `${all}/${name}` }
  return { all, one: `${all}/{id}`, named: `${below}/${type}-names/${name}` }
}

const isByKeys = ({ lookup }: Model): boolean => lookup === 'keys' || lookup === 'both'

/** The operation that shows an object. */
const readOf = (model: Model, type: ThingType): string => {
  if (model.lookup === 'list') return 'list'
  return model.lookup === 'keys' && idsOfType(model, type) !== 'none' ? 'named' : 'retrieve'
}

const hasMarks = ({ marks }: Model, type: ThingType): boolean => marks && type === 'item'

/** Elements that are added and removed one by one; only their position leads to them. */
const marksOf = (model: Model): JsonObject => ({
  name: 'marks',
  read: readOf(model, 'item'),
  onCreate: 'after',
  collection: {
    field: 'marks',
    key: ['name'],
    positions: { member: 'at' },
    element: { name: {}, at: { type: 'number', computed: true } },
    write: { each: { create: 'addMark', remove: 'dropMark' } },
  },
})

const operationsOf = (model: Model, type: ThingType): JsonObject => {
  const { all, one, named } = pathsOf(model, type)
  const hasIds = idsOfType(model, type) !== 'none'
  const produces = hasIds && !model.silent ? { produces: { id: 'id' } } : {}
  return {
    ...(isByKeys(model) ? {} : { list: asCaller(model, all) }),
    ...(hasIds && isByKeys(model) ? { named: asCaller(model, named) } : {}),
    ...(model.lookup === 'list' || readOf(model, type) === 'named' ? {} : { retrieve: asCaller(model, one) }),
    create: model.upsert ? { method: 'PUT', path: one } : { method: 'POST', path: all, ...produces },
    update: { method: 'PATCH', path: one },
    ...(hasMarks(model, type)
      ? {
          addMark: { method: 'POST', path: `${one}/marks` },
          dropMark: { method: 'DELETE', path: `${one}/marks/{el.at}` },
        }
      : {}),
    delete: { method: 'DELETE', path: one },
  }
}

/** A read that is about what this caller may see. */
const asCaller = ({ caller }: Model, path: string): JsonObject => ({
  method: 'GET',
  path,
  ...(caller === 'named' ? { query: { for: '{me.login}' } } : {}),
})

const keyNames = (model: Model, type: ThingType): readonly string[] => [
  ...(type === 'item' && (model.parents === 'path' || model.parents === 'key') ? ['zone'] : []),
  ...(type === 'item' && model.keys === 2 ? ['space'] : []),
  'name',
]

const lookupOf = (model: Model, type: ThingType): JsonObject => {
  if (isByKeys(model)) return { retrieve: idsOfType(model, type) === 'none' ? true : 'named' }
  const inPath = type === 'item' && model.parents === 'path' ? ['zone'] : []
  return {
    list: inPath.length > 0 ? { absent: [404] } : {},
    match: keyNames(model, type).filter((name) => !inPath.includes(name)),
  }
}

const attributesOf = (model: Model, type: ThingType): JsonObject => {
  const fixed = isRenamable(model) ? {} : { immutable: true }
  const name = { required: true, ...fixed, ...(model.casing ? { normalise: ['lower'] } : {}) }
  const serial = { type: 'number', computed: true }
  if (type === 'zone') return { name, note: {}, serial, ...(model.emit === 'code' ? { code: { computed: true } } : {}) }
  const handle = model.emit === 'code' ? 'code' : idsOfType(model, 'zone') === 'none' ? 'name' : 'id'
  const ref = model.byName ? { ref: { type: 'm_zone', emit: handle } } : {}
  const zone =
    model.parents === 'path'
      ? { in: 'path', required: true, ...ref }
      : { required: true, ...(model.parents === 'key' ? fixed : {}), ...ref }
  return {
    name,
    ...(model.keys === 2 ? { space: { required: true, ...fixed } } : {}),
    ...(model.parents === 'none' ? {} : { zone }),
    size: { type: 'number' },
    tags: { type: 'set', element: {} },
    kind: { immutable: true },
    ...(model.secret ? { token: { sensitive: true, writeOnly: true } } : {}),
    serial,
  }
}

const resourceOf = (model: Model, type: ThingType): JsonObject => {
  const ids = idsOfType(model, type)
  const kind = ids === 'reused' || ids === 'position' ? ids : undefined
  return {
    operations: operationsOf(model, type),
    identity: {
      keys: [...keyNames(model, type)],
      ...(kind === undefined ? {} : { ids: kind }),
    },
    lookup: lookupOf(model, type),
    ...(ids === 'none' ? {} : { serverId: { id: 'id' } }),
    lifecycle: { replace: { order: model.createFirst ? 'createFirst' : 'deleteFirst' } },
    parts: [
      {
        name: 'main',
        read: readOf(model, type),
        write: { op: 'update' },
        attributes: attributesOf(model, type),
      },
      ...(hasMarks(model, type) ? [marksOf(model)] : []),
    ],
  }
}

/** Who asks, or whether that one sees all. */
const callerOf = ({ caller }: Model): JsonObject => {
  const read = { method: 'GET', path: callerPath }
  if (caller === 'named') return { me: { read, as: { login: 'login' } } }
  return caller === 'sight' ? { sight: { read, sees: [{ place: 'all', is: [true] }] } } : {}
}

export const documentOf = (model: Model): JsonObject => ({
  provider: {
    id: 'model',
    with: { baseUrl: {} },
    baseUrl: '{with.baseUrl}',
    ...callerOf(model),
    ...(model.pages ? { pagination: { style: 'page', param: 'page', size: { param: 'size', value: pageSize } } } : {}),
  },
  resources: {
    ...(model.parents === 'none' ? {} : { m_zone: resourceOf(model, 'zone') }),
    m_item: resourceOf(model, 'item'),
  },
})
