import type { Loaded } from '../../../core/engine/config/load.ts'
import { loadConfiguration } from '../../../core/engine/config/load.ts'
import type { Configuration } from '../../../core/engine/config/shared/configuration.ts'
import type { Issue } from '../../../core/engine/schema/issue.ts'
import type { Json } from '../../../core/engine/schema/json.ts'

/** Files of a workspace: the text of plumbline.yaml, or texts by path of which the first is the entry. */
const bundleOf = (files: string | Readonly<Record<string, string>>) => {
  const all = typeof files === 'string' ? { 'plumbline.yaml': files } : { ...files }
  return { entry: Object.keys(all)[0] ?? '', files: all }
}

export const load = (files: string | Readonly<Record<string, string>>): Loaded => loadConfiguration(bundleOf(files))

/** `file:line:column message`, one an issue. */
export const lines = (issues: readonly Issue[]): string[] =>
  issues.map(({ file, line, column, message }) => `${file}:${line}:${column} ${message}`)

export const issuesOf = (files: string | Readonly<Record<string, string>>): readonly Issue[] => {
  const loaded = load(files)
  return loaded.ok ? [] : loaded.issues
}

export const configurationOf = (files: string | Readonly<Record<string, string>>): Configuration => {
  const loaded = load(files)
  if (!loaded.ok) throw new Error(`the test's configuration is not valid:\n${lines(loaded.issues).join('\n')}`)
  return loaded.configuration
}

/** A workspace with these resources, as JSON text. */
export const withResources = (resources: readonly Json[], more: Readonly<Record<string, Json>> = {}) => ({
  'plumbline.json': JSON.stringify({ workspace: 'test', ...more, resources }),
})
