import type { Issue } from '../../../schema/issue.ts'
import { isArray, isObject, type Json, type JsonObject, type Path, valueAt } from '../../../schema/json.ts'
import type { ProviderDocument } from '../../provider.ts'
import { partsOf } from '../document/template.ts'

interface Variable {
  readonly at: Path
  readonly name: Path
}

/** Variables that must have a value, with their places, in texts at any depth. */
export const neededIn = (template: Json, at: Path): readonly Variable[] => {
  if (typeof template === 'string') {
    return partsOf(template).flatMap((part) =>
      'variable' in part && part.optional === undefined ? [{ at, name: part.variable }] : [],
    )
  }
  if (isArray(template)) return template.flatMap((inner, index) => neededIn(inner, [...at, index]))
  return isObject(template)
    ? Object.entries(template).flatMap(([member, inner]) => neededIn(inner, [...at, member]))
    : []
}

/**
 * Where a document asks for a part of what the workspace gives, and that has no such part: nothing may be left out of a rule,
 * a sign-in or a request in silence. That the whole is given is told at the provider's entry.
 */
export const checkGivenParts = (document: ProviderDocument, given: JsonObject): readonly Issue[] =>
  neededIn(document.value, []).flatMap(({ at, name: [first, ...rest] }) =>
    first === 'with' && valueAt(given, rest.slice(0, 1)) !== undefined && valueAt(given, rest) === undefined
      ? [
          {
            ...document.locate(at),
            message: `{with.${rest.join('.')}} has no value: what the workspace gives as ${String(rest[0])} has no such part`,
            fix: 'give it under with, or correct the name',
          },
        ]
      : [],
  )
