import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'
import { builders } from '../../../core/sources/otterdog/library/defaults.ts'

/** What the function of the library builds, with other fields. */
export const built = (name: string, fields: JsonObject = {}): JsonObject => ({ ...builders[name]?.builds, ...fields })

/** An organisation with the default settings and nothing in it. */
export const organisationOf = (parts: JsonObject = {}, settings: JsonObject = {}): JsonObject => ({
  project_name: 'acme',
  github_id: 'acme',
  ...parts,
  settings: { ...(built('newOrg')['settings'] as JsonObject), ...settings },
})

export const repositoryOf = (fields: JsonObject = {}): JsonObject => built('newRepo', { name: 'website', ...fields })

/** As the text of a file; each value in a line of its own, so that a position means one value. */
export const textOf = (value: Json): string => `${JSON.stringify(value, null, 2)}\n`
