import * as z from 'zod'
import { described, optional } from '../../schema/described.ts'
import { extensionSchema } from '../../values/extension-keys.ts'
import { durationPattern } from '../schedule/schedule.ts'
import { anything, name } from '../shape/basics.ts'
import { policyShape, scheduleText } from '../shape/shape.ts'
import { allowed } from '../shared/words.ts'
import { overlayText } from './words.ts'

const members = z.record(z.string(), anything)
const nonEmpty = z.string().min(1, allowed.text)

const renameShape = z.strictObject({
  address: described(nonEmpty, 'The resources; `*` matches any part.', 'pdns_zone.*'),
  attribute: described(nonEmpty, 'The attribute of `spec` that names the object.', 'name'),
  to: described(nonEmpty, 'Its value in the preview; `${value}` is the written one.', '${slug}.${value}'),
})

export const overlayShape = z.strictObject({
  $schema: optional(z.string(), 'For editors.'),
  expires: optional(
    z.string().regex(durationPattern, allowed.duration),
    'How long the preview lives after it was stored last; `7d` when not written.',
    '7d',
  ),
  schedule: optional(
    scheduleText,
    'When to check the preview, in the syntax of EventBridge Scheduler. When not written it is checked only by hand, and once when it expires.',
    'rate(1 hour)',
  ),
  rename: optional(z.array(renameShape), 'Other names for the objects of the preview.'),
  variables: optional(
    members,
    'Values of the variables of the workspace; `${value}` is the value without the overlay.',
    {
      domain: '${slug}.${value}',
    },
  ),
  providers: optional(
    z.record(name, z.strictObject({ with: described(members, 'The inputs that differ; the others stay.') })),
    'Inputs of providers, by alias; `${value}` is the written one.',
  ),
  policy: optional(policyShape, 'What an apply of the preview may do, instead of the policy of the workspace.'),
})
export type Overlay = z.output<typeof overlayShape>

export const overlaySchema = (): object => ({
  ...z.toJSONSchema(overlayShape, { target: 'draft-2020-12', io: 'input' }),
  ...extensionSchema,
  title: 'Plumbline preview',
  description: overlayText,
})
