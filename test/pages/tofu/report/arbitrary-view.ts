import * as fc from 'fast-check'
import type { PlanView, View, ViewChange, ViewImport, ViewObject } from '../../../../core/pages/tofu/view/plan-view.ts'
import { someDiff, someObject, somePath, someText } from '../../render/arbitrary-plan.ts'
import { anObject, aPlanView, aStateView, aViewChange } from '../builders/views.ts'

const reasons = [
  'replace_because_tainted',
  'replace_because_cannot_update',
  'delete_because_each_key',
  'delete_because_no_module',
  'read_because_check_nested',
  'forgot_because_lifecycle_destroy_in_state',
  'toString',
]

const actions: readonly ViewChange['action'][] = [
  'no-op',
  'create',
  'update',
  'delete',
  'read',
  'forget',
  'delete-create',
  'create-delete',
  'forget-create',
  'create-forget',
  'unknown',
]

/** Without members that are `undefined`, which plain JSON has none of. */
const trimmed = <Shape>(value: object): Shape => JSON.parse(JSON.stringify(value)) as Shape

const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })

const someAddress = fc.oneof(
  someText.map((text) => `t_x.${text}`),
  fc.constantFrom('a_b.c[0]', 'module.a.module.b["x.y"].a_b.c["k"]', 'data.a_b.c', 'module.a[', ''),
)

export const someViewChange: fc.Arbitrary<ViewChange> = fc
  .record({
    address: someAddress,
    previousAddress: optional(someAddress),
    module: optional(fc.oneof(someText, fc.constantFrom('module.a', 'module.a.module.b["x.y"]'))),
    deposed: optional(someText),
    action: fc.constantFrom(...actions),
    reason: optional(fc.oneof(someText, fc.constantFrom(...reasons))),
    importing: optional(
      fc
        .record({ id: optional(someText), identity: optional(someObject), generated: fc.boolean() })
        .map(trimmed<ViewImport>),
    ),
    twin: optional(someAddress),
    replacePaths: fc.array(somePath, { maxLength: 2 }),
    diff: someDiff,
    sources: fc.array(fc.record({ path: somePath, references: fc.array(someText, { maxLength: 2 }) }), {
      maxLength: 2,
    }),
  })
  .map((over) => aViewChange(trimmed<ViewChange>(over)))

const outputs = fc.array(fc.record({ name: someText, diff: someDiff }), { maxLength: 2 })
const checks = fc.array(
  fc.record({
    address: someText,
    kind: someText,
    status: fc.oneof(someText, fc.constantFrom('fail', 'error', 'unknown')),
    problems: fc.array(someText, { maxLength: 2 }),
  }),
  { maxLength: 2 },
)
const problems = fc.array(fc.record({ address: someText, detail: someText }), { maxLength: 2 })

/** Any view of the shape, consistent or not. */
export const someView: fc.Arbitrary<View> = fc.oneof(
  fc
    .record({
      mode: fc.constantFrom('normal', 'refresh-only', 'destroy'),
      errored: fc.boolean(),
      complete: fc.boolean(),
      newer: fc.boolean(),
      unknownMembers: fc.array(someText, { maxLength: 2 }),
      changes: fc.array(someViewChange, { maxLength: 4 }),
      unchanged: fc.nat(5),
      drift: fc.array(someViewChange, { maxLength: 2 }),
      otherDrift: fc.nat(2),
      deferred: fc.array(fc.record({ reason: someText, change: someViewChange }), { maxLength: 2 }),
      outputs,
      invocations: fc.array(
        fc.record(
          {
            address: someText,
            config: someDiff,
            deferred: fc.oneof(someText, fc.constantFrom('provider_config_unknown', 'toString')),
            trigger: fc.record({ address: someText, side: fc.constantFrom('before', 'after') } as const),
          },
          { requiredKeys: ['address'] },
        ),
        { maxLength: 2 },
      ),
      checks,
      problems,
    })
    .map((over): View => aPlanView(over as Partial<PlanView>)),
  fc
    .record({
      newer: fc.boolean(),
      objects: fc.array(
        fc
          .record({
            address: someAddress,
            module: optional(someText),
            deposed: optional(someText),
            tainted: fc.boolean(),
            diff: someDiff,
          })
          .map((over) => anObject(trimmed<ViewObject>(over))),
        { maxLength: 3 },
      ),
      outputs,
      checks,
      problems,
    })
    .map((over): View => aStateView(over)),
)
