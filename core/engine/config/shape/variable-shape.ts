import * as z from 'zod'
import { described, isOwnName, optional, ownNameRule } from '../../schema/described.ts'
import type { Json } from '../../schema/json.ts'
import { linearPattern } from '../../values/texts/linear-pattern.ts'
import { allowed } from '../shared/words.ts'
import { declared } from './words.ts'

const anything = z.unknown() as unknown as z.ZodType<Json>
const scalar = z.union([z.string(), z.number(), z.boolean()])

const pattern = z.string().superRefine((text, context) => {
  const found = linearPattern(text)
  if (typeof found !== 'string') return
  const { fix, detail } = declared.patterns[found]
  context.addIssue({ code: 'custom', message: fix, params: { detail } })
})

/** With `min` above `max` no value would be allowed. */
const ordered = <Shape extends z.ZodType<{ readonly min?: number; readonly max?: number }>>(shape: Shape): Shape =>
  shape.superRefine(({ min, max }, context) => {
    if (min === undefined || max === undefined || min <= max) return
    context.addIssue({ code: 'custom', message: declared.exchange, params: { detail: declared.upsideDown } })
  })

const amount = z.int().nonnegative(allowed.amount)
const range = ordered(
  z.strictObject({
    min: optional(z.number(), 'The smallest allowed number.', 60),
    max: optional(z.number(), 'The largest allowed number.', 86_400),
  }),
)
const length = ordered(
  z.strictObject({
    min: optional(amount, 'The smallest allowed length.', 1),
    max: optional(amount, 'The largest allowed length.', 253),
  }),
)

const validation = z.strictObject({
  pattern: optional(
    pattern,
    'A regular expression that a text must match somewhere. It cannot look around or refer back.',
    '^[a-z.]+$',
  ),
  enum: optional(z.array(scalar).min(1, declared.someWord), 'The allowed values.'),
  range: optional(range, 'The allowed numbers.'),
  length: optional(length, 'The allowed number of characters, of elements of a list, or of members of a mapping.'),
})

const typesOf: Readonly<Record<keyof z.output<typeof validation>, readonly string[]>> = {
  pattern: ['string'],
  enum: ['string', 'number', 'boolean'],
  range: ['number'],
  length: ['string', 'list', 'map'],
}

const variableShape = z
  .strictObject({
    type: described(z.enum(['string', 'number', 'boolean', 'list', 'map']), 'The type of its value.'),
    default: optional(anything, 'Its value if none is given. Without it a value must be given.'),
    description: optional(z.string(), 'For people.'),
    validation: optional(validation, 'Which values are allowed.'),
    sensitive: optional(z.boolean(), 'Its value is secret: only a secret reference is allowed.'),
  })
  .superRefine(({ type, sensitive, validation: rules = {} }, context) => {
    const refuse = (rule: string, message: string, detail: string): void =>
      context.addIssue({ code: 'custom', path: ['validation', rule], message, params: { detail } })
    for (const [rule, types] of Object.entries(typesOf)) {
      if (!Object.hasOwn(rules, rule)) continue
      if (sensitive) refuse(rule, declared.noRule, declared.unseen)
      else if (!types.includes(type)) refuse(rule, declared.elsewhere(rule, types), declared.otherType(rule, type))
    }
  })

export const variablesShape = z.record(
  z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_-]*$/, allowed.variable)
    .refine(isOwnName, ownNameRule),
  variableShape,
)
