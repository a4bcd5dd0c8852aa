import type { Attribute, ObjectSchema } from '../../schema/attribute.ts'
import type { Lifecycle } from '../../schema/resource.ts'
import { mapMembers } from '../../values/members.ts'

export const withManage = (schema: ObjectSchema, manage: Lifecycle['manage']): ObjectSchema => {
  if (manage === undefined) return schema
  const attributes = mapMembers(schema.attributes, (facts, name): Attribute => {
    const chosen = Object.hasOwn(manage, name) ? manage[name] : undefined
    return chosen === undefined ? facts : { ...facts, manage: chosen }
  })
  return { attributes }
}
