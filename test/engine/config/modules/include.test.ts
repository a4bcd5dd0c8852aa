import { expect, test } from 'vitest'
import { namedFiles } from '../../../../core/engine/config/files/named-files.ts'
import { loadConfiguration } from '../../../../core/engine/config/load.ts'
import { configurationOf, issuesOf, lines } from '../../../builders/workspaces/config.ts'

const zone = (name: string, more = '{}') => `resources:\n  - { type: pdns_zone, name: ${name}, spec: ${more} }\n`
const root = (include: string, files: Readonly<Record<string, string>> = {}, more = '') => ({
  'plumbline.yaml': `workspace: test\ninclude: ${include}\n${more}`,
  ...files,
})
const addresses = (...given: Parameters<typeof root>) =>
  configurationOf(root(...given)).resources.map((each) => each.address)
const told = (...given: Parameters<typeof root>) => lines(issuesOf(root(...given)))

test('a pattern includes its files in sorted order after plumbline.yaml, each of them once', () => {
  const files = {
    'zones/b.yaml': zone('b'),
    'zones/a.json': '{"resources": []}',
    'zones/c.yml': zone('c'),
    'own.yaml': zone('d'),
  }
  expect(addresses("['zones/*', own.yaml, ./zones/b.yaml]", files, zone('root'))).toEqual([
    'pdns_zone.root',
    'pdns_zone.b',
    'pdns_zone.c',
    'pdns_zone.d',
  ])
})

test('included files share variables, references and modules, and keep their own places in problems', () => {
  const files = {
    'zones/a.yaml': zone('a', '{ name: "${var.x}", other: "${resource.pdns_zone.root.id}" }'),
    'zones/b.yaml': 'modules: [{ name: m, source: ../modules/one, forEach: [k] }]\n',
    'modules/one/module.yaml': zone('inner', '{ n: 1 }'),
  }
  const more = `variables: { x: { type: string, default: y } }\n${zone('root', '{ name: "${resource.pdns_zone.a.name}" }')}`
  const { resources, locate } = configurationOf(root("['zones/*.yaml']", files, more))
  expect(resources.map(({ attributes }) => attributes)).toEqual([
    { name: 'y' },
    { name: 'y', other: { $ref: 'pdns_zone.root', pointer: '/id' } },
    { n: 1 },
  ])
  expect(locate('pdns_zone.a', ['name'])).toEqual({ file: 'zones/a.yaml', line: 2, column: 47 })
  expect(locate('module.m["k"].pdns_zone.inner', ['n'])).toMatchObject({
    file: 'modules/one/module.yaml',
    calls: [{ module: 'module.m["k"]', file: 'zones/b.yaml', line: 1, column: 11 }],
  })
})

test.each<[string, Parameters<typeof root>, readonly string[]]>([
  ['no match', ["['zones/*.yaml']"], ['plumbline.yaml:2:11 no file matches zones/*.yaml']],
  ['the entry alone', ["['*.yaml']"], ['plumbline.yaml:2:11 no file matches *.yaml']],
  ['no such file', ['[zones/a.yaml]'], ['plumbline.yaml:2:11 there is no file zones/a.yaml']],
  [
    'outside',
    ["[../a.yaml, '/x/*']"],
    [
      'plumbline.yaml:2:11 there is no file ../a.yaml',
      'plumbline.yaml:2:22 /x/* is outside the folder of the workspace',
    ],
  ],
  ['another type', ['[a.txt]', { 'a.txt': 'x' }], ['plumbline.yaml:2:11 a.txt is none of YAML, JSON and Jsonnet']],
  ['a syntax error', ['[a.yaml]', { 'a.yaml': 'resources: [' }], ['a.yaml:1:13 the indentation does not fit']],
  ['a list', ['[a.yaml]', { 'a.yaml': '- a' }], ['a.yaml:1:1 an included file must be a mapping of keys to values']],
  ['another key', ['[a.yaml]', { 'a.yaml': 'providers: {}' }], ['a.yaml:1:1 unknown key "providers"']],
  ['include in an included file', ['[a.yaml]', { 'a.yaml': 'include: []' }], ['a.yaml:1:1 unknown key "include"']],
  [
    'one address in two files',
    ['[a.yaml, b.yaml]', { 'a.yaml': zone('z'), 'b.yaml': zone('z') }],
    ['b.yaml:2:30 pdns_zone.z is declared a second time (first in a.yaml:2:5)'],
  ],
  [
    'a wrong reference',
    ['[a.yaml]', { 'a.yaml': zone('z', '{ x: "${var.y}" }') }],
    ['a.yaml:2:44 there is no variable "y"'],
  ],
  ['no list', ['zones'], ['plumbline.yaml:2:10 include must be a list, not text']],
])('refuses to include %s', (_, given, expected) => expect(told(...given)).toEqual(expected))

test('a star matches a part of one name, and no name that begins with a dot', () => {
  const files = Object.fromEntries(
    ['a.yaml', '.b.yaml', 'x/a.yaml', 'x/y/a.yaml', '.git/a.yaml'].map((path) => [path, '']),
  )
  const { match } = namedFiles({ files })
  expect(match('*.yaml')).toEqual(['a.yaml'])
  expect(match('*/*.yaml')).toEqual(['x/a.yaml'])
  expect(match('x/*/a.yaml')).toEqual(['x/y/a.yaml'])
  expect(match('.b*')).toEqual(['.b.yaml'])
})

test('a load names exactly the files that it has used', () => {
  const files = { ...root("['zones/*.yaml']"), 'zones/a.yaml': zone('a'), 'other/a.yaml': zone('b') }
  const named = namedFiles({ files })
  expect(loadConfiguration({ entry: 'plumbline.yaml', files }, named).ok).toBe(true)
  expect([...named.named]).toEqual(['plumbline.yaml', 'zones/a.yaml'])
})
