import * as z from 'zod'
import { chapter, described, json, name, objectChapter, optional, typeName } from '../../../schema/described.ts'
import { mapMembers } from '../../../values/members.ts'
import { listing, operation } from './operation.ts'
import { part, type ResourcePart } from './part.ts'
import { provider } from './provider.ts'
import { resolver } from './refs.ts'
import { states, type WaiterEntry, wait } from './wait.ts'
import { idPlace, place, several, where } from './words.ts'

/*
 * The shape of a provider document: an HTTP API as data. docs/rest-provider.md tells how it works. Unknown keys are
 * errors; what one key demands of another is in the folder check.
 */

const lookup = chapter(
  'lookup',
  'Looking an object up',
  'How the object of a resource is found by its identity keys: read by them (`retrieve`), or looked for in a list, where two matches are *ambiguous*.',
  z.union([
    z.strictObject({
      retrieve: described(
        z.union([z.literal(true), name]),
        'The keys are in the path of this operation; `true`: of `retrieve`.',
      ),
    }),
    z.strictObject({
      list: described(listing, 'The list that the object is looked for in.', { query: { name: '{name}' } }),
      match: described(
        several(name),
        'Identity keys that are compared here, under their normalisers, because servers ignore filters.',
        ['name'],
      ),
      at: optional(
        z.record(name, place.min(1)),
        'For a list of another collection (orders that lead to what was ordered): where its items hold the keys.',
        { name: 'attributes.name' },
      ),
      ids: optional(
        z.record(name, place.min(1)),
        'Where they hold the server ids. An item without them is an object that is still being made: *busy*, not absent.',
        { uuid: 'marketplace_resource_uuid' },
      ),
      follow: optional(name, 'The operation that reads the object itself, by these ids.', 'retrieve'),
      where: optional(where, 'What else an item must hold.', { is_removed: false }),
      whereNot: optional(where, 'An item that holds one of these counts as none.', {
        state: 'Terminated',
      }),
    }),
  ]),
)

const action = objectChapter(
  'action',
  'Action',
  'A call of its own for a change of some attributes, in the place of the write of their part: a move, a rename, start and stop.',
  {
    on: described(several(name), 'The call is made where one of these differs, once for all of them.', ['power']),
    when: optional(z.record(name, several(json)), 'Only if attributes have one of these desired values.', {
      power: ['on'],
    }),
    op: described(name, 'The operation.', 'start'),
    body: optional(json, 'Its body. `{fields}` are those of `on` that differ.', {
      to: '{desired.owner}',
      from: '{before.owner}',
    }),
    order: described(
      z.enum(['before', 'after']).default('before'),
      'Before or after the writes of the parts; among themselves in the order of the document.',
    ),
    alongside: described(
      z.boolean().default(false),
      'The attributes are written by their parts all the same, and the call only goes along: reload, publish, reset. Nothing undoes it.',
    ),
  },
)
export type Action = z.infer<typeof action>

const generation = described(place.min(1), 'Where the object tells its generation.', 'metadata.resourceVersion')

const lock = chapter(
  'lock',
  'Lock',
  'The version that was read goes along with a write, and the target refuses one that is stale: a header (`etag`), or a generation that the object tells (`field`).',
  z.union([
    z.strictObject({
      etag: described(
        z.union([z.literal(true), z.string()]),
        'The header of the read, or its trailer, that tells the version; `true`: ETag.',
      ),
      send: described(z.string().default('If-Match'), 'The header of the write that repeats it.'),
      weak: described(z.boolean().default(false), 'Whether a weak one (`W/"..."`) goes along too.'),
      create: described(z.boolean().default(false), 'A create says that there must be none: `If-None-Match: *`.'),
    }),
    z.strictObject({
      field: generation,
      send: described(
        place.min(1),
        'The place of the body where a write repeats it; in a JSON Patch it is a `test`.',
        'metadata.resourceVersion',
      ),
    }),
    z.strictObject({
      field: generation,
      query: described(z.string(), 'The parameter of the query where a write repeats it.', 'version'),
    }),
  ]),
)
export type Lock = z.infer<typeof lock>

const lifecycle = objectChapter('lifecycle', 'Lifecycle', 'How objects come, are replaced and go.', {
  preventDelete: optional(z.boolean(), 'Leaving the configuration forgets, and never deletes.'),
  onImmutable: optional(
    z.enum(['report', 'replace', 'error']),
    'What an attribute that cannot be changed means where it differs.',
  ),
  replace: optional(
    z.strictObject({ order: described(z.enum(['deleteFirst', 'createFirst']), 'What comes first.') }),
    'How a delete and a create take the place of a change.',
  ),
  adopt: optional(
    z.boolean(),
    '`false`: an object that exists and was never recorded by this workspace is a blocked change, even where nothing differs.',
  ),
  single: optional(
    z.literal(true),
    'Settings, of which there is one (`identity` may be left out). Never created, never deleted; not there is unchecked, unless something that they depend on is about to be created: then they are set after it.',
  ),
  mode: optional(
    z.enum(['manage', 'reference']),
    '`reference`: it is only found, so that others can refer to it (`${resource.waldur_tenant.main.url}`). All but its keys is `computed`, nothing is written.',
  ),
  beforeDelete: optional(
    several(name),
    'Calls that a delete needs before it, in order. Each is a command of its own.',
    ['stop'],
  ),
  revive: optional(
    name,
    'Where an object with the keys is there and `delete.gone`: the operation that brings it back, in the place of a create. What differs is written after it. With `{fields}` in its body it takes what a create would send. Several archived ones are *ambiguous*.',
    'restore',
  ),
  states: optional(
    states,
    'What is met at a read: states in which an object says more of itself than its attributes do.',
  ),
  delete: optional(
    z.strictObject({
      op: described(
        name.default('delete'),
        'Instead of the operation `delete`: archive, expire, terminate.',
        'archive',
      ),
      gone: optional(
        z.strictObject({ where: described(where, 'Values by their places.', { archived: true }) }),
        'An object with these values is as good as none, in lists too: archived or expired instead of deleted.',
      ),
    }),
    'How an object goes.',
  ),
})

const resource = objectChapter(
  'resource',
  'Resource',
  'A type: an identity, and one or more parts, each with its own read and write.',
  {
    description: optional(z.string(), 'For people.'),
    operations: described(
      z.record(name, operation),
      'What the API can do, by name. `create` and `delete` are used by name, `retrieve` for server ids; `delete` may be missing with `lifecycle.preventDelete`.',
      { retrieve: { method: 'GET', path: '/zones/{id}' } },
    ),
    identity: described(
      z
        .strictObject({
          keys: described(
            several(name),
            'Attributes that tell one object from another. A key with a `default` may be left out.',
            ['name'],
          ),
          generated: optional(
            several(name),
            'Keys that the server fills in where they are not declared. A resource without them is the object whose id its record has, and no other: it is never found by the keys that are left. Needs a `serverId` that the create answers (`produces`).',
            ['name'],
          ),
          ids: described(
            z.enum(['stable', 'reused', 'position']).default('stable'),
            'What a server id says. `stable`: one object has it, and no other ever will; under another name it was renamed. `reused`: another object may get it once its own is gone, a row number for example. `position`: its place among the others, which moves; objects are found by their keys, deleted from last to first, and read again before each command.',
          ),
        })
        .default({ keys: [], ids: 'stable' }),
      'What an object is known by.',
    ),
    lookup: described(lookup, 'How it is found.'),
    serverId: optional(
      z.record(name, idPlace),
      'Ids that the server makes, with their places in each item of the list, or the header that tells them: what a later read does not repeat is kept. They are path variables. At the next read they are tried first: with the operation `retrieve` where its request names one, else in the list.',
      { id: 'id' },
    ),
    discover: optional(
      listing.extend({
        ignore: optional(
          z.array(where),
          'Objects that are never ours. In a text `{with.name}` is what the workspace gives.',
          [{ name: 'amq.*' }],
        ),
      }),
      'How everything of this type within the scope of one declared resource is listed, for `unmanaged: report` and `plumbline import`.',
    ),
    lifecycle: optional(lifecycle, 'What happens as objects come and go.'),
    wait: optional(
      wait,
      'What every write is waited for with that has no `wait` of its own, one waiter or several in sequence; of a delete, until the object is gone.',
    ),
    lock: optional(lock, 'How the target itself refuses a write that is stale.'),
    actions: optional(z.record(name, action), 'Calls for some attributes, in the order in which they are made.'),
    parts: described(several(part), 'Attributes, by how they are read and written.'),
  },
)
export type RestResource = z.infer<typeof resource>

/** Whether it is neither created nor deleted. */
export const isKept = ({ lifecycle }: RestResource): boolean =>
  lifecycle?.single === true || lifecycle?.mode === 'reference'

/** The operation that an object is looked for with. */
export const lookupOp = ({ lookup }: RestResource): string =>
  'list' in lookup ? lookup.list.op : lookup.retrieve === true ? 'retrieve' : lookup.retrieve

/** The operation that takes an object away. */
export const deleteOf = ({ lifecycle }: RestResource): string => lifecycle?.delete?.op ?? 'delete'

/** Whether a part is what the list of `lookup` shows of the object. */
export const isListed = ({ lookup }: RestResource, part: ResourcePart): boolean =>
  'list' in lookup &&
  lookup.follow === undefined &&
  lookup.list.op === readOp(part) &&
  (typeof part.read === 'string' || part.read.select === undefined)

/** Whether a waiter asks for the object itself, and not for an operation that is an object of its own. */
export const pollsObject = (resource: RestResource, { poll }: WaiterEntry): boolean => {
  const { lookup, parts } = resource
  const op = typeof poll === 'string' ? poll : 'op' in poll ? poll.op : undefined
  const found = 'list' in lookup ? lookup.follow : lookupOp(resource)
  return op !== undefined && ['retrieve', found, ...parts.map(readOp)].includes(op)
}

export const readOp = ({ read }: ResourcePart): string => (typeof read === 'string' ? read : read.op)

export const restDocument = z
  .strictObject({
    $schema: optional(z.string(), 'For editors.'),
    provider: described(provider, 'What holds for all of the API.'),
    resources: described(z.record(typeName, resource), 'What can be managed, by type.'),
    resolvers: optional(z.record(name, resolver), 'How objects are found that this document does not manage.'),
  })
  .meta({ title: 'Plumbline provider document', description: 'An HTTP API as data, for `source: rest`.' })
export type RestDocument = z.infer<typeof restDocument>

export type Ids = Readonly<Record<string, string>>

/** Server ids that each object shows, with their places. */
export const shownIds = ({ serverId = {} }: Pick<RestResource, 'serverId'>): Ids =>
  mapMembers(serverId, (place) => (typeof place === 'string' ? place : undefined))

/** Those that only a header tells, and that reads need not repeat. */
export const toldIds = ({ serverId = {} }: Pick<RestResource, 'serverId'>): readonly string[] =>
  Object.keys(serverId).filter((name) => typeof serverId[name] !== 'string')
