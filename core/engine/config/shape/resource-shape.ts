import * as z from 'zod'
import { described, optional, typePattern } from '../../schema/described.ts'
import { immutableFates, orphanFates, replaceOrders } from '../../schema/resource.ts'
import { allowed, forEachText } from '../shared/words.ts'
import { anything, members, name, nonEmpty, texts } from './basics.ts'

/* Resources and calls of modules, as every file of a workspace may have them. */

const manage = z.enum(['exclusive', 'declared'])

export const lifecycleShape = z.strictObject({
  preventDestroy: optional(z.boolean(), 'A delete or a replacement is shown and never sent.'),
  ignoreChanges: optional(texts, 'Paths whose differences are left alone.', ['serial']),
  onImmutable: optional(z.enum(immutableFates), 'What to do if an immutable attribute differs.'),
  replaceOrder: optional(
    z.enum(replaceOrders),
    'The order of a replacement, instead of that of its type. `createFirst` needs an API where both objects can exist at once.',
  ),
  manage: optional(
    z.record(z.string(), manage),
    'For a collection, by attribute: `exclusive` removes elements that are not declared, `declared` leaves them alone.',
  ),
  readOnly: optional(
    z.boolean(),
    'The object is only read, so that others can refer to it: it is never created, changed or deleted. `spec` needs only what identifies it.',
  ),
  orphan: optional(
    z.enum(orphanFates),
    'What happens if the resource leaves the configuration, instead of `orphans` of the workspace; recorded with each check.',
  ),
})

const condition = z
  .record(z.string(), anything)
  .refine((each) => Object.keys(each).length > 0, { message: allowed.conditions })
const conditions = z.union([condition, z.array(condition).min(1, allowed.conditions)], allowed.conditions)

const forAllShape = z.strictObject({
  where: optional(
    conditions,
    'Which objects: a value, or several, for attributes that a list of the objects shows; `*` in a text is any text. Of a list one element has to fit, of a map each key. Several such mappings: one of them has to fit. Not written: all.',
    { visibility: ['public', 'internal'], name: 'web-*' },
  ),
  except: optional(conditions, 'The objects that are left out, in the same way.', { topics: 'legacy' }),
  repair: optional(z.boolean(), 'Objects that no resource declares are repaired, too, and not only checked.'),
})

const enabled = optional(
  z.union([z.boolean(), nonEmpty], allowed.enabled),
  '`false`: it counts as not declared. May contain `${var.x}` and `each`.',
  '${var.with_mail}',
)

const resourceShape = z.strictObject({
  type: described(z.string().regex(typePattern, allowed.type), 'The resource type.', 'dns_zone'),
  name: described(name, 'Its name within the type; `type.name` is its address.', 'main'),
  forEach: optional(anything, forEachText, ['eu', 'us'], { eu: { ttl: 60 }, us: { ttl: 300 } }),
  enabled,
  forAll: optional(
    forAllShape,
    'It is a rule and no object: the spec holds for all objects of the type that exist, declared or not. What a resource declares itself counts more, and so does a later rule.',
  ),
  provider: optional(
    nonEmpty,
    'Alias of the provider, if several providers have the type. May contain `${var.x}` and `${each.key}`.',
  ),
  absent: optional(z.boolean(), 'The object must not exist; `spec` then only identifies it.'),
  spec: described(
    members,
    'The attributes. Not written: not managed. `null`: cleared. Empty: must be empty. Texts may contain references: `${var.x}`, `${workspace}`, `${each.key}`, `${resource.type.name.attribute}`, `${module.name.output}`.',
  ),
  dependsOn: optional(texts, 'Addresses of resources that come first, in addition to those that `spec` refers to.'),
  lifecycle: optional(lifecycleShape, 'Rules for its changes.'),
})

export const resourcesShape = z.array(resourceShape)

const moduleCallShape = z.strictObject({
  name: described(name, 'Its name; `module.<name>` is its address.', 'prod'),
  source: described(
    nonEmpty,
    'The folder of its module.yaml, relative to this file; or `otterdog` for an organisation file of Otterdog.',
    './modules/zone',
  ),
  forEach: optional(anything, forEachText, ['eu', 'us'], { eu: { ttl: 60 }, us: { ttl: 300 } }),
  enabled,
  with: optional(members, 'Its parameters. Texts may contain references.'),
})

export const modulesShape = z.array(moduleCallShape)
