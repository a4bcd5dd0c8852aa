import { isEqual } from '../../diff/canonical.ts'
import { compare } from '../../diff/compare.ts'
import { overlay } from '../../diff/overlay.ts'
import { valueAtPath, withValueAt } from '../../diff/paths.ts'
import { project } from '../../diff/project.ts'
import type { ObjectSchema } from '../../schema/attribute.ts'
import type { Diff } from '../../schema/diff.ts'
import { isSame } from '../../schema/diff.ts'
import type { JsonObject, Path } from '../../schema/json.ts'
import { mapMembers } from '../../values/members.ts'

/** What moved outside: recorded -> observed. `moved`: attribute of a witness -> its digest before. */
export const compareWithRecord = (input: {
  readonly schema: ObjectSchema
  readonly desired: JsonObject
  readonly recorded: JsonObject
  readonly observed: JsonObject
  readonly except: readonly Path[]
  readonly moved: ReadonlyMap<string, string>
}): Diff | undefined => {
  const { schema, recorded, observed } = input
  if (input.moved.size === 0 && isEqual(recorded, observed)) return undefined
  const managed = overlay(schema, project(schema, input.desired, recorded), observed)
  const base = input.except.reduce(
    (value, path) => withValueAt(schema, value, path, valueAtPath(schema, observed, path)),
    managed,
  )
  const witnesses = mapMembers(Object.fromEntries(input.moved), (digest) => ({ $sealed: digest }))
  const diff = compare(schema, { ...base, ...witnesses }, observed)
  return isSame(diff) ? undefined : diff
}
