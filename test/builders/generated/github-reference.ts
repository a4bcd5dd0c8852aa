import type { ResourceType } from '../../../core/engine/provider/provider.ts'
import type { JsonObject } from '../../../core/engine/schema/json.ts'
import { rest } from '../../../core/providers/rest/rest.ts'
import { githubWhole } from './github-document.ts'
import { attributeTable, typesOf } from './type-tables.ts'

/** The types as they are now, from the documents, and not from what was generated of them before. */
export const githubTypes = (): readonly ResourceType[] =>
  typesOf(rest, {
    alias: 'github',
    with: { organization: 'acme', token: { $secret: 'env:GITHUB_TOKEN' } },
    definition: {
      file: 'core/providers/github/documents',
      value: githubWhole(),
      locate: () => ({ file: '', line: 1, column: 1 }),
    },
  })

const unreached = ({ withoutApi }: ResourceType): readonly string[] =>
  withoutApi === undefined
    ? []
    : [
        'Settings without an API. They are not compared; a note of each run names those that are declared.',
        '',
        '| setting | meaning |',
        '|---|---|',
        ...Object.entries(withoutApi).map(([name, meaning]) => `| \`${name}\` | ${meaning} |`),
        '',
      ]

/** docs/github-reference.md, from the documents. */
export const githubReference = (): string => {
  const described = githubWhole()['resources'] as Readonly<Record<string, JsonObject>>
  return [
    '# Types of the GitHub provider',
    '',
    'Every type of `source: github` with its attributes. Generated from the code by `npm run generate`;',
    '[github.md](github.md) explains how they work.',
    '',
    ...githubTypes().flatMap((type) => [
      `## ${type.name}`,
      '',
      String(described[type.name]?.['description'] ?? ''),
      '',
      ...attributeTable(type, true),
      ...unreached(type),
    ]),
  ].join('\n')
}
