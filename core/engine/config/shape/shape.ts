import * as z from 'zod'
import { alertRouteShape } from '../../schema/alert-route.ts'
import { grades } from '../../schema/command.ts'
import { described, optional } from '../../schema/described.ts'
import { orphanFates } from '../../schema/resource.ts'
import { severity } from '../../schema/rules.ts'
import { workspaceId } from '../../schema/stored/records.ts'
import { extensionSchema } from '../../values/extension-keys.ts'
import { durationPattern, isZone, parseSchedule } from '../schedule/schedule.ts'
import { allowed, configurationText } from '../shared/words.ts'
import { members, name, nonEmpty, texts } from './basics.ts'
import { modulesShape, resourcesShape } from './resource-shape.ts'
import { variablesShape } from './variable-shape.ts'

/*
 * The shape of plumbline.yaml; the JSON Schema is generated from it. The text of a failed check becomes the fix of an
 * issue.
 */

export const scheduleText = z
  .string()
  .regex(/^\s*(rate|cron|at)\s*\(.*\)\s*$/, allowed.schedule)
  .superRefine((text, context) => {
    const parsed = parseSchedule(text)
    if (!parsed.ok) context.addIssue({ code: 'custom', message: allowed.schedule, params: { detail: parsed.detail } })
  })

const blackoutText = scheduleText.refine((text) => !/^\s*rate/.test(text), { message: allowed.blackout })
const duration = z.string().regex(durationPattern, allowed.duration)
const zone = z.string().refine(isZone, { message: allowed.zone })
const day = z.iso.date(allowed.day)
const count = z.int().positive(allowed.count)

const providerShape = z.strictObject({
  source: described(
    nonEmpty,
    'The kind of provider, or a package with its version.',
    'rest',
    'npm:@acme/plumbline-provider@1.2.3',
  ),
  integrity: optional(
    z.string().regex(/^sha512-[A-Za-z0-9+/]{86}==$/, allowed.integrity),
    'Of a package: the SHA-512 of its module. `plumbline validate` prints it if it is missing.',
  ),
  baseUrls: optional(texts, 'Of a package: the only URLs that its requests may go to.', ['https://api.acme.example/']),
  definition: optional(nonEmpty, 'The provider document: a file beside this one.', './powerdns.provider.yaml'),
  with: optional(members, 'The inputs of the provider: addresses, limits, credentials as `{ secret: "env:NAME" }`.'),
})

const movedShape = z.strictObject({
  provider: optional(
    nonEmpty,
    'The alias of a provider whose target has another address now and is the same one: `from` and `to` are its addresses, as the message about the unchecked resources names them.',
    'dns',
  ),
  from: described(nonEmpty, 'The former address, of a resource or a module.', 'pdns_zone.old'),
  to: described(nonEmpty, 'The address under which it is declared now.', 'pdns_zone.main'),
})

const removedShape = z.strictObject({
  address: described(
    nonEmpty,
    'The address under which it was declared: of a resource, of all its instances, or of a module with all that was in it.',
    'pdns_zone.legacy',
    'module.staging',
  ),
  reason: described(nonEmpty, 'Why it is forgotten and not deleted.'),
})

const importShape = z.strictObject({
  to: described(nonEmpty, 'The address of the resource that the object belongs to.', 'pdns_zone.main'),
  id: described(
    z.record(z.string(), z.union([nonEmpty, z.number(), z.boolean()])),
    'What identifies the object: server ids, and keys that differ from those of the resource.',
    { id: '42' },
  ),
})

const goneShape = z.strictObject({
  address: described(nonEmpty, 'The resources; `*` matches any part.', 'pdns_zone.*'),
  reason: described(nonEmpty, 'How it is known that the objects were deleted.'),
})

const ignoreShape = z.strictObject({
  address: described(nonEmpty, 'The resources that the rule covers; `*` matches any part.', 'pdns_zone.*'),
  path: optional(nonEmpty, 'The attribute that the rule covers; the whole resource when not written.', 'rrsets'),
  reason: described(nonEmpty, 'Why the difference is ignored.'),
  owner: described(nonEmpty, 'Who is responsible for the rule.'),
  expires: optional(day, 'The day (UTC) from which the rule no longer applies.', '2027-01-01'),
  includeDeletes: optional(z.boolean(), 'Only with this does the rule cover deletes and replacements.'),
})

const blackoutShape = z.strictObject({
  cron: described(blackoutText, 'When it begins, in the time zone of the workspace.', 'cron(0 22 ? * FRI *)'),
  duration: described(duration, 'How long it lasts.', '60h'),
})

const most = z.union([z.int().nonnegative(), z.string().regex(/^(100|\d{1,2})%$/, allowed.most)], allowed.most)

export const policyShape = z.strictObject({
  maxChanges: optional(count, 'Largest number of commands of one apply.'),
  allowGrades: optional(z.array(z.enum(grades)), 'Grades of commands that an apply may send; all when not written.'),
  allowWidening: optional(
    z.boolean(),
    '`false`: an apply that would give more access, as the facts of the provider tell it, is refused.',
  ),
  maxRemovals: optional(
    z.union([most, z.record(z.string(), most)], allowed.most),
    'What an apply may take away at most, as a number of objects and elements together, or as the share of the objects of a type and of the elements of a list; by type, it is a mapping, in which `*` stands for all other types.',
    { github_team: '20%', '*': 10 },
  ),
  standingApprovals: optional(
    z.boolean(),
    '`true`: an approved digest may be applied again, without a new check, whenever the same difference returns.',
  ),
})

const limitsShape = z.strictObject({
  bytes: optional(
    count,
    'Largest size of all responses together, in bytes after decompression; 536870912 (512 MiB) when not written.',
    536_870_912,
  ),
  time: optional(duration, 'Longest time for all reads; 10m when not written.', '10m'),
  requests: optional(
    count,
    'Largest number of requests of one check that the APIs count. If not all resources fit, those that were not read for longest are, and the others are unchecked until the next checks.',
    1_000,
  ),
})

const alertsShape = z.strictObject({
  minSeverity: optional(severity, 'Findings below this severity raise no alert; `low` when not written.'),
  renotify: optional(duration, 'Repeat the alert of an open episode after this time.', '24h'),
  routes: optional(
    z.array(alertRouteShape).max(8, allowed.routes),
    'Where alerts are sent besides the topic or the terminal: to receivers of the workspace.',
    [{ kind: 'slack', url: { secret: 'env:SLACK_WEBHOOK_URL' }, minSeverity: 'medium' }],
  ),
})

const eventsShape = z.strictObject({
  github: optional(
    z.strictObject({
      organization: described(nonEmpty, 'The name of the organisation whose events count.', 'acme'),
      webhookSecret: described(
        z.strictObject({ secret: described(nonEmpty, 'Where it is kept.', 'ssm:/plumbline/acme/webhook') }),
        'The secret of its webhook, by reference. On AWS the last part of its name is `webhook`.',
        { secret: 'ssm:/plumbline/acme/webhook' },
      ),
    }),
    'A webhook of an organisation of GitHub: a change of what can be managed starts a check within seconds.',
  ),
})

export const configurationShape = z.strictObject({
  $schema: optional(z.string(), 'For editors.'),
  workspace: described(
    workspaceId,
    'Name of the workspace: the unit of state, locking, schedule and alerts.',
    'acme-dns',
  ),
  schedule: optional(
    scheduleText,
    'When to check, in the syntax of EventBridge Scheduler; only by hand when not written.',
    'rate(15 minutes)',
    'cron(0 6 ? * MON-FRI *)',
  ),
  timezone: optional(zone, 'IANA time zone of the schedule and the blackouts; UTC when not written.', 'Europe/Berlin'),
  blackout: optional(z.array(blackoutShape), 'Times in which no scheduled check starts.'),
  providers: optional(z.record(name, providerShape), 'The systems that are checked, by alias.'),
  variables: optional(variablesShape, 'Values that are used as `${var.name}`.'),
  include: optional(
    texts,
    'Files with more resources and modules, relative to this one; `*` is any part of a name. At least one file must match.',
    ['zones/*.yaml'],
  ),
  resources: optional(resourcesShape, 'The desired resources.'),
  modules: optional(modulesShape, 'Resources that are declared in the folder of a module, and its parameters.'),
  unmanaged: optional(
    z.enum(['ignore', 'report']),
    'Whether objects that exist and are not declared are reported; `ignore` when not written.',
  ),
  orphans: optional(
    z.enum(orphanFates),
    'What happens to resources that leave the configuration: `delete` deletes their objects, `forget` only drops their records, `report` lists them; `delete` when not written.',
  ),
  removed: optional(
    z.array(removedShape),
    'Resources that left the configuration and are forgotten: their objects are never deleted.',
  ),
  moved: optional(
    z.array(movedShape),
    'Resources and modules whose address changed: their records get the new address, and no request is sent.',
  ),
  import: optional(
    z.array(importShape),
    'Existing objects that resources without a record are, where the keys of the resource do not find them.',
  ),
  gone: optional(
    z.array(goneShape),
    'Resources whose objects were deleted outside, if the target alone does not prove it: they are created again, or forgotten.',
  ),
  ignore: optional(z.array(ignoreShape), 'Differences that are ignored, each with a reason and an owner.'),
  policy: optional(policyShape, 'What an apply may do.'),
  limits: optional(limitsShape, 'How much one check may read; resources beyond a limit are unchecked.'),
  alerts: optional(alertsShape, 'When to alert.'),
  events: optional(eventsShape, 'What starts a check besides the schedule.'),
})

export type WrittenConfiguration = z.output<typeof configurationShape>

/** JSON Schema draft 2020-12, for editors and other tools. */
export const configurationSchema = (): object => ({
  ...z.toJSONSchema(configurationShape, { target: 'draft-2020-12', io: 'input' }),
  ...extensionSchema,
  title: 'Plumbline workspace',
  description: configurationText,
})
