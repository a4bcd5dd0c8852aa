import { compare } from '../../diff/compare.ts'
import { overlay } from '../../diff/overlay.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { Address } from '../../schema/resource.ts'
import type { ActionReason } from '../../schema/stored/plan.ts'
import { successorTo } from '../../values/addresses/successor.ts'
import { changedPaths } from '../../values/changed-paths.ts'
import { defined } from '../../values/defined.ts'
import type { PlanFinding, Planning } from '../planning.ts'
import { blockDestroy, makeChange } from './make-change.ts'
import { blockFixed, isImmutable } from './plan-update.ts'

/** Plans the delete of an object: the configuration declares it absent, or no longer declares it. */
export const planDelete = (planning: Planning, before: JsonObject | null, undeclared: boolean): PlanFinding => {
  const { address } = planning.subject
  if (before === null) return { after: null, ...defined({ forgotten: planning.record && true }) }
  const rule = planning.ignoring([], true)
  if (rule !== undefined) return { after: before, ignored: [{ address, path: [], rule }] }
  const change = makeChange(planning, {
    action: 'delete',
    reason: reasonOf(address, undeclared),
    before,
    after: null,
    blocked: blockDestroy(planning, 'deleted'),
  })
  return { change, after: null }
}

const reasonOf = (address: Address, undeclared: boolean): ActionReason => {
  if (!undeclared) return 'delete_because_absent'
  return successorTo(address) === address ? 'delete_because_no_resource_config' : 'delete_because_former'
}

/** Plans nothing for an object that left the configuration and stays as it is. */
export const planReport = (planning: Planning, before: JsonObject): PlanFinding => {
  const rule = planning.ignoring([], false)
  const { address } = planning.subject
  return { after: before, ...defined({ ignored: rule === undefined ? undefined : [{ address, path: [], rule }] }) }
}

/** Plans the creation of an object. If it is recorded, somebody deleted it. */
export const planCreate = (planning: Planning, desired: JsonObject): PlanFinding => {
  const { subject, schema, record } = planning
  const { address, type, name } = subject
  const rule = planning.ignoring([], true)
  if (rule !== undefined) return { after: null, ignored: [{ address, path: [], rule }] }
  const change = makeChange(planning, { action: 'create', before: null, after: desired })
  if (record === undefined) return { change, after: desired }
  const diff = compare(schema, record.attributes, null)
  return { change, after: desired, drift: { address, type, name, kind: 'deleted', diff } }
}

/** Like `planCreate`, if an archived object has the keys: it is revived, unless an immutable attribute differs. */
export const planRevival = (planning: Planning, desired: JsonObject, archived: JsonObject): PlanFinding => {
  const found = planCreate(planning, desired)
  if (found.change === undefined) return found
  const after = overlay(planning.schema, desired, archived)
  const fixed = changedPaths(compare(planning.schema, archived, after)).filter((path) =>
    isImmutable(planning.schema, path),
  )
  const change = makeChange(planning, {
    action: 'create',
    reason: 'create_because_archived',
    before: null,
    after,
    blocked: fixed.length === 0 ? undefined : blockFixed(planning, fixed),
  })
  return { ...found, change, after }
}
