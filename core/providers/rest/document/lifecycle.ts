import * as z from 'zod'
import { accessWay } from '../../../engine/schema/attribute.ts'
import { described, json, name, objectChapter, optional } from '../../../engine/schema/described.ts'
import { immutableFates, replaceOrders } from '../../../engine/schema/resource.ts'
import { states } from './operation/wait.ts'
import { several, where } from './shared/words.ts'

/** How objects come, change by calls of their own, and go. */

const conditionalCall = z.strictObject({
  op: described(name, 'The operation.', 'stop'),
  when: optional(z.record(name, several(json)), 'Only if attributes have one of these values as they were read.', {
    power: ['on'],
  }),
})

export const action = objectChapter(
  'action',
  'Action',
  'A separate call for a change of some attributes, instead of the write of their part: a move, a rename, start and stop.',
  {
    on: described(several(name), 'The call is made once if one or more of these attributes differ.', ['power']),
    when: optional(
      z.record(name, several(json)),
      'The call is made only if these attributes have one of these desired values.',
      {
        power: ['on'],
      },
    ),
    op: described(name, 'The operation.', 'start'),
    body: optional(json, 'Its body. `{fields}` are the attributes of `on` that differ.', {
      to: '{desired.owner}',
      from: '{before.owner}',
    }),
    order: described(
      z.enum(['before', 'after', 'last']).default('before'),
      'Before or after the writes of the parts. `last`: after all changes of resources that depend on this one too, because nothing can be written after it. Several actions are called in the order of the document.',
    ),
    alongside: described(
      z.boolean().default(false),
      'The attributes are written by their parts, and the call is an addition: reload, publish, reset. It has no inverse.',
    ),
  },
)
export type Action = z.infer<typeof action>

export const lifecycle = objectChapter('lifecycle', 'Lifecycle', 'How objects are created, replaced and deleted.', {
  preventDelete: optional(
    z.boolean(),
    'A resource that is removed from the configuration is forgotten, and its object is not deleted.',
  ),
  onImmutable: optional(z.enum(immutableFates), 'What happens if an immutable attribute differs.'),
  replace: optional(
    z.strictObject({ order: described(z.enum(replaceOrders), 'Which of the two is first.') }),
    'How a change is made by a delete and a create.',
  ),
  create: optional(
    several(
      z.strictObject({
        op: described(name, 'The operation.', 'generate'),
        given: described(
          name,
          'The attribute that chooses it, if a resource declares it. It must be `createOnly`, and the operation `create` does not send it.',
          'template',
        ),
        when: optional(z.record(name, several(json)), 'Only if these attributes have one of these desired values.', {
          visibility: ['public'],
        }),
      }),
    ),
    'Operations that are used instead of `create`; the first one that fits is used. It takes the attributes that it names as `{desired.name}`, and those of `when`. All others are written right after it.',
  ),
  frozen: optional(
    z.record(name, several(json)),
    'An object whose attributes have these values takes no change: it is archived. A change that leaves it so is blocked, and so are changes of resources that have it in their URL (`in: path` with `refersTo`). A delete of the object itself is not.',
    { archived: [true] },
  ),
  initial: optional(
    z.record(name, json),
    'What an object has right after its create, if the create does not send it: attributes with these values are sent neither in the create nor after it. Not of objects that an operation of `lifecycle.create` makes.',
    { archived: false, description: '' },
  ),
  adopt: optional(
    z.boolean(),
    '`false`: an object that exists and was never recorded by this workspace is a blocked change, even if nothing differs.',
  ),
  access: optional(
    accessWay,
    'What an object does by its existence: it gives access to something (`grants`: a key, a membership), or protects something (`restricts`: a rule).',
  ),
  single: optional(
    z.literal(true),
    'Settings that exist exactly once (`identity` may be left out). They are never created and never deleted. If they are not found, they are unchecked, unless the plan creates something that they depend on: then they are set after it.',
  ),
  mode: optional(
    z.enum(['manage', 'reference']),
    '`reference`: the object is only read, so that others can refer to it (`${resource.waldur_tenant.main.url}`). All its attributes except the keys are `computed`, and nothing is written.',
  ),
  beforeDelete: optional(
    several(z.union([name, conditionalCall])),
    'Calls that must be made before a delete, in this order. Each is a separate command.',
    ['stop'],
  ),
  revive: optional(
    name,
    'The operation that brings back an object that has the keys and matches `delete.gone`. It replaces the create; differences are written after it. With `{fields}` in its body it takes what a create would send. Several archived objects are *ambiguous*.',
    'restore',
  ),
  states: optional(
    states,
    'States of an object in which no change is planned for it. They are evaluated at each read.',
  ),
  delete: optional(
    z.strictObject({
      op: described(
        name.default('delete'),
        'The operation that is used instead of `delete`: archive, expire, terminate.',
        'archive',
      ),
      instead: optional(
        several(conditionalCall),
        'Operations that are used instead, for an object that has these values as it was read; the first one that fits is used. Their paths may name what was read: `{before.invitation}`.',
        [{ op: 'cancel', when: { pending: [true] } }],
      ),
      gone: optional(
        z.strictObject({ where: described(where, 'Values by their places.', { archived: true }) }),
        'An object with these values counts as deleted, in lists too: it is archived or expired.',
      ),
    }),
    'How an object is deleted.',
  ),
})

type CallEntry = string | z.output<typeof conditionalCall>

/** The call that is needed before a delete, in each of its written forms. */
export const callOf = (call: CallEntry): Exclude<CallEntry, string> => (typeof call === 'string' ? { op: call } : call)
