import * as z from 'zod'
import { grades } from '../../schema/command.ts'
import { isOwnName, ownNameRule } from '../../schema/described.ts'
import type { Json } from '../../schema/json.ts'
import { severity, workspaceId } from '../../schema/records.ts'
import { defined } from '../../values/defined.ts'
import { durationPattern } from '../schedule/duration.ts'
import { isZone, parseSchedule } from '../schedule/schedule.ts'

/*
 * The written shape: what people may put into plumbline.yaml. The JSON Schema is made from it, so each key is described
 * here. The text of a failed check says what is allowed; it becomes the fix of an issue.
 */

// Looked into later, with the positions and the references at hand; any JSON here.
const anything = z.unknown() as unknown as z.ZodType<Json>
const members = z.record(z.string(), anything)
const nonEmpty = z.string().min(1, 'write at least one character')

export const namePattern = /^[A-Za-z0-9_-]+$/
export const typePattern = /^[a-z][a-z0-9]*(_[a-z0-9]+)+$/

const name = z.string().regex(namePattern, 'use letters, digits, "_" and "-"').refine(isOwnName, ownNameRule)
const described = <Shape extends z.ZodType>(shape: Shape, description: string, ...examples: z.output<Shape>[]): Shape =>
  shape.meta({ description, ...defined({ examples: examples.length === 0 ? undefined : examples }) })

const scheduleForms = 'write rate(15 minutes), cron(0 6 ? * MON-FRI *) or at(2026-12-24T18:00:00)'
const scheduleText = z
  .string()
  .regex(/^\s*(rate|cron|at)\s*\(.*\)\s*$/, scheduleForms)
  .superRefine((text, context) => {
    const parsed = parseSchedule(text)
    if (!parsed.ok) context.addIssue({ code: 'custom', message: scheduleForms, params: { detail: parsed.detail } })
  })

const blackoutText = scheduleText.refine((text) => !/^\s*rate/.test(text), {
  message: 'a blackout starts at fixed times: write cron(...) or at(...)',
})

const duration = z.string().regex(durationPattern, 'write a whole number and s, m, h, d or w, for example 30m or 60h')

const zone = z.string().refine(isZone, { message: 'write an IANA time zone such as Europe/Berlin or UTC' })

const day = z.iso.date('write a day that exists, as in 2027-01-31')

const providerShape = z.strictObject({
  source: described(nonEmpty, 'What kind of provider it is.', 'rest'),
  definition: described(
    nonEmpty,
    'The provider document: a file beside this one.',
    './powerdns.provider.yaml',
  ).exactOptional(),
  with: described(
    members,
    'What the provider needs: addresses, limits, credentials as `{ secret: "env:NAME" }`.',
  ).exactOptional(),
})

const variableShape = z.strictObject({
  type: described(z.enum(['string', 'number', 'boolean', 'list', 'map']), 'What its value must be.'),
  default: described(anything, 'Its value.').exactOptional(),
  description: described(z.string(), 'For people.').exactOptional(),
})

const manage = z.enum(['exclusive', 'declared'])

const lifecycleShape = z.strictObject({
  preventDestroy: described(z.boolean(), 'A delete or a replacement is shown and never sent.').exactOptional(),
  ignoreChanges: described(z.array(nonEmpty), 'Paths whose differences are left alone.', ['serial']).exactOptional(),
  onImmutable: described(
    z.enum(['report', 'replace', 'error']),
    'What to do when an attribute differs that cannot be changed after creation.',
  ).exactOptional(),
  manage: described(
    z.record(z.string(), manage),
    'For a collection, by attribute: `exclusive` removes elements that are not declared, `declared` leaves them alone.',
  ).exactOptional(),
})

const resourceShape = z.strictObject({
  type: described(
    z
      .string()
      .regex(typePattern, 'use lower case letters and digits, with a "_" after the prefix, for example pdns_zone'),
    'The resource type.',
    'dns_zone',
  ),
  name: described(name, 'Its name within the type; `type.name` is its address.', 'main'),
  provider: described(nonEmpty, 'Alias of the provider, where several know the type.').exactOptional(),
  absent: described(z.boolean(), 'The object shall not exist; `spec` then only identifies it.').exactOptional(),
  spec: described(
    members,
    'The attributes. Not written: not managed. `null`: cleared. Empty: must be empty. Texts may hold references: `${var.x}`, `${workspace}`, `${resource.type.name.attribute}`.',
  ),
  dependsOn: described(
    z.array(nonEmpty),
    'Addresses that come first, beyond those that `spec` refers to.',
  ).exactOptional(),
  lifecycle: described(lifecycleShape, 'Rules for its changes.').exactOptional(),
})

const movedShape = z.strictObject({
  from: described(nonEmpty, 'The address under which it was known.', 'pdns_zone.old'),
  to: described(nonEmpty, 'The address under which it is declared now.', 'pdns_zone.main'),
})

const ignoreShape = z.strictObject({
  address: described(nonEmpty, 'The resources meant; `*` stands for any part.', 'pdns_zone.*'),
  path: described(nonEmpty, 'The attribute meant; the whole resource when not written.', 'rrsets').exactOptional(),
  reason: described(nonEmpty, 'Why it is left alone.'),
  owner: described(nonEmpty, 'Who answers for the rule.'),
  expires: described(day, 'Day (UTC) from which on the rule is void.', '2027-01-01').exactOptional(),
  includeDeletes: described(
    z.boolean(),
    'Only with this does the rule cover deletes and replacements.',
  ).exactOptional(),
})

const blackoutShape = z.strictObject({
  cron: described(blackoutText, 'When it begins, in the time zone of the workspace.', 'cron(0 22 ? * FRI *)'),
  duration: described(duration, 'How long it lasts.', '60h'),
})

const policyShape = z.strictObject({
  autoApply: described(z.literal('none'), 'Nothing is applied without an approval.').exactOptional(),
  approvers: described(z.literal(1), 'How many people must approve.').exactOptional(),
  maxChanges: described(
    z.int().positive('write a whole number from 1 on'),
    'Largest number of commands of one apply.',
  ).exactOptional(),
  allowGrades: described(
    z.array(z.enum(grades)),
    'Grades of commands that an apply may send; all when not written.',
  ).exactOptional(),
})

const limitsShape = z.strictObject({
  bytes: described(
    z.int().positive('write a whole number from 1 on'),
    'Most bytes of all answers, after decompression; 536870912 (512 MiB) when not written.',
    536_870_912,
  ).exactOptional(),
  time: described(duration, 'Longest time for all reads; 10m when not written.', '10m').exactOptional(),
})

const alertsShape = z.strictObject({
  minSeverity: described(severity, 'Quieter findings are not told; `low` when not written.').exactOptional(),
  renotify: described(duration, 'Tell an open episode again after this time.', '24h').exactOptional(),
})

export const configurationShape = z.strictObject({
  $schema: described(z.string(), 'For editors.').exactOptional(),
  workspace: described(
    workspaceId,
    'Name of the workspace: the unit of state, locking, schedule and alerts.',
    'acme-dns',
  ),
  schedule: described(
    scheduleText,
    'When to check, in the syntax of EventBridge Scheduler; only by hand when not written.',
    'rate(15 minutes)',
    'cron(0 6 ? * MON-FRI *)',
  ).exactOptional(),
  timezone: described(
    zone,
    'IANA time zone of the schedule and the blackouts; UTC when not written.',
    'Europe/Berlin',
  ).exactOptional(),
  blackout: described(z.array(blackoutShape), 'Times in which no scheduled check starts.').exactOptional(),
  providers: described(z.record(name, providerShape), 'The systems that are looked at, by alias.').exactOptional(),
  variables: described(
    z.record(
      z
        .string()
        .regex(/^[A-Za-z_][A-Za-z0-9_-]*$/, 'use letters, digits, "_" and "-", with a letter or "_" first')
        .refine(isOwnName, ownNameRule),
      variableShape,
    ),
    'Values that are used in several places as `${var.name}`.',
  ).exactOptional(),
  resources: described(z.array(resourceShape), 'What shall be.').exactOptional(),
  unmanaged: described(
    z.enum(['ignore', 'report']),
    'Whether objects that exist and are not declared are reported; `ignore` when not written.',
  ).exactOptional(),
  moved: described(
    z.array(movedShape),
    'Resources that have another address now: what is recorded goes along, and nothing is sent for it.',
  ).exactOptional(),
  ignore: described(
    z.array(ignoreShape),
    'Differences that are left alone, each with a reason and an owner.',
  ).exactOptional(),
  policy: described(policyShape, 'What an apply may do.').exactOptional(),
  limits: described(limitsShape, 'What one check may cost; what is not read then is unchecked.').exactOptional(),
  alerts: described(alertsShape, 'What is told.').exactOptional(),
})

export type WrittenConfiguration = z.output<typeof configurationShape>
