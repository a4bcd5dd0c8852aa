import * as z from 'zod'
import { chapter, described, name, objectChapter, optional, typeName } from '../../../engine/schema/described.ts'
import type { Json } from '../../../engine/schema/json.ts'
import { mapMembers } from '../../../engine/values/members.ts'
import { provider } from './api/provider.ts'
import { audit } from './audit.ts'
import { expansion } from './expansion.ts'
import { action, lifecycle } from './lifecycle.ts'
import { lock } from './lock.ts'
import { listing, type Operation, operation } from './operation/operation.ts'
import { type WaiterEntry, wait } from './operation/wait.ts'
import { part, type ResourcePart } from './part.ts'
import { resolver } from './refs.ts'
import { idPlace, permissions, place, several, where } from './shared/words.ts'

/**
 * The shape of a provider document: an HTTP API as data. docs/rest-provider.md tells how it works. Unknown keys are errors;
 * the rules between keys are in the folder `check`.
 */

const lookup = chapter(
  'lookup',
  'Looking an object up',
  'How the object of a resource is found by its identity keys: it is read by them (`retrieve`), or searched in a list, where two matches are *ambiguous*.',
  z.union([
    z.strictObject({
      retrieve: described(
        z.union([z.literal(true), name]),
        'The operation that has the keys in its path; `true`: `retrieve`.',
      ),
    }),
    z.strictObject({
      list: described(listing, 'The list in which the object is searched.', { query: { name: '{name}' } }),
      match: described(
        several(name),
        'Identity keys that are compared here, after their normalisers, because servers may ignore filters.',
        ['name'],
      ),
      at: optional(
        z.record(name, place.min(1)),
        'For a list of another collection (orders that lead to the ordered objects): where its items have the keys.',
        { name: 'attributes.name' },
      ),
      ids: optional(
        z.record(name, place.min(1)),
        'Where the items have the server ids. An item without them is an object that is still being created: *busy*, not absent.',
        { uuid: 'marketplace_resource_uuid' },
      ),
      follow: optional(name, 'The operation that reads the object itself, by these ids.', 'retrieve'),
      where: optional(where, 'Values that an item must also have, by their places.', { is_removed: false }),
      whereNot: optional(where, 'An item that has one of these values is skipped.', {
        state: 'Terminated',
      }),
    }),
  ]),
)

const resource = objectChapter(
  'resource',
  'Resource',
  'A resource type: an identity, and one or more parts, each with its own read and write.',
  {
    description: optional(z.string(), 'For people.'),
    operations: described(
      z.record(name, operation),
      'Requests of the API, by name. `create` and `delete` are used under these names, and `retrieve` for server ids; `delete` may be missing with `lifecycle.preventDelete`.',
      { retrieve: { method: 'GET', path: '/zones/{id}' } },
    ),
    identity: described(
      z
        .strictObject({
          keys: described(
            several(name),
            'Attributes that distinguish the objects of the type. A resource may leave out a key that has a `default`.',
            ['name'],
          ),
          generated: optional(
            several(name),
            'Keys that the server sets if they are not declared. A resource without them is only the object whose id is in its record: it is never found by the remaining keys. This needs a `serverId` that the answer to the create has (`produces`).',
            ['name'],
          ),
          follows: optional(
            several(name),
            'Server ids that are made from the name and change with it: a slug. Requests use the one that was read last. They find no object, because another object may have them next; so this needs another `serverId`.',
            ['slug'],
          ),
          container: optional(
            z.strictObject({
              op: described(name.default('retrieve'), 'The operation that reads it by its keys.', 'retrieve'),
              id: described(name, 'The `serverId` that proves which object has the name.', 'id'),
            }),
            'Objects of other types are in this one: their URL (`in: path`), a key or an `immutable` attribute names it, with `refersTo` or `ref`, itself or in a member or an element, and its name may be that of another object next. With each of them this operation is read too. What was recorded in one object is unchecked (*other_parent*) while another one has the name, and no request is sent there.',
            { id: 'id' },
          ),
          ids: described(
            z.enum(['stable', 'reused', 'position']).default('stable'),
            'What a server id proves. `stable`: no other object ever gets the id, so another name under it is a rename. `reused`: another object may get the id after its object is gone, for example a row number. `position`: the id is a position in a list, which changes; objects are found by their keys, deleted from last to first, and read again before each command.',
          ),
        })
        .default({ keys: [], ids: 'stable' }),
      'What identifies an object.',
    ),
    lookup: described(lookup, 'How an object is found.'),
    serverId: optional(
      z.record(name, idPlace),
      'Ids that the server makes, with their places in each item of the list, or the header that has them; an id that a later read does not repeat is kept. They are path variables. The next read tries them first: with the operation `retrieve` if its request uses one, else in the list.',
      { id: 'id' },
    ),
    discover: optional(
      listing.extend({
        ignore: optional(
          z.array(where),
          'Objects that are never managed. `{with.name}` in a text is the value that the workspace gives.',
          [{ name: 'amq.*' }],
        ),
        at: optional(
          z.record(name, place.min(1)),
          'For a list of another collection, as in `lookup`: where its items have the keys.',
          { name: 'attributes.name' },
        ),
        ids: optional(
          z.record(name, place.min(1)),
          'Where the items have the server ids, if they are not at the places of `serverId`.',
          { uuid: 'resource_uuid' },
        ),
        where: optional(
          where,
          'Values that an item must have, by their places; all others are no objects of this type.',
          {
            kind: 'zone',
          },
        ),
        whereNot: optional(
          where,
          'An item that has one of these values is none either. A key that is null identifies nothing, so an item with one makes the list unreadable: say here, and in `lookup`, that its null is none.',
          { state: 'Terminated' },
        ),
      }),
      'How all objects of this type are listed, within the scope of a declared resource, for `unmanaged: report` and `plumbline import`.',
    ),
    permissions: optional(
      z.strictObject({
        read: optional(permissions, 'For its reads.', { members: 'read' }),
        write: optional(permissions, 'For its writes.', { members: 'write' }),
      }),
      'What the credentials must be allowed to do for objects of this type. `plumbline permissions` adds it up for a workspace.',
    ),
    audit: optional(audit, 'Who changed an object.'),
    lifecycle: optional(lifecycle, 'How its objects are created, replaced and deleted.'),
    wait: optional(
      wait,
      'How to wait for the end of a write whose operation has no `wait`: one waiter, or several in sequence. A delete waits until the object is gone.',
    ),
    lock: optional(lock, 'How the target refuses a stale write.'),
    actions: optional(
      z.record(name, action),
      'Separate calls for some attributes, in the order in which they are made.',
    ),
    expansion: optional(expansion, 'Texts that the target system expands.'),
    withoutApi: optional(
      z.record(name, z.string().min(1)),
      'Settings that only the pages of the target have, with their meaning: no request reads or writes them. A resource may declare them. They are not compared, and one note of each run names all that are declared.',
      { has_discussions: 'Discussions of the organisation.' },
    ),
    parts: described(several(part), 'The attributes, grouped by how they are read and written.'),
  },
)
export type RestResource = z.infer<typeof resource>

/** Values that the items of a list must have, and must not have, by their places. */
export interface ItemCondition {
  readonly where?: Readonly<Record<string, Json>> | undefined
  readonly whereNot?: Readonly<Record<string, Json>> | undefined
}

/** Whether the list of all that exists has the objects themselves, and nothing else. */
export const showsObjects = (discover: RestResource['discover']): discover is NonNullable<RestResource['discover']> =>
  discover !== undefined && [discover.at, discover.where, discover.whereNot].every((fact) => fact === undefined)

/** Whether it is neither created nor deleted. */
export const isKept = ({ lifecycle }: RestResource): boolean =>
  lifecycle?.single === true || lifecycle?.mode === 'reference'

/** The operation that finds an object. */
export const lookupOp = ({ lookup }: RestResource): string =>
  'list' in lookup ? lookup.list.op : lookup.retrieve === true ? 'retrieve' : lookup.retrieve

/** The operation that deletes an object. */
export const deleteOf = ({ lifecycle }: RestResource): string => lifecycle?.delete?.op ?? 'delete'

/** Whether a part is made of elements of a list, and not of an object of its own. */
export const isFromList = ({ read }: ResourcePart): boolean =>
  typeof read !== 'string' && (read.select ?? read.list) !== undefined

/** Whether a part is what the list of `lookup` shows of the object. */
export const isListed = ({ lookup }: RestResource, part: ResourcePart): boolean =>
  'list' in lookup && lookup.follow === undefined && lookup.list.op === readOp(part) && !isFromList(part)

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
    provider: described(provider, 'What applies to the whole API.'),
    resources: described(z.record(typeName, resource), 'The resource types.'),
    resolvers: optional(z.record(name, resolver), 'How to find objects that this document does not manage.'),
  })
  .meta({ title: 'Plumbline provider document', description: 'An HTTP API as data, for `source: rest`.' })
export type RestDocument = z.infer<typeof restDocument>

export type Ids = Readonly<Record<string, string>>

/** Server ids that each object shows, with their places. */
export const shownIds = ({ serverId = {} }: Pick<RestResource, 'serverId'>): Ids =>
  mapMembers(serverId, (place) => (typeof place === 'string' ? place : undefined))

/** Server ids that an object keeps under another name. */
export const lastingIds = ({ identity: { follows = [] }, serverId = {} }: RestResource): readonly string[] =>
  Object.keys(serverId).filter((id) => !follows.includes(id))

/** Ids that only a header of an answer contains, and that reads need not repeat. */
export const toldIds = ({ serverId = {} }: Pick<RestResource, 'serverId'>): readonly string[] =>
  Object.keys(serverId).filter((name) => typeof serverId[name] !== 'string')

/** An API with one request for both keeps nothing of the former object, as the value of a key. */
export const isCreateAgain = ({ operations: { create } }: RestResource, { method, path }: Operation): boolean =>
  method === 'POST' && create !== undefined && create.method === method && create.path === path
