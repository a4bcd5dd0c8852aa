import type { Attribute, ObjectSchema } from '../../schema/attribute.ts'
import type { Lifecycle } from '../../schema/resource.ts'

/** The schema with one resource's `lifecycle.manage` in force. */
export const withManage = (schema: ObjectSchema, manage: Lifecycle['manage']): ObjectSchema => {
  if (manage === undefined) return schema
  const attributes = Object.entries(schema.attributes).map(([name, facts]): [string, Attribute] => {
    const chosen = Object.hasOwn(manage, name) ? manage[name] : undefined
    return [name, chosen === undefined ? facts : { ...facts, manage: chosen }]
  })
  return { attributes: Object.fromEntries(attributes) }
}
