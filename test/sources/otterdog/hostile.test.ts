import { describe, expect, it } from 'vitest'
import { isAppError } from '../../../core/engine/errors/errors.ts'
import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'
import { loadWorkspaceLater } from '../../../core/engine/workflows/session/load/load-later.ts'
import { sources } from '../../../core/sources/index.ts'
import { eachOf, long } from '../../builders/long.ts'
import { everyType } from '../../builders/otterdog/every-type.ts'
import { organisationOf, repositoryOf, textOf } from '../../builders/otterdog/organisation.ts'
import { readFile } from '../../builders/otterdog/read.ts'

/* Organisation files that are broken, or that somebody wrote to break something. */

const deps = { sources, providers: async () => everyType }
const configuration = (file: string) =>
  JSON.stringify({
    workspace: 'acme',
    providers: { hub: { source: 'github' } },
    modules: [{ name: 'acme', source: 'otterdog', with: { file } }],
  })

const load = (text: string, file = 'acme.json') =>
  loadWorkspaceLater(
    { entry: 'plumbline.json', files: { 'plumbline.json': configuration(`./${file}`), [file]: text } },
    deps,
  )

const issuesOf = async (...args: Parameters<typeof load>) => {
  try {
    await load(...args)
  } catch (error) {
    if (isAppError(error, 'CONFIG_INVALID')) return error.payload.issues
    throw error
  }
  return []
}

const bare: JsonObject = { project_name: 'acme', github_id: 'acme', settings: {} }
const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`

describe('a file that is no organisation file is refused at a place in it', () => {
  it.each([
    ['nothing', '', 1],
    ['null', 'null', 1],
    ['a list', '[]', 1],
    ['a text', '"acme"', 1],
    ['half of a file', '{\n  "project_name": "acme",\n  "settings": {', 3],
    ['a key twice', '{\n  "project_name": "a",\n  "project_name": "b",\n  "github_id": "a", "settings": {} }', 3],
    [
      'a member of every object',
      '{ "project_name": "a", "github_id": "a",\n "settings": { "__proto__": { "plan": "free" } } }',
      2,
    ],
    ['an inherited name', '{ "project_name": "a", "github_id": "a", "settings": {},\n "constructor": {} }', 2],
    ['a number that is none', '{ "project_name": "a", "github_id": "a", "settings": { "blog":\n NaN } }', 2],
    [
      'a list ten thousand deep',
      `{ "project_name": "a", "github_id": "a", "settings": {},\n "teams": ${nested(10_000)} }`,
      2,
    ],
  ])('names the line: %s', async (_, text, line) => {
    const [issue] = await issuesOf(text)
    expect(issue).toMatchObject({ file: 'acme.json' })
    expect(issue?.line).toBeLessThanOrEqual(line)
    expect(issue?.column).toBeGreaterThan(0)
  })

  it('names the line of aliases that contain themselves, or that grow', async () => {
    const cycle = 'project_name: a\ngithub_id: a\nsettings: &x { workflows: *x }\n'
    expect(await issuesOf(cycle, 'acme.yaml')).not.toEqual([])
    const laughs = ['a: &a [x, x, x, x, x, x, x, x, x, x]']
    for (const [index, letter] of [...'bcdefghij'].entries()) {
      const before = 'abcdefghij'[index]
      laughs.push(`${letter}: &${letter} [${Array.from({ length: 10 }, () => `*${before}`).join(', ')}]`)
    }
    expect(
      await issuesOf(`project_name: a\ngithub_id: a\nsettings: {}\n${laughs.join('\n')}`, 'acme.yaml'),
    ).not.toEqual([])
  })
})

describe('a value of a wrong type', () => {
  const whole = organisationOf({
    teams: [{ name: 'core', privacy: 'visible', members: ['ada'] }],
    webhooks: [{ url: 'https://a.example', active: true, events: ['push'] }],
    secrets: [{ name: 'A', value: 'env:A', visibility: 'public' }],
    rulesets: [
      {
        name: 'main',
        enforcement: 'active',
        bypass_actors: ['#Write'],
        required_status_checks: { status_checks: ['a'] },
      },
    ],
    repositories: [
      repositoryOf({
        custom_properties: { a: 'b' },
        team_permissions: { core: 'push' },
        environments: [{ name: 'live', reviewers: ['@ada'] }],
        branch_protection_rules: [{ pattern: 'main', push_restrictions: ['@ada'] }],
      }),
    ],
  })
  const placesIn = (value: Json, path: readonly (string | number)[] = []): readonly (readonly (string | number)[])[] =>
    typeof value !== 'object' || value === null
      ? [path]
      : [
          path,
          ...Object.entries(value).flatMap(([name, each]) =>
            placesIn(each, [...path, Array.isArray(value) ? Number(name) : name]),
          ),
        ]
  const put = (value: Json, [step, ...rest]: readonly (string | number)[], other: Json): Json => {
    if (step === undefined) return other
    const copy = structuredClone(value) as Record<string | number, Json>
    copy[step] = put(copy[step] ?? null, rest, other)
    return copy as Json
  }

  eachOf(
    it,
    2,
  )<[string, Json]>([
    ['null', null],
    ['a number', 1.5],
    ['a negative number', -1],
    ['an empty text', ''],
    ['a text', 'constructor'],
    ['a text with every kind of letter', '\u0000\u202e💥é\ud800'],
    ['an empty list', []],
    ['a list in a list', [[null]]],
    ['an empty object', {}],
    ['an object', { length: -1, toString: null }],
  ])('is an error at its place, and no crash: %s', (_, other) => {
    for (const path of placesIn(whole)) {
      const { module, problems } = readFile(put(whole, path, other))
      expect([path, module === undefined]).toEqual([path, problems.length > 0])
    }
  })
})

describe('hostile names', () => {
  const named = (name: string) => ({
    ...bare,
    repositories: [{ name, private: false, variables: [{ name: 'A', value: 'b' }] }],
  })

  it.each(['__proto__', 'constructor', 'toString', 'named', 'a/b', 'a"]b', '${var.x}', 'ä💥', '..', ' '])(
    'of a repository like %j have an address of their own, or are an error',
    async (name) => {
      const issues = await issuesOf(textOf(named(name)))
      if (issues.length > 0) return expect(issues[0]).toMatchObject({ file: 'acme.json', line: expect.any(Number) })
      const { configuration: loaded } = await load(textOf(named(name)))
      const all = loaded.resources.map(({ address }) => address)
      expect(new Set(all).size).toBe(all.length)
      const [repository] = loaded.resources.filter(({ type }) => type === 'github_repository')
      expect(repository?.attributes['name']).toBe(name)
    },
  )

  it('that every JavaScript object has are refused at their place, or are ordinary members', async () => {
    const file = (name: string) =>
      textOf({ ...bare, repositories: [{ name: 'w', private: false, team_permissions: { core: 'push' } }] }).replace(
        '"core"',
        `"${name}"`,
      )
    expect(await issuesOf(file('__proto__'))).toMatchObject([{ file: 'acme.json', line: 10 }])
    const { configuration: loaded } = await load(file('constructor'))
    expect(loaded.resources.at(-1)?.attributes).toMatchObject({ team: 'constructor', permission: 'push' })
  })
})

it('ten thousand repositories are read at once, and each error has its place', long, async () => {
  const repositories = Array.from({ length: 10_000 }, (_, index) => ({
    name: `r${index}`,
    private: false,
    topics: index === 9999 ? ['No Topic'] : [],
  }))
  const text = textOf({ ...bare, repositories })
  const [issue] = await issuesOf(text)
  const lines = text.split('\n')
  expect(issue).toMatchObject({ code: 'REPO-2' })
  expect(lines[(issue?.line ?? 0) - 1]).toContain('No Topic')
})
