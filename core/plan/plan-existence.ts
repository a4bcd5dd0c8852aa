import { compare } from '../diff/compare.ts'
import type { JsonObject } from '../schema/json.ts'
import { blockDestroy, makeChange } from './make-change.ts'
import type { Finding, Planning } from './planning.ts'

/** An object that shall not exist: because the configuration says so, or because it says nothing of it any more. */
export const planDelete = (planning: Planning, before: JsonObject | null, undeclared: boolean): Finding => {
  const { address } = planning.subject
  if (before === null) return { after: null, ...(planning.record === undefined ? {} : { forgotten: true }) }
  const rule = planning.ignoring([], true)
  if (rule !== undefined) return { after: before, ignored: [{ address, path: [], rule }] }
  const blocked = blockDestroy(planning, 'deleted')
  const change = makeChange(planning, {
    action: 'delete',
    reason: undeclared ? 'delete_because_no_resource_config' : 'delete_because_absent',
    before,
    after: null,
    ...(blocked === undefined ? {} : { blocked }),
  })
  return { change, after: null }
}

/** An object that shall exist and does not. Where it is recorded, somebody deleted it. */
export const planCreate = (planning: Planning, desired: JsonObject): Finding => {
  const { subject, schema, record } = planning
  const { address, type, name } = subject
  const rule = planning.ignoring([], true)
  if (rule !== undefined) return { after: null, ignored: [{ address, path: [], rule }] }
  const change = makeChange(planning, { action: 'create', before: null, after: desired })
  if (record === undefined) return { change, after: desired }
  const diff = compare(schema, record.attributes, null)
  return { change, after: desired, drift: { address, type, name, kind: 'deleted', diff } }
}
