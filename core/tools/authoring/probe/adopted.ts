import type { Json, JsonObject } from '../../../engine/schema/json.ts'
import type { AttributeEntry } from '../../../providers/rest/document/attribute.ts'
import type { RestResource } from '../../../providers/rest/document/document.ts'
import type { ProbedType } from './choose-types.ts'
import type { Present } from './sandbox.ts'
import { settable } from './settable.ts'

interface Adopting {
  readonly probed: ProbedType
  readonly spec: JsonObject
}

/**
 * Returns the base of the next plans: identity and required attributes with the server's values, so that only one
 * attribute differs.
 */
export const adopted = ({ probed, spec }: Adopting, { attributes }: Present): Record<string, Json> => {
  const { entries, resource } = probed
  const kept = Object.entries(spec).filter(([name]) => isKey(resource, name, entries[name]) || entries[name]?.required)
  return Object.fromEntries(
    kept.map(([name, value]) => [
      name,
      entries[name]?.sensitive ? value : settable(entries[name] ?? {}, attributes[name] ?? value),
    ]),
  )
}

const isKey = ({ identity }: RestResource, name: string, entry: AttributeEntry | undefined): boolean =>
  identity.keys.includes(name) || entry?.in === 'path'
