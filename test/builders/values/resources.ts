import { buildPlan } from '../../../core/engine/plan/build-plan.ts'
import type { PlannedResource, ResourceInput, TypeFacts } from '../../../core/engine/plan/planning.ts'
import { recordAfterCheck } from '../../../core/engine/plan/record/record.ts'
import { recordAfterApply } from '../../../core/engine/plan/record/record-after-apply.ts'
import { planResource } from '../../../core/engine/plan/resource/plan-resource.ts'
import type { Attribute } from '../../../core/engine/schema/attribute.ts'
import type { JsonObject } from '../../../core/engine/schema/json.ts'
import type { DesiredResource, Lifecycle, ReadResult, RecordedResource } from '../../../core/engine/schema/resource.ts'
import type { Plan } from '../../../core/engine/schema/stored/plan.ts'

export const factsOf = (attributes: Record<string, Attribute>, lifecycle?: TypeFacts['lifecycle']): TypeFacts => ({
  schema: { attributes },
  ...(lifecycle === undefined ? {} : { lifecycle }),
})

const subject = { address: 'thing.one', type: 'thing', name: 'one', provider: 'test', dependsOn: [] }

export const desiredOf = (
  attributes: JsonObject,
  more: Partial<Omit<DesiredResource, 'lifecycle'>> & { readonly lifecycle?: Lifecycle } = {},
): DesiredResource => ({
  ...subject,
  absent: false,
  lifecycle: {},
  position: { file: 'plumbline.yaml', line: 1, column: 1 },
  attributes,
  ...more,
})

export const recordedOf = (attributes: JsonObject, more: Partial<RecordedResource> = {}): RecordedResource => ({
  ...subject,
  lifecycle: {},
  attributes,
  ...more,
})

export const present = (attributes: JsonObject): ReadResult => ({ kind: 'present', attributes })
export const absent: ReadResult = { kind: 'absent' }
export const unknown: ReadResult = { kind: 'unknown', reason: 'forbidden', detail: '403' }

/** Plans one resource; the parts that a test does not speak of are plain. */
export const plan = (input: Omit<ResourceInput, 'ignoreRules' | 'today'> & Partial<ResourceInput>): PlannedResource =>
  planResource({ ignoreRules: [], today: '2026-11-21', ...input })

/** The plan of a workspace with these resources; without commands. */
export const planOf = (planned: readonly PlannedResource[]): Plan =>
  buildPlan({
    workspace: 'w',
    planned,
    changes: planned.flatMap(({ change }) => change ?? []),
    unmanaged: [],
    commands: [],
  })

/** One check: what is planned, and what is recorded afterwards. */
export const check = (input: Parameters<typeof plan>[0]) => {
  const planned = plan(input)
  const record = recordAfterCheck({
    schema: input.facts.schema,
    planned,
    ...(input.desired === undefined ? {} : { desired: input.desired }),
    ...(input.recorded === undefined ? {} : { recorded: input.recorded }),
  })
  return { planned, record }
}

/** A target that does exactly what the change says: what is read afterwards, and what is recorded. */
export const apply = (input: Parameters<typeof plan>[0], planned: PlannedResource) => {
  const { change } = planned
  const observed = change === undefined ? planned.before : change.after
  const read: ReadResult = observed ? present(readable(input.facts, observed)) : absent
  const record =
    change &&
    recordAfterApply({
      schema: input.facts.schema,
      sentAttributes: planned.desired ?? {},
      observed: read.kind === 'present' ? read.attributes : null,
      change,
      ignored: planned.ignored.map(({ path }) => path),
      ...(input.desired === undefined ? {} : { desired: input.desired }),
      ...(input.recorded === undefined ? {} : { recorded: input.recorded }),
    })
  return { read, record }
}

/** A target never shows write-only attributes. */
const readable = (facts: TypeFacts, attributes: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(attributes).filter(([name]) => !facts.schema.attributes[name]?.writeOnly))
