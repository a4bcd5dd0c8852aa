import { rest } from '../../../core/providers/rest/rest.ts'
import type { JsonObject } from '../../../core/schema/json.ts'
import { githubWhole } from './github-document.ts'
import { attributeTable, typesOf } from './type-tables.ts'

/** docs/github-reference.md, from the documents, and not from what was generated of them before. */
export const githubReference = (): string => {
  const value = githubWhole()
  const described = value['resources'] as Readonly<Record<string, JsonObject>>
  const definition = {
    file: 'core/providers/github/documents',
    value,
    locate: () => ({ file: '', line: 1, column: 1 }),
  }
  const given = { organization: 'acme', token: { $secret: 'env:GITHUB_TOKEN' } }
  return [
    '# Types of the GitHub provider',
    '',
    'Every type of `source: github` with its attributes. Generated from the code by `npm run generate`;',
    '[github.md](github.md) explains how they work.',
    '',
    ...typesOf(rest, { alias: 'github', with: given, definition }).flatMap((type) => [
      `## ${type.name}`,
      '',
      String(described[type.name]?.['description'] ?? ''),
      '',
      ...attributeTable(type, true),
    ]),
  ].join('\n')
}
