import type { Json, JsonObject, Path } from '../../schema/json.ts'
import type { Position } from '../../schema/resource.ts'
import { defined } from '../../values/defined.ts'

/** A value for a variable from outside of the configuration. Of several with one name the last one counts. */
export interface GivenValue {
  readonly name: string
  /** Text gets the declared type of the variable. */
  readonly given: { readonly text: string } | { readonly value: Json }
  /** Where it was given: a file with a line, or an option or environment variable (line 0). */
  locate(path: Path): Position
  /** It is also for other workspaces: here it counts only if the variable is declared. */
  readonly shared?: true
}

const environmentPrefix = 'PLUMBLINE_VAR_'

/** The name of the environment variable that sets a variable. */
export const environmentName = (name: string): string => `${environmentPrefix}${name}`

/** A text that is no part of a file. `place` says where it was given: `--var ttl`. */
export const givenText = (name: string, text: string, place: string): GivenValue => ({
  name,
  given: { text },
  locate: () => ({ file: place, line: 0, column: 0 }),
})

/** Every `PLUMBLINE_VAR_<name>` of an environment, sorted by name. */
export const givenByEnvironment = (environment: Readonly<Record<string, string | undefined>>): readonly GivenValue[] =>
  Object.keys(environment)
    .filter((key) => key.startsWith(environmentPrefix))
    .sort()
    .map((key) => {
      const name = key.slice(environmentPrefix.length)
      return { ...givenText(name, environment[key] ?? '', key), shared: true }
    })

/** The values that are stored with a configuration. */
export const givenByStore = (variables: JsonObject, shared?: true): readonly GivenValue[] =>
  Object.entries(variables).map(([name, value]) => ({
    name,
    given: { value },
    locate: () => ({ file: `variables.${name}`, line: 0, column: 0 }),
    ...defined({ shared }),
  }))
