import { isArray, isObject, type Json } from '../../../../engine/schema/json.ts'
import { isMark } from '../../../../engine/schema/value.ts'
import { isForm } from '../../../../engine/values/marks/form-fields.ts'
import { type Entries, placeIn } from '../../document/attributes.ts'
import type { Operation } from '../../document/operation/operation.ts'
import { unwritable } from '../../document/shared/words.ts'
import { cannotWrite } from '../../request/encode.ts'

/**
 * Refuses what the fields of a form cannot say, before it is approved: an object, and an empty list, which has no field at all, so
 * that the server keeps what it has; a PUT resets what it does not have. `names`: the attributes that change. Throws
 * TEMPLATE_VALUE_MISSING.
 */
export const refuseInForm = (
  { contentType, method }: Operation,
  body: Json | undefined,
  entries: Entries,
  names: readonly string[],
): void => {
  if (!isForm(contentType) || !isObject(body) || isMark(body)) return
  const changed = new Set(names.map((name) => placeIn(entries[name] ?? { type: 'any' }, name)[0]))
  for (const [variable, value] of Object.entries(body)) {
    const isEmpty = isArray(value) && value.length === 0
    if (isEmpty && changed.has(variable) && method.toUpperCase() !== 'PUT')
      throw cannotWrite(variable, unwritable.emptyInForm())
    if ([value].flat().some((each) => (isObject(each) && !isMark(each)) || isArray(each)))
      throw cannotWrite(variable, unwritable.objectInForm())
  }
}
