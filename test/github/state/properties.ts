import type { Json } from '../../../core/engine/schema/json.ts'
import type { Repository } from './parts.ts'
import type { Organization } from './shapes.ts'

/** The values that are set, and the default of a required property where none is. */
export const valuesOf = (organization: Organization, repository: Repository): Readonly<Record<string, Json>> => {
  const values: Record<string, Json> = {}
  for (const [key, { name, settings }] of organization.properties) {
    const value =
      repository.properties.get(key) ?? (settings['required'] === true ? settings['default_value'] : undefined)
    if (value !== undefined) values[name] = value
  }
  return values
}
