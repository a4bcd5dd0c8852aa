import type { Json, JsonObject } from '../../schema/json.ts'
import { isArray, isObject } from '../../schema/json.ts'
import { isMark, isSecret } from '../../schema/value.ts'
import { defined } from '../../values/defined.ts'
import type { SecretRules } from '../../values/secret-source.ts'
import type { Problems } from '../problems.ts'
import type { ParsedDocument } from '../syntax/parse-document.ts'
import { createResolver } from './resolve-values.ts'

const fits: Readonly<Record<string, (value: Json) => boolean>> = {
  string: (value) => typeof value === 'string' || isSecret(value),
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  list: isArray,
  map: (value) => isObject(value) && (!isMark(value) || '$literal' in value),
}

const kindNames: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  boolean: 'true or false',
  list: 'a list',
  map: 'a mapping',
}

interface Input {
  readonly workspace: string
  readonly secrets: SecretRules | undefined
  /** As written under `variables`; what is wrong with its shape was told already. */
  readonly declared: JsonObject
  readonly document: ParsedDocument
  readonly problems: Problems
}

/** The value of each declared variable; `undefined` where there is a problem. */
export const resolveVariables = (input: Input): ReadonlyMap<string, Json | undefined> => {
  const { workspace, secrets, declared, document, problems } = input
  const scope = { workspace, ...defined({ secrets }) }
  const resolver = createResolver(scope, document, problems)
  const resolveOne = (name: string, definition: Json): Json | undefined => {
    if (!isObject(definition)) return undefined
    const type = String(definition['type'])
    if (!Object.hasOwn(definition, 'default')) {
      problems.report(
        document.locate(['variables', name], 'key'),
        `variable "${name}" has no value`,
        `write \`default:\` (${kindNames[type] ?? 'its value'}) under it`,
      )
      return undefined
    }
    const place = ['variables', name, 'default']
    const value = resolver.value(definition['default'] ?? null, place)
    if (value === null || (fits[type]?.(value) ?? true)) return value
    problems.report(
      document.locate(place),
      `the default of variable "${name}" is not ${kindNames[type]}`,
      `give ${kindNames[type]}, or change its type`,
    )
    return undefined
  }
  return new Map(Object.entries(declared).map(([name, definition]) => [name, resolveOne(name, definition)]))
}
