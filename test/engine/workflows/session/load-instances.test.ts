import { describe, expect, test } from 'vitest'
import { isAppError } from '../../../../core/engine/errors/errors.ts'
import { callsText, placeText } from '../../../../core/engine/values/diagnose.ts'
import { loadWorkspace } from '../../../../core/engine/workflows/session/load/load-workspace.ts'
import { providers } from '../../../../core/providers/index.ts'

/* What is wrong in every instance of a module or of forEach is one problem, whichever step finds it. */

const keys = Array.from({ length: 50 }, (_, n) => `k${n}`).join(', ')
const head = 'workspace: a\nproviders: { host: { source: host, with: { root: ./m } } }\n'

const told = (files: Readonly<Record<string, string>>): readonly string[] => {
  try {
    loadWorkspace({ entry: 'plumbline.yaml', files: { ...files }, folder: '/srv/none' }, providers)
    return []
  } catch (error) {
    if (!isAppError(error, 'CONFIG_INVALID')) throw error
    return error.payload.issues.map(
      (issue) => `${placeText(issue)} ${issue.message}${issue.calls ? ` | ${callsText(issue.calls)}` : ''}`,
    )
  }
}

const ofModule = (resources: string) =>
  told({
    'plumbline.yaml': `${head}modules: [{ name: m, source: m, forEach: [${keys}], with: { k: "\${each.key}" } }]\n`,
    'm/module.yaml': `parameters: { k: { type: string } }\nresources:\n${resources}`,
  })

const own = '"${var.k}"'
describe('in the file of a module', () => {
  test.each<[string, string, readonly RegExp[]]>([
    [
      'an attribute that the type does not have',
      `  - { type: host_file, name: x, spec: { path: ${own}, contnt: a } }\n`,
      [
        /^m\/module.yaml:3:59 .*no attribute contnt \(and the same in 49 other instances\) \| module.m\["k0"\] at plumbline.yaml:3:11$/,
      ],
    ],
    [
      'one object for all instances',
      '  - { type: host_file, name: x, spec: { path: same, content: a } }\n',
      [
        /^m\/module.yaml:3:5 module.m\["k1"\].host_file.x is the same object as module.m\["k0"\].host_file.x \(line 3\) \(and the same in 48/,
      ],
    ],
    [
      'a circle',
      `  - { type: host_file, name: x, spec: { path: ${own}, content: a }, dependsOn: [host_file.y] }\n  - { type: host_file, name: y, spec: { path: "\${var.k}y", content: a }, dependsOn: [host_file.x] }\n`,
      [/^m\/module.yaml:3:5 these resources wait for each other in a circle/],
    ],
    [
      'a type that no provider has, and nothing about what refers to it',
      `  - { type: hst_file, name: x, spec: { path: ${own} } }\n  - { type: host_file, name: y, spec: { path: ${own}, content: a }, dependsOn: [host_file.x] }\n`,
      [/^m\/module.yaml:3:13 module.m\["k0"\].hst_file.x: no provider has the type hst_file \(and/],
    ],
    [
      'an attribute that a reference names',
      `  - { type: host_file, name: x, spec: { path: "x\${var.k}", content: a } }\n  - { type: host_file, name: y, spec: { path: ${own}, content: "\${resource.host_file.x.nope}" } }\n`,
      [/^m\/module.yaml:4:\d+ there is no module.m\["k0"\].host_file.x.nope \(and/],
    ],
  ])('a mistake is reported with the calls that lead to it: %s', (_, resources, expected) => {
    const lines = ofModule(resources)
    expect(lines).toHaveLength(expected.length)
    for (const [index, line] of lines.entries()) expect(line).toMatch(expected[index] ?? /never/)
  })
})

test('two problems at one place are reported as two', () => {
  const resources = '  - { type: host_file, name: x, spec: { path: "${var.a}${var.b}", content: a } }\n'
  expect(ofModule(resources).map((line) => line.replace(/ \(and.*/, ''))).toEqual([
    'm/module.yaml:3:47 there is no variable "a"',
    'm/module.yaml:3:47 there is no variable "b"',
  ])
})

test('the digest covers the files of modules and the given values, and ignores their order', () => {
  const files = {
    'plumbline.yaml': `${head}variables: { p: { type: string, default: x }, q: { type: map, default: {} } }\nmodules: [{ name: m, source: m }]\n`,
    'm/module.yaml': 'resources: []\n',
    'other.yaml': 'not a part',
  }
  const digestOf = (
    more: Readonly<Record<string, string>> = {},
    variables?: Readonly<Record<string, string | object>>,
  ) =>
    loadWorkspace(
      {
        entry: 'plumbline.yaml',
        folder: '/srv/none',
        files: { ...files, ...more },
        ...(variables && { variables: variables as never }),
      },
      providers,
    ).digest
  const first = digestOf()
  expect(digestOf({ 'other.yaml': 'changed' })).toBe(first)
  expect(digestOf({}, {})).toBe(first)
  expect(digestOf({ 'm/module.yaml': 'resources: [] # changed\n' })).not.toBe(first)
  const given = digestOf({}, { p: 'y', q: { a: 1, b: 2 } })
  expect(given).not.toBe(first)
  expect(digestOf({}, { p: 'z', q: { a: 1, b: 2 } })).not.toBe(given)
  expect(digestOf({}, { q: { b: 2, a: 1 }, p: 'y' })).toBe(given)
})
