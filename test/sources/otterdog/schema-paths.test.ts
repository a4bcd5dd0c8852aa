import { expect, it } from 'vitest'
import { propertiesOf, type Schema, schemaOfFormat } from './schema-paths.ts'

const files: Readonly<Record<string, Schema>> = {
  'part.json': {
    properties: { name: {}, list: { items: { $ref: '#/$defs/element' } } },
    $defs: { element: { properties: { url: {} } } },
  },
  'types.json': { $defs: { text: { anyOf: [{}, {}] } } },
}

it('the properties of a schema are those of everything that it names', () => {
  const root: Schema = {
    properties: {
      title: { $ref: 'types.json#/$defs/text' },
      parts: { items: { $ref: 'part.json' } },
      rule: { anyOf: [{ properties: { count: {} } }, {}] },
    },
  }
  expect([...propertiesOf(root, (file) => files[file] ?? {})]).toEqual([
    'title',
    'parts',
    'parts.name',
    'parts.list',
    'parts.list.url',
    'rule',
    'rule.count',
  ])
})

it('the format has what version 1.7 of Otterdog added', () => {
  const ours = propertiesOf(schemaOfFormat())
  const added = ['repositories.gh_pages_cname', 'rulesets.required_pull_request.allowed_merge_methods']
  expect(added.filter((path) => !ours.has(path))).toEqual([])
  expect(ours.size).toBeGreaterThan(250)
})
