import { keysOf } from '../../../binding/sight.ts'
import { normalise } from '../../../diff/normalise.ts'
import type { ResourceType } from '../../../providers/provider.ts'
import type { ImportRule } from '../../../schema/rules.ts'
import { mapMembers, pick } from '../../../values/members.ts'
import type { ObjectToLocate } from './locate-object.ts'

/** What an entry of `import` says of the object of a resource, in the form of a record. */
export const importedAs = (
  rule: ImportRule | undefined,
  { schema, idNames = [] }: ResourceType,
): ObjectToLocate['recorded'] =>
  rule && {
    attributes: normalise(schema, pick(rule.id, keysOf(schema)), 'recorded'),
    ids: mapMembers(pick(rule.id, idNames), String),
  }
