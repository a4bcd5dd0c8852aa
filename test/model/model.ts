import fc from 'fast-check'

/*
 * What an API of the model is like. Every member is something that real APIs do differently and that decides which object a resource is.
 */

export interface Model {
  /** `random`: UUIDs; `text`: ids that do not look like ids; `reused`: the smallest free number; `position`: the index in its list; `none`: the keys are all there is. */
  readonly ids: 'random' | 'text' | 'counted' | 'reused' | 'position' | 'none'
  /** The server refuses a second object with the same keys (409). */
  readonly unique: boolean
  /** Whether a PATCH may rename. */
  readonly renames: boolean
  readonly keys: 1 | 2
  /** Names are the same whatever their case, and the document says so. */
  readonly casing: boolean
  /**
   * `keys`: read by its keys in the path; `both`: the same, and by its id; `list`: looked for in a list; `retrieve`: the same,
   * and read by its id afterwards.
   */
  readonly lookup: 'keys' | 'both' | 'list' | 'retrieve'
  readonly pages: boolean
  /** `path`: children live below their zone; `field`: they name it; `key`: they name it, and it is a part of their identity. */
  readonly parents: 'none' | 'path' | 'field' | 'key'
  /** A reference is a zone's name that the document resolves, instead of `${resource...}`. */
  readonly byName: boolean
  /** What a reference by name becomes: the zone's id, or a code that is neither its id nor its name. */
  readonly emit: 'id' | 'code'
  /** A zone that goes takes its items along, or is refused while it has some. */
  readonly cascade: boolean
  /** A create answers nothing: the new id is known by reading alone. */
  readonly silent: boolean
  /** A create is a PUT to the object's own path. Only where the keys are all there is. */
  readonly upsert: boolean
  readonly secret: boolean
  /** Items hold marks: elements with a key that are written one by one, and addressed by their positions. */
  readonly marks: boolean
  /** A replacement makes the new object before the old one goes. */
  readonly createFirst: boolean
  /** How the API tells whose credentials these are: not at all, by the name of the caller, or by whether it sees everything. */
  readonly caller: 'none' | 'named' | 'sight'
}

/** Some combinations are no API: they become the nearest one that is. */
const sane = (model: Model): Model => {
  const { ids, parents } = model
  const wanted = ids === 'none' && model.lookup === 'both' ? 'keys' : model.lookup
  const lookup = ids === 'position' && (wanted === 'keys' || wanted === 'both') ? 'retrieve' : wanted
  const isByKeys = lookup === 'keys' || lookup === 'both' || ids === 'none'
  return {
    ...model,
    lookup,
    unique: model.unique || isByKeys,
    // Keys in a path that leave one out would lead to several objects.
    parents: isByKeys && parents === 'key' ? 'path' : parents,
    upsert: model.upsert && ids === 'none',
    byName: model.byName && parents !== 'none',
    emit: model.byName && parents !== 'none' ? model.emit : 'id',
  }
}

const plainModel: Model = {
  ids: 'random',
  unique: true,
  renames: true,
  keys: 1,
  casing: false,
  lookup: 'retrieve',
  pages: false,
  parents: 'none',
  byName: false,
  emit: 'id',
  cascade: true,
  silent: false,
  upsert: false,
  secret: false,
  marks: false,
  createFirst: false,
  caller: 'none',
}

export const aModel = (changes: Partial<Model>): Model => sane({ ...plainModel, ...changes })

export const anyModel: fc.Arbitrary<Model> = fc
  .record({
    ids: fc.constantFrom<Model['ids']>('random', 'text', 'counted', 'reused', 'position', 'none'),
    unique: fc.boolean(),
    renames: fc.boolean(),
    keys: fc.constantFrom<Model['keys']>(1, 2),
    casing: fc.boolean(),
    lookup: fc.constantFrom<Model['lookup']>('retrieve', 'list', 'keys', 'both'),
    pages: fc.boolean(),
    parents: fc.constantFrom<Model['parents']>('none', 'path', 'field', 'key'),
    byName: fc.boolean(),
    emit: fc.constantFrom<Model['emit']>('id', 'code'),
    cascade: fc.boolean(),
    silent: fc.boolean(),
    upsert: fc.boolean(),
    secret: fc.boolean(),
    marks: fc.boolean(),
    createFirst: fc.boolean(),
    caller: fc.constantFrom<Model['caller']>('none', 'named', 'sight'),
  })
  .map(sane)

/** Zones are never known by a position: what lies below them would move along. */
export const idsOfType = (model: Model, type: 'zone' | 'item'): Model['ids'] =>
  type === 'zone' && model.ids === 'position' ? 'counted' : model.ids

/** Whether the API can be asked for what has an id. */
export const isReadableById = (model: Model, type: 'zone' | 'item'): boolean => {
  const ids = idsOfType(model, type)
  return ids !== 'none' && ids !== 'position' && model.lookup !== 'keys'
}

/** Whether an id is the same object's for ever. */
export const isStable = (ids: Model['ids']): boolean => ids === 'random' || ids === 'text' || ids === 'counted'

/** Whether the document lets Plumbline rename an object: a name in a path is fixed. */
export const isRenamable = ({ ids, renames }: Model): boolean => renames && ids !== 'none'

export const describeModel = (model: Model): string =>
  [
    `ids ${model.ids}`,
    `names ${model.unique ? 'unique' : 'not unique'}, ${isRenamable(model) ? 'mutable' : 'immutable'}`,
    ...(model.keys === 2 ? ['two keys (space, name)'] : []),
    ...(model.casing ? ['case does not count'] : []),
    {
      keys: 'read by its keys',
      both: 'read by its keys, then by its id',
      list: 'found in a list',
      retrieve: 'found in a list, then read by its id',
    }[model.lookup],
    ...(model.pages ? ['lists of several pages'] : []),
    {
      none: 'no parents',
      path: 'items live below their zone',
      field: 'items name their zone',
      key: 'items name their zone as a key',
    }[model.parents],
    ...(model.byName ? [`zones are given by name${model.emit === 'code' ? ' and sent as codes' : ''}`] : []),
    ...(model.parents === 'none'
      ? []
      : [model.cascade ? 'a zone takes its items along' : 'a zone with items stays (409)']),
    ...(model.silent ? ['a create answers nothing'] : []),
    ...(model.upsert ? ['a create is a PUT'] : []),
    ...(model.secret ? ['a secret that cannot be read'] : []),
    ...(model.createFirst ? ['a replacement makes the new one first'] : []),
    ...(model.marks ? ['items hold marks, addressed by position'] : []),
    ...{ none: [], named: ['the caller is known by name'], sight: ['a read says whether the caller sees all'] }[
      model.caller
    ],
  ].join('; ')
