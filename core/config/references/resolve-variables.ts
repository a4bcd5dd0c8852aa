import type { Json, JsonObject } from '../../schema/json.ts'
import { isArray, isObject } from '../../schema/json.ts'
import { isMark, isSecret } from '../../schema/value.ts'
import type { Report } from '../syntax/parse-document.ts'
import { say } from '../words.ts'
import type { Scope } from './resolution.ts'
import { createResolver } from './resolve-values.ts'

const fits: Readonly<Record<string, (value: Json) => boolean>> = {
  string: (value) => typeof value === 'string' || isSecret(value),
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  list: isArray,
  map: (value) => isObject(value) && (!isMark(value) || '$literal' in value),
}

/** The value of each declared variable; `undefined` where there is a problem. A wrong shape was reported already. */
export const resolveVariables = (
  scope: Scope,
  declared: JsonObject,
  report: Report,
): ReadonlyMap<string, Json | undefined> => {
  const resolver = createResolver(scope, report)
  const resolveOne = (name: string, definition: Json): Json | undefined => {
    if (!isObject(definition)) return undefined
    const type = String(definition['type'])
    if (!Object.hasOwn(definition, 'default')) return report(['variables', name], say('noDefault', name, type), 'key')
    const place = ['variables', name, 'default']
    const value = resolver.value(definition['default'] ?? null, place)
    if (value === null || (fits[type]?.(value) ?? true)) return value
    return report(place, say('wrongDefault', name, type))
  }
  return new Map(Object.entries(declared).map(([name, definition]) => [name, resolveOne(name, definition)]))
}
