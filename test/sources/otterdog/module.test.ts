import { expect, it } from 'vitest'
import { isAppError } from '../../../core/engine/errors/errors.ts'
import type { JsonObject } from '../../../core/engine/schema/json.ts'
import { loadWorkspaceLater } from '../../../core/engine/workflows/session/load/load-later.ts'
import { reviewBundle } from '../../../core/engine/workflows/session/load/review-bundle.ts'
import { sources } from '../../../core/sources/index.ts'
import { everyType } from '../../builders/otterdog/every-type.ts'
import { built, organisationOf, repositoryOf, textOf } from '../../builders/otterdog/organisation.ts'

/* `source: otterdog` in a configuration. The provider has every type and knows nothing of them. */

const deps = { sources, providers: async () => everyType, clock: { now: () => new Date(0) } }

const configuration = (given: JsonObject = {}): string =>
  JSON.stringify({
    workspace: 'acme',
    providers: { hub: { source: 'github' }, other: { source: 'github' } },
    modules: [{ name: 'acme', source: 'otterdog', with: { file: './otterdog/acme.json', provider: 'hub', ...given } }],
  })

const bundleOf = (organisation: JsonObject | string, given: JsonObject = {}) => ({
  entry: 'plumbline.json',
  files: {
    'plumbline.json': configuration(given),
    'otterdog/acme.json': typeof organisation === 'string' ? organisation : textOf(organisation),
  },
})

const load = (...args: Parameters<typeof bundleOf>) => loadWorkspaceLater(bundleOf(...args), deps)

const issuesOf = async (...args: Parameters<typeof bundleOf>) => {
  try {
    await load(...args)
  } catch (error) {
    if (isAppError(error, 'CONFIG_INVALID')) return error.payload.issues
    throw error
  }
  return []
}

/** The line of a text in the file, and the column where it begins. */
const placeIn = (text: string, part: string) => {
  const before = text.slice(0, text.indexOf(part)).split('\n')
  return { file: 'otterdog/acme.json', line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}

const acme = organisationOf({
  teams: [built('newTeam', { name: 'Core Team', members: ['ada'] })],
  secrets: [
    built('newOrgSecret', {
      name: 'TOKEN',
      value: 'env:TOKEN',
      visibility: 'selected',
      selected_repositories: ['website'],
    }),
  ],
  repositories: [
    repositoryOf({ team_permissions: { 'core-team': 'push' }, description: 'costs ${5}' }),
    repositoryOf({ name: 'acme.github.io', gh_pages_build_type: 'workflow' }),
  ],
})

it('a call of an organisation file declares its resources, with their lines', async () => {
  const { configuration: loaded } = await load(acme)
  const text = textOf(acme)
  expect(loaded.resources.map(({ address }) => address)).toMatchInlineSnapshot(`
    [
      "module.acme.github_organization.this",
      "module.acme.github_organization_privileges.this",
      "module.acme.github_organization_role_teams.security_manager",
      "module.acme.github_organization_actions.this",
      "module.acme.github_team.core-team",
      "module.acme.github_organization_secret.TOKEN",
      "module.acme.github_repository.website",
      "module.acme.github_repository_actions.website",
      "module.acme.github_pages.website",
      "module.acme.github_code_scanning.website",
      "module.acme.github_team_repository.website["core-team"]",
      "module.acme.github_repository.named["acme.github.io"]",
      "module.acme.github_repository_actions.named["acme.github.io"]",
      "module.acme.github_pages.named["acme.github.io"]",
      "module.acme.github_code_scanning.named["acme.github.io"]",
    ]
  `)
  expect(loaded.resources.every(({ provider: alias }) => alias === 'hub')).toBe(true)
  const website = loaded.resources.find(({ address }) => address === 'module.acme.github_repository.website')
  expect(website?.attributes).toMatchObject({ name: 'website', description: 'costs ${5}', homepage: null })
  const place = loaded.locate('module.acme.github_repository.website', ['description'])
  expect(place).toMatchObject(placeIn(text, '"costs ${5}"'))
  expect(place.calls).toMatchObject([{ module: 'module.acme', file: 'plumbline.json' }])
})

it('a resource that names another one comes after it', async () => {
  const { configuration: loaded } = await load(acme)
  const needs = Object.fromEntries(loaded.resources.map(({ address, dependsOn }) => [address, dependsOn]))
  expect(needs['module.acme.github_organization_secret.TOKEN']).toEqual(['module.acme.github_repository.website'])
  expect(needs['module.acme.github_team_repository.website["core-team"]']).toEqual([
    'module.acme.github_repository.website',
    'module.acme.github_team.core-team',
  ])
})

it('a problem is reported with file, line, column and the call', async () => {
  const text = textOf(organisationOf({ repositories: [repositoryOf({ topics: ['Web Site'] })] }, { description: 7 }))
  expect(await issuesOf(text)).toMatchObject([
    { ...placeIn(text, '7'), code: 'wrongType', calls: [{ module: 'module.acme', file: 'plumbline.json', line: 1 }] },
  ])
  const other = text.replace('"description": 7', '"description": null')
  expect(await issuesOf(other)).toMatchObject([
    { ...placeIn(other, '"Web Site"'), code: 'REPO-2', value: '"Web Site"' },
  ])
})

it.each([
  [
    'a key that the format does not have',
    { repositories: [{ name: 'a', private: false, archved: true }] },
    'unknownKey',
  ],
  ['a key that is missing', { repositories: [{ name: 'a' }] }, 'missing'],
  ['null where no null may be', { teams: [{ name: 'a', privacy: null }] }, 'wrongType'],
])('the call is refused with %s', async (_, parts, code) => {
  expect(await issuesOf(organisationOf(parts))).toMatchObject([{ code }])
})

it('unknown keys are ignored with a warning where the call says so', async () => {
  const written = organisationOf({ repositories: [{ name: 'a', private: false, archved: true }] })
  const { warnings } = await reviewBundle(bundleOf(written, { unknownKeys: 'warn' }), deps)
  expect(warnings).toMatchObject([{ code: 'unknownKey', ...placeIn(textOf(written), '"archved"') }])
})

it.each([
  ['a missing file', { file: './otterdog/other.json' }, 'there is no file otterdog/other.json'],
  ['a file outside', { file: '../acme.json' }, 'there is no file ../acme.json'],
  ['an unknown key', { fil: 'x' }, 'unknown key "fil"'],
  ['a plain secret', { secrets: { 'pass:a': 'hunter2' } }, 'secrets["pass:a"] must be a mapping, not text'],
  ['a pattern that is none', { excludeTeams: ['('] }, '( is no pattern that can be used'],
  ['an unknown provider', { provider: 'hubb' }, 'there is no provider "hubb"'],
])('the call is refused with secrets from %s', async (_, given, message) => {
  const issues = await issuesOf(acme, given)
  expect(issues.map((issue) => issue.message)).toContain(message)
  expect(JSON.stringify(issues)).not.toContain('hunter2')
})

it('secrets are read from the place to which the call maps a password store', async () => {
  const secret = (value: string) => organisationOf({ secrets: [built('newOrgSecret', { name: 'A', value })] })
  const valueFor = async (value: string, given: JsonObject = {}) =>
    (await load(secret(value), given)).configuration.resources.find(({ name }) => name === 'A')?.attributes['value']
  const secrets = { 'pass:bots/a': { secret: 'ssm:/plumbline/acme/a' } }
  expect(await valueFor('env:A')).toEqual({ $secret: 'env:A' })
  expect(await valueFor('pass:bots/a', { secrets })).toEqual({ $secret: 'ssm:/plumbline/acme/a' })
  expect(await valueFor('pass:bots/a')).toBeUndefined()
  expect(await valueFor('********')).toBeUndefined()
  const { warnings } = await reviewBundle(bundleOf(secret('pass:bots/a')), deps)
  expect(warnings.map(({ code }) => code)).toEqual(['SEC-5'])
})

it('a resource with a new name keeps its record', async () => {
  const { configuration: loaded } = await load(
    organisationOf({
      repositories: [
        repositoryOf({ name: 'site', aliases: ['acme.github.io'], secrets: [{ name: 'A', value: 'env:A' }] }),
      ],
    }),
  )
  expect(loaded.moved).toContainEqual({
    from: 'module.acme.github_repository.named["acme.github.io"]',
    to: 'module.acme.github_repository.site',
  })
  expect(loaded.moved).toContainEqual({
    from: 'module.acme.github_repository_secret.named["acme.github.io/A"]',
    to: 'module.acme.github_repository_secret.site["A"]',
  })
})

it('a call with forEach has an instance for each key', async () => {
  const files = {
    'plumbline.yaml': `
workspace: fleet
providers: { a: { source: github }, b: { source: github } }
modules:
  - name: organisation
    source: otterdog
    forEach: [a, b]
    with: { file: "./\${each.key}.json", provider: "\${each.key}" }
`,
    'a.json': textOf(organisationOf()),
    'b.json': textOf(organisationOf()),
  }
  const { configuration: loaded } = await loadWorkspaceLater({ entry: 'plumbline.yaml', files }, deps)
  expect(loaded.resources.map(({ address, provider: alias }) => `${address} ${alias}`)).toContain(
    'module.organisation["b"].github_organization.this b',
  )
})
