import type { Json, JsonObject, Path } from '../../schema/json.ts'
import type { Position } from '../../schema/resource.ts'
import { defined } from '../../values/defined.ts'

/** A value for a variable from outside of the configuration. If a name occurs several times, the last value counts. */
export interface GivenValue {
  readonly name: string
  /** A text is converted to the declared type of the variable. */
  readonly given: { readonly text: string } | { readonly value: Json }
  /** Where the value was given: a line of a file, or an option or environment variable (line 0). */
  locate(path: Path): Position
  /** The value is also meant for other workspaces, so a missing declaration is no problem. */
  readonly shared?: true
}

const environmentPrefix = 'PLUMBLINE_VAR_'

export const environmentName = (name: string): string => `${environmentPrefix}${name}`

/** `place` names where the text was given, for example `--var ttl`. */
export const givenText = (name: string, text: string, place: string): GivenValue => ({
  name,
  given: { text },
  locate: () => ({ file: place, line: 0, column: 0 }),
})

export const givenByEnvironment = (environment: Readonly<Record<string, string | undefined>>): readonly GivenValue[] =>
  Object.keys(environment)
    .filter((key) => key.startsWith(environmentPrefix))
    .sort()
    .map((key) => {
      const name = key.slice(environmentPrefix.length)
      return { ...givenText(name, environment[key] ?? '', key), shared: true }
    })

export const givenByStore = (variables: JsonObject, shared?: true): readonly GivenValue[] =>
  Object.entries(variables).map(([name, value]) => ({
    name,
    given: { value },
    locate: () => ({ file: `variables.${name}`, line: 0, column: 0 }),
    ...defined({ shared }),
  }))
