import type { Json, JsonObject } from '../schema/json.ts'
import { isArray, isObject } from '../schema/json.ts'
import { escapeMarks, isMark, isSecret } from '../schema/value.ts'
import { suggest } from './nearest-word.ts'
import type { ParsedDocument } from './parse-document.ts'
import type { Problems } from './problems.ts'
import { createResolver } from './resolve-values.ts'
import { isSecretForm, readSecret } from './secret-form.ts'

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

/** A value that was given from outside: no references in it, but secrets may be named. */
const fromOutside = (given: Json): Json => {
  const reading = isSecretForm(given) ? readSecret(given.secret) : undefined
  return reading?.kind === 'mark' ? reading.mark : escapeMarks(given)
}

interface Input {
  readonly workspace: string
  /** As written under `variables`; what is wrong with its shape was told already. */
  readonly declared: JsonObject
  readonly given: Readonly<Record<string, Json>>
  readonly document: ParsedDocument
  readonly problems: Problems
}

const undeclared = ({ declared, given, document, problems }: Input): void => {
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(declared, name)) continue
    const fix = suggest(name, Object.keys(declared), 'declare it under "variables"')
    problems.report(
      document.locate(['variables']),
      `a value is given for variable "${name}", which is not declared`,
      fix,
    )
  }
}

/** The value of each declared variable: the one given, else its default. `undefined` where there is a problem. */
export const resolveVariables = (input: Input): ReadonlyMap<string, Json | undefined> => {
  const { workspace, declared, given, document, problems } = input
  const resolver = createResolver({ workspace }, document, problems)
  const resolveOne = (name: string, definition: Json): Json | undefined => {
    if (!isObject(definition)) return undefined
    const type = String(definition['type'])
    const position = document.locate(['variables', name], 'key')
    const isGiven = Object.hasOwn(given, name)
    if (!isGiven && !Object.hasOwn(definition, 'default')) {
      problems.report(
        position,
        `variable "${name}" has no value`,
        `write \`default:\` (${kindNames[type] ?? 'its value'}) under it, or give it a value from outside`,
      )
      return undefined
    }
    const value = isGiven
      ? fromOutside(given[name] ?? null)
      : resolver.value(definition['default'] ?? null, ['variables', name, 'default'])
    if (value === null || (fits[type]?.(value) ?? true)) return value
    const whose = isGiven ? 'the given value' : 'the default'
    const at = isGiven ? position : document.locate(['variables', name, 'default'])
    problems.report(
      at,
      `${whose} of variable "${name}" is not ${kindNames[type]}`,
      `give ${kindNames[type]}, or change its type`,
    )
    return undefined
  }
  undeclared(input)
  return new Map(Object.entries(declared).map(([name, definition]) => [name, resolveOne(name, definition)]))
}
