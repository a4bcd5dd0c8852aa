import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../core/engine/schema/json.ts'
import { long } from '../../builders/long.ts'
import { driveGitHub, type Wanted } from './drive.ts'

const repository = (spec: JsonObject): Wanted => ({
  type: 'github_repository',
  name: 'web',
  spec: { name: 'web', visibility: 'public', auto_init: true, ...spec },
})
const inWeb = (type: string, spec: JsonObject): Wanted => ({ type, name: 'web', spec: { repository: 'web', ...spec } })

/** The requests that make new objects, after which everything must be as it is declared. */
const made = async (...resources: readonly Wanted[]) => {
  await using drive = await driveGitHub(resources)
  const { lines, digest } = await drive.check()
  expect(await drive.apply(digest)).toMatchObject({ status: 'succeeded' })
  expect((await drive.check()).plan).toMatchObject({ inSync: true, complete: true })
  expect(drive.github.violations).toEqual([])
  return lines
}

describe('what a new repository has anyway', () => {
  it('is not sent', long, async () => {
    const anyway = {
      description: '',
      homepage: null,
      archived: false,
      topics: [],
      custom_properties: {},
      has_discussions: false,
      allow_update_branch: false,
      private_vulnerability_reporting: false,
      immutable_releases: false,
      default_branch: 'main',
    }
    const lines = await made(repository(anyway), inWeb('github_code_scanning', { state: 'not-configured' }))
    expect(lines).toEqual([['POST /orgs/acme/repos', { name: 'web', visibility: 'public', auto_init: true }]])
  })

  it('is sent where it is declared otherwise', long, async () => {
    const lines = await made(repository({ topics: ['a'], homepage: 'https://acme.example', has_discussions: true }))
    expect(lines).toEqual([
      [
        'POST /orgs/acme/repos',
        { name: 'web', visibility: 'public', auto_init: true, homepage: 'https://acme.example' },
      ],
      ['PATCH /repos/acme/web', { has_discussions: true }],
      ['PUT /repos/acme/web/topics', { names: ['a'] }],
    ])
  })

  it('is not believed of a repository that is made from a template', async () => {
    await using drive = await driveGitHub([
      repository({ description: '', topics: [], template: { owner: 'acme', repository: 'template' } }),
    ])
    const { lines } = await drive.check()
    expect(lines.map(([line]) => line)).toContain('PUT /repos/acme/web/topics')
  })
})

describe('another default branch of a new repository', () => {
  it('is a rename of its own, before anything else', long, async () => {
    const lines = await made(
      repository({ default_branch: 'source', secret_scanning: 'enabled' }),
      inWeb('github_ruleset', { name: 'main', target: 'branch', enforcement: 'active', rules: [{ type: 'deletion' }] }),
    )
    expect(lines.map(([line]) => line)).toEqual([
      'POST /orgs/acme/repos',
      'POST /repos/acme/web/branches/main/rename',
      'PATCH /repos/acme/web',
      'POST /repos/acme/web/rulesets',
    ])
    expect(lines[2]?.[1]).not.toHaveProperty('default_branch')
  })
})

describe('a webhook without a secret', () => {
  it.each([
    ['github_repository_webhook', { repository: 'web' }],
    ['github_organization_webhook', {}],
  ])('is created without one, also where null is written: %s', async (type, spec) => {
    const url = 'https://ci.acme.example/hook'
    const lines = await made(repository({}), {
      type,
      name: 'ci',
      spec: { ...spec, url, events: ['push'], secret: null },
    })
    const created = lines.find(([line]) => line.endsWith('/hooks'))
    expect(created?.[1]).toMatchObject({ config: { url } })
    expect(JSON.stringify(created)).not.toContain('secret')
  })
})
