import { isObject, type Json } from '../schema/json.ts'
import { mapMembers } from './members.ts'

/** Keys at the top of a file that mean nothing here: a place for anchors of YAML, and for other tools. */
const prefix = 'x-'

/** The part of a JSON Schema that allows them. */
export const extensionSchema = { patternProperties: { [`^${prefix}`]: {} } } as const

export const withoutExtensions = (file: Json): Json =>
  isObject(file) ? mapMembers(file, (member, key) => (key.startsWith(prefix) ? undefined : member)) : file
