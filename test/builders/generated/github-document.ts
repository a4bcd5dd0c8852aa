import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { JsonObject } from '../../../core/engine/schema/json.ts'

const folder = join(import.meta.dirname, '../../../core/providers/github/documents')

/** The YAML files of the provider of GitHub, by name. */
const githubDocuments = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(folder)
      .toSorted()
      .map((file) => [file, readFileSync(join(folder, file), 'utf8')]),
  )

/** One document of all files. A name may stand in one of them only. */
export const githubWhole = (): JsonObject => {
  const whole: Record<string, JsonObject> = {}
  for (const [file, text] of Object.entries(githubDocuments()))
    for (const [key, members] of Object.entries(parse(text) as Record<string, JsonObject>)) {
      const twice = Object.keys(members).find((name) => Object.hasOwn(whole[key] ?? {}, name))
      if (twice !== undefined) throw new Error(`${file}: ${key}.${twice} stands in another file too`)
      whole[key] = { ...whole[key], ...members }
    }
  return whole
}

const quoted = (value: unknown): string => `'${JSON.stringify(value).replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/** A line of the generated file, broken where the formatter would break it. */
const line = (indent: string, before: string, text: string, after: string): string => {
  const whole = `${indent}${before} ${text}${after}`
  return whole.length <= 120 ? whole : `${indent}${before}\n${indent}  ${text}${after}`
}

/**
 * core/providers/github/document.ts: JSON texts, one for each name, so that no YAML is read at run time, and a start without
 * GitHub evaluates a few texts only.
 */
export const githubDocument = (): string => {
  const { provider, ...groups } = githubWhole()
  const lines = Object.entries(groups).flatMap(([group, members]) => [
    `  ${group}: {`,
    ...Object.entries(members as JsonObject).map(([name, value]) => line('    ', `${name}:`, quoted(value), ',')),
    '  },',
  ])
  return [
    "import type { Json } from '../../engine/schema/json.ts'",
    "import { mapMembers } from '../../engine/values/members.ts'",
    '',
    '/* Made from documents/ by `npm run generate`. */',
    '',
    line('', 'const provider =', quoted(provider), ''),
    '',
    'const groups = {',
    ...lines,
    '}',
    '',
    'const read = (text: string): Json => JSON.parse(text) as Json',
    '',
    '/** The whole provider document. */',
    'export const document = (): Json => ({',
    '  provider: read(provider),',
    '  ...mapMembers(groups, (group) => mapMembers(group, read)),',
    '})',
    '',
  ].join('\n')
}
