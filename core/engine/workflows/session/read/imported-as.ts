import { keysOf } from '../../../binding/sight.ts'
import { normalise } from '../../../diff/normalise.ts'
import { canonicalJson } from '../../../json/canonical.ts'
import type { ResourceType } from '../../../provider/provider.ts'
import type { JsonObject } from '../../../schema/json.ts'
import type { ImportRule } from '../../../schema/rules.ts'
import { mapMembers, pick } from '../../../values/members.ts'
import type { ObjectToLocate } from './locate-object.ts'

type Known = NonNullable<ObjectToLocate['recorded']>

/** The identity of the object that an entry of `import` names, in the form of a record. */
export const importedAs = (rule: ImportRule | undefined, { schema, idNames = [] }: ResourceType): Known | undefined =>
  rule && {
    attributes: normalise(schema, pick(rule.id, keysOf(schema)), 'recorded'),
    ids: mapMembers(pick(rule.id, idNames), String),
  }

/** Whether an entry names the object that is already recorded. Both must be canonical. */
export const isSameObject = (imported: Known, recorded: Known): boolean => {
  const holds = (said: JsonObject = {}, known: JsonObject = {}): boolean =>
    canonicalJson(said) === canonicalJson(pick(known, Object.keys(said)))
  return holds(imported.ids, recorded.ids) && holds(imported.attributes, recorded.attributes)
}

/** Whether an entry names another object: the keys of an object with an id may have changed since the entry was followed. */
export const namesOther = (imported: Known, { ids = {}, attributes }: Known): boolean =>
  Object.keys(ids).length > 0
    ? !isSameObject({ ...imported, attributes: {} }, { ids, attributes: {} })
    : !isSameObject(imported, { attributes })
