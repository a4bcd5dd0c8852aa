import { normalise } from '../diff/normalise.ts'
import { AppError } from '../errors.ts'
import type { Attribute, ObjectSchema } from '../schema/attribute.ts'
import type { JsonObject } from '../schema/json.ts'
import type { Lifecycle, RecordedResource } from '../schema/resource.ts'
import { ignoringFor } from './ignore-rules.ts'
import { planCreate, planDelete } from './plan-existence.ts'
import { planUpdate } from './plan-update.ts'
import type { PlannedResource, Planning, ResourceInput } from './planning.ts'
import { seenDigest } from './seen-digest.ts'

/**
 * What is to be done about one resource. An unknown read is never a change. A resource that left the configuration is
 * deleted, or, where its type says `preventDelete`, forgotten with a note.
 */
export const planResource = (input: ResourceInput): PlannedResource => {
  const { desired, recorded, facts, observed } = input
  const subject = desired ?? recorded
  if (subject === undefined) throw new AppError('INTERNAL', { detail: 'a resource neither desired nor recorded' })
  const { address, lifecycle, attributes: own } = subject
  const quiet = { address, unobserved: [], ignored: [] }
  if (desired === undefined && facts.lifecycle?.preventDelete) {
    return { ...quiet, ignored: [{ address, path: [], rule: 'preventDelete' }], forgotten: true }
  }
  if (observed.kind === 'unknown') {
    return { ...quiet, unchecked: { address, reason: observed.reason, detail: observed.detail } }
  }
  const schema = withManage(facts.schema, lifecycle.manage)
  const planning: Planning = {
    subject,
    facts,
    schema,
    ignoring: ignoringFor(address, lifecycle.ignoreChanges, input.ignoreRules, input.today),
    ...(recorded === undefined ? {} : { record: recordOf(schema, recorded, own) }),
  }
  const before = observed.kind === 'present' ? normalise(schema, observed.attributes, 'observed', own) : null
  const wanted = normalise(schema, own, desired === undefined ? 'recorded' : 'desired')
  return {
    ...quiet,
    before,
    desired: wanted,
    observedDigest: before === null ? null : seenDigest(schema, before),
    ...findingOf(
      planning,
      wanted,
      before,
      desired === undefined ? 'undeclared' : desired.absent ? 'absent' : 'present',
    ),
  }
}

const findingOf = (
  planning: Planning,
  wanted: JsonObject,
  before: JsonObject | null,
  shall: 'present' | 'absent' | 'undeclared',
) => {
  if (shall !== 'present') return planDelete(planning, before, shall === 'undeclared')
  return before === null ? planCreate(planning, wanted) : planUpdate(planning, wanted, before)
}

const recordOf = (
  schema: ObjectSchema,
  recorded: RecordedResource,
  own: JsonObject,
): NonNullable<Planning['record']> => ({
  attributes: normalise(schema, recorded.attributes, 'recorded', own),
  neverAgreed: recorded.neverAgreed ?? [],
  sent: recorded.sent ?? {},
})

/** The schema with one resource's `lifecycle.manage` in force. */
export const withManage = (schema: ObjectSchema, manage: Lifecycle['manage']): ObjectSchema => {
  if (manage === undefined) return schema
  const attributes = Object.entries(schema.attributes).map(([name, facts]): [string, Attribute] => {
    const chosen = Object.hasOwn(manage, name) ? manage[name] : undefined
    return [name, chosen === undefined ? facts : { ...facts, manage: chosen }]
  })
  return { attributes: Object.fromEntries(attributes) }
}
