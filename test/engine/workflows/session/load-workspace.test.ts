import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isAppError } from '../../../../core/engine/errors/errors.ts'
import type { Issue } from '../../../../core/engine/schema/issue.ts'
import { loadWorkspace } from '../../../../core/engine/workflows/session/load/load-workspace.ts'
import { loadProviders } from '../../../../core/providers/load-providers.ts'
import { lawRuns } from '../../../builders/laws.ts'
import { yaml } from '../../../builders/workspaces/workspace.ts'

/* Every mistake is told at its place, whatever else is wrong, and nothing is told that is only its echo. */

const issuesOf = async (text: string): Promise<readonly Issue[]> => {
  try {
    loadWorkspace(yaml(text), await loadProviders())
    return []
  } catch (error) {
    if (isAppError(error, 'CONFIG_INVALID')) return error.payload.issues
    throw error
  }
}

const file = (name: string, more = '') =>
  `- { type: host_file, name: ${name}, spec: { path: ${name}, content: x${more} } }`

interface Mistake {
  readonly lines: (n: string) => readonly string[]
  /** Place of the line that is told, from 0, and what is said. */
  readonly told: readonly (readonly [line: number, message: RegExp, fix?: RegExp])[]
}

const mistakes: Readonly<Record<string, Mistake>> = {
  'an unknown key': {
    lines: (n) => [`- { type: host_file, name: ${n}, spek: 1, spec: { path: ${n}, content: x } }`],
    told: [[0, /unknown key "spek"/]],
  },
  'a shape that is none': {
    lines: (n) => [`- { type: 7, name: ${n}, spec: {} }`],
    told: [[0, /type must be text/]],
  },
  'a reference to nothing': {
    lines: (n) => [file(n, ', mode: "${resource.host_file.nowhere.mode}"')],
    told: [[0, /no resource host_file.nowhere/]],
  },
  'a reference to an attribute that there is not': {
    lines: (n) => [file(n, ', mode: "${resource.host_file.good.moode}"')],
    told: [[0, /no host_file.good.moode/, /"mode"/]],
  },
  'a reference into a text': {
    lines: (n) => [file(n, ', mode: "0${resource.host_file.good.mode.first}"')],
    told: [[0, /no host_file.good.mode.first/, /refer to mode/]],
  },
  'a reference to its own attribute that is not written': {
    lines: (n) => [file(n, `, mode: "\${resource.host_file.${n}.mod}"`)],
    told: [[0, /refers to its own mod, which is not written/]],
  },
  'a circle of references': {
    lines: (n) =>
      [
        ['a', 'b'],
        ['b', 'a'],
      ].map(
        ([own, other]) =>
          `- { type: host_file, name: ${n}${own}, spec: { path: ${n}${own}, content: "\${resource.host_file.${n}${other}.path}" } }`,
      ),
    told: [[0, /wait for each other in a circle: (\S+) \(line \d+\) -> \S+ \(line \d+\) -> \1$/]],
  },
  'a circle of one reference and one dependency': {
    lines: (n) => [
      `- { type: host_file, name: ${n}a, dependsOn: [host_file.${n}b], spec: { path: ${n}a, content: x } }`,
      file(`${n}b`, `, mode: "\${resource.host_file.${n}a.mode}"`),
    ],
    told: [[0, /in a circle/]],
  },
  'a dependency on nothing': {
    lines: (n) => [`- { type: host_file, name: ${n}, dependsOn: [host_file.gone], spec: { path: ${n}, content: x } }`],
    told: [[0, /there is no resource host_file.gone/]],
  },
  'a dependency on itself': {
    lines: (n) => [`- { type: host_file, name: ${n}, dependsOn: [host_file.${n}], spec: { path: ${n}, content: x } }`],
    told: [[0, /depends on itself/]],
  },
  'an unknown type, to which others refer by its right name': {
    lines: (n) => [
      `- name: ${n}a`,
      '  type: host_fil',
      `  spec: { path: ${n}a, content: x }`,
      file(`${n}b`, `, mode: "\${resource.host_file.${n}a.mode}"`),
      `- { type: host_file, name: ${n}c, dependsOn: [host_file.${n}a], spec: { path: ${n}c, content: x } }`,
    ],
    told: [[1, /no provider has the type host_fil/, /host_file/]],
  },
  'an unknown type that refers to others': {
    lines: (n) => [`- { name: ${n}, type: nope_x, spec: { of: "\${resource.host_file.good.path}" } }`],
    told: [[0, /no provider has the type nope_x/]],
  },
  'an unknown attribute': {
    lines: (n) => [file(n, ', owner: me')],
    told: [[0, /no attribute owner/]],
  },
  'a value of another type': { lines: (n) => [file(n, ', mode: [1]')], told: [[0, /not a file mode/]] },
  'what only the provider knows': {
    lines: (n) => [file(n, ', contentBase64: eA==')],
    told: [[0, /content/]],
  },
  'the same object twice': {
    lines: (n) => [file(n), `- { type: host_file, name: ${n}x, spec: { path: ${n}, content: y } }`],
    told: [[1, /is the same object as/]],
  },
}

const head = ['workspace: w', 'providers: { host: { source: host, with: { root: /tmp } } }', 'resources:', file('good')]

const written = (names: readonly string[]) => {
  const lines = [...head]
  const told: { readonly line: number; readonly message: RegExp; readonly fix: RegExp }[] = []
  for (const [n, name] of names.entries()) {
    const mistake = mistakes[name] as Mistake
    for (const [at, message, fix = /./] of mistake.told) told.push({ line: lines.length + at + 1, message, fix })
    lines.push(...mistake.lines(`n${n}`))
  }
  return { text: lines.join('\n'), told }
}

const expectTold = async (names: readonly string[]) => {
  const { text, told } = written(names)
  const issues = await issuesOf(text)
  expect(
    issues.map(({ line }) => line),
    JSON.stringify(issues, null, 1),
  ).toEqual(told.map(({ line }) => line))
  for (const [n, { message, fix }] of told.entries()) {
    expect(issues[n]?.message).toMatch(message)
    expect(issues[n]?.fix).toMatch(fix)
  }
}

describe('a configuration is refused', () => {
  it.each(Object.keys(mistakes))('for %s', (name) => expectTold([name]))

  it('law: for all of its mistakes at once, each at its line, and for nothing else', () =>
    fc.assert(fc.asyncProperty(fc.shuffledSubarray(Object.keys(mistakes), { minLength: 2 }), expectTold), {
      ...lawRuns(150),
    }))

  it('for the problems that providers and resources report, in the same answer', async () => {
    const text = [
      'workspace: w',
      'providers:',
      '  host: { source: host, with: { root: /tmp } }',
      '  other: { source: nope }',
      '  dns: { source: rest, definition: ./dns.yaml, with: {} }',
      'resources:',
      file('a', ', owner: me'),
      '- { type: dns_zone, name: z, spec: { name: "${resource.host_file.a.nope}" } }',
    ].join('\n')
    expect((await issuesOf(text)).map(({ line, message }) => [line, message])).toEqual([
      [4, 'provider other has an unknown source'],
      [5, 'there is no file dns.yaml'],
      [7, 'host_file.a: there is no attribute owner'],
    ])
  })

  it('but not for references to what a target answers, or to keys of a map', async () => {
    expect(await issuesOf([...head, file('b', ', mode: "${resource.host_file.good.mode}"')].join('\n'))).toEqual([])
  })
})
