import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../core/engine/schema/json.ts'
import { chooseDifferences } from '../../../core/tools/authoring/accept/choose-differences.ts'
import { long } from '../../builders/long.ts'
import { repositoryByName } from '../../github/state/repository.ts'
import { driveGitHub } from './drive.ts'

const rule = (name: string, forAll: JsonObject, spec: JsonObject) => ({ type: 'github_repository', name, forAll, spec })

/** An organisation with three repositories that nothing declares. */
const withThree = async (resources: Parameters<typeof driveGitHub>[0]) => {
  const drive = await driveGitHub(resources)
  const owner = drive.github.as('octo-owner')
  for (const name of ['web', 'web-old', 'api'])
    owner.request('POST', '/orgs/acme/repos', { name, visibility: 'public' })
  owner.request('PUT', '/repos/acme/api/topics', { names: ['service'] })
  drive.github.forget()
  return drive
}

const shownIn = (plan: Awaited<ReturnType<Awaited<ReturnType<typeof driveGitHub>>['check']>>['plan']) =>
  plan.changes.map(({ address, causes, blocked }) => [
    address,
    causes.map(({ path, rule: by }) => [path[0], by]),
    blocked?.reason,
  ])

describe('a rule for all repositories', () => {
  it('checks those that nothing declares, and repairs nothing', long, async () => {
    await using drive = await withThree([
      rule('tidy', { where: { name: 'web*' }, except: { name: '*-old' } }, { delete_branch_on_merge: true }),
    ])
    const { plan, lines } = await drive.check()
    expect(shownIn(plan)).toEqual([
      ['github_repository.all["web"]', [['delete_branch_on_merge', 'github_repository.tidy']], 'rule_checks'],
    ])
    expect([plan.inSync, lines]).toEqual([false, []])
    expect(drive.github.requests.filter(({ counted }) => counted).length).toBeLessThanOrEqual(5)
  })

  it('repairs them where it says so, and those that are made tomorrow', long, async () => {
    await using drive = await withThree([rule('tidy', { repair: true }, { has_wiki: false })])
    const { lines } = await drive.settle()
    expect(lines.map(([line]) => line).toSorted()).toEqual([
      'PATCH /repos/acme/api',
      'PATCH /repos/acme/web',
      'PATCH /repos/acme/web-old',
    ])
    expect((await drive.check()).plan).toMatchObject({ inSync: true })
    drive.github.as('octo-owner').request('POST', '/orgs/acme/repos', { name: 'new' })
    expect((await drive.check()).plan.changes.map(({ address }) => address)).toEqual(['github_repository.all["new"]'])
    await drive.settle()
    expect(repositoryByName(drive.github.world, 'acme/new')?.settings['has_wiki']).toBe(false)
  })

  it('gives way to a later one and to what a resource declares, and each value names its rule', long, async () => {
    const api = { type: 'github_repository', name: 'api', spec: { name: 'api', has_issues: false } }
    await using drive = await withThree([
      rule('everything', {}, { has_wiki: false, has_issues: true, delete_branch_on_merge: true }),
      rule('services', { where: { topics: ['service'] } }, { has_wiki: true }),
      api,
    ])
    const { plan } = await drive.check()
    const shown = new Map(shownIn(plan).map(([address, ...rest]) => [address, rest]))
    expect(shown.get('github_repository.api')).toEqual([
      [
        ['has_issues', undefined],
        ['delete_branch_on_merge', 'github_repository.everything'],
      ],
      undefined,
    ])
    expect(shown.get('github_repository.all["web"]')?.[0]).toEqual([
      ['has_wiki', 'github_repository.everything'],
      ['delete_branch_on_merge', 'github_repository.everything'],
    ])
    const { digest } = await drive.check()
    await drive.apply(digest)
    expect(repositoryByName(drive.github.world, 'acme/api')?.settings).toMatchObject({
      has_wiki: true,
      has_issues: false,
      delete_branch_on_merge: true,
    })
    expect(repositoryByName(drive.github.world, 'acme/web')?.settings).toMatchObject({ has_wiki: true })
  })

  it('forgets what it does not cover any more, and deletes nothing', long, async () => {
    await using drive = await withThree([rule('tidy', { repair: true }, { has_wiki: false })])
    await drive.settle()
    const deleted = drive.github.as('octo-owner').request('DELETE', '/repos/acme/web-old')
    expect(deleted.status).toBe(204)
    const { plan, lines } = await drive.check()
    expect([plan.changes, lines]).toEqual([[], []])
    drive.want([])
    const left = await drive.settle()
    expect([left.lines, left.plan.changes]).toEqual([[], []])
    expect(repositoryByName(drive.github.world, 'acme/web')).toBeDefined()
  })

  it(
    'leaves its record to the resource that declares the object, and its object to one that leaves',
    long,
    async () => {
      const web = { type: 'github_repository', name: 'site', spec: { name: 'web', has_wiki: false } }
      const tidy = rule('tidy', { repair: true }, { has_wiki: false })
      await using drive = await withThree([tidy])
      await drive.settle()
      drive.want([tidy, web])
      const { plan } = await drive.check()
      expect([plan.inSync, plan.unchecked, plan.changes]).toEqual([true, [], []])
      drive.want([tidy])
      const left = await drive.check()
      expect(left.plan.changes.map(({ address, action }) => [address, action])).toEqual([
        ['github_repository.site', 'delete'],
      ])
    },
  )

  it('is unchecked where the list does not come, and what it covered stays known', long, async () => {
    await using drive = await withThree([rule('tidy', { repair: true }, { has_wiki: false })])
    await drive.settle()
    drive.github.faults.add({ kind: 'status', status: 502, when: ({ path }) => path.startsWith('/orgs/acme/repos') })
    const { plan } = await drive.check()
    expect(plan).toMatchObject({ inSync: false, changes: [] })
    expect(plan.unchecked.map(({ address }) => address)).toContain('github_repository.all')
    drive.github.faults.clear()
    drive.github.as('octo-owner').request('PATCH', '/repos/acme/web', { has_wiki: true })
    const later = await drive.check()
    expect(later.plan.changes.map(({ causes }) => causes.map(({ cause }) => cause))).toEqual([['drift']])
  })

  it('can be about the repositories of a team, or of those with a property', long, async () => {
    const team = {
      type: 'github_team_repository',
      name: 'core_api',
      spec: { team: 'Core', repository: 'api', permission: 'pull' },
    }
    const core = { type: 'github_team', name: 'core', spec: { name: 'Core', privacy: 'closed' } }
    const ofCore = rule('of_core', { where: { github_team_repository: { team: 'Core' } } }, { has_wiki: false })
    const gold = rule('gold', { where: { custom_properties: { tier: 'gold' } } }, { has_issues: false })
    await using drive = await withThree([core, team])
    await drive.settle()
    const owner = drive.github.as('octo-owner')
    owner.request('PUT', '/orgs/acme/properties/schema/tier', { value_type: 'string' })
    owner.request('PATCH', '/repos/acme/web/properties/values', {
      properties: [{ property_name: 'tier', value: 'gold' }],
    })
    drive.want([core, team, ofCore, gold])
    const { plan } = await drive.check()
    expect(shownIn(plan)).toEqual([
      ['github_repository.all["api"]', [['has_wiki', 'github_repository.of_core']], 'rule_checks'],
      ['github_repository.all["web"]', [['has_issues', 'github_repository.gold']], 'rule_checks'],
    ])
    drive.github.faults.add({ kind: 'status', status: 502, when: ({ path }) => path.includes('/teams/core/repos') })
    const { plan: unsure } = await drive.check()
    expect(unsure.unchecked.map(({ address }) => address)).toContain('github_repository.of_core')
    expect(drive.github.violations).toEqual([])
  })

  it('keeps its value: an accept for one object refuses to change it for all', long, async () => {
    await using drive = await withThree([rule('tidy', { repair: true }, { has_wiki: false })])
    await drive.settle()
    drive.github.as('octo-owner').request('PATCH', '/repos/acme/web', { has_wiki: true })
    const { plan } = await drive.check()
    const { wanted, refused } = chooseDifferences(plan, [], { workspace: 'w', paths: [] })
    expect([wanted, refused.map(({ address, detail }) => [address, detail])]).toEqual([
      [],
      [['github_repository.all["web"]', 'github_repository.tidy gives it to all objects that it is about']],
    ])
  })

  it('compares what else its condition by another type says', long, async () => {
    const team = (repository: string, permission: string) => ({
      type: 'github_team_repository',
      name: repository,
      spec: { team: 'Core', repository, permission },
    })
    const core = { type: 'github_team', name: 'core', spec: { name: 'Core', privacy: 'closed' } }
    const given = [core, team('api', 'admin'), team('web', 'pull')]
    await using drive = await withThree(given)
    await drive.settle()
    const covers = async (condition: JsonObject) => {
      drive.want([...given, rule('of_core', { where: { github_team_repository: condition } }, { has_wiki: false })])
      return (await drive.check()).plan.changes.map(({ address }) => address)
    }
    expect(await covers({ team: 'Core' })).toHaveLength(2)
    expect(await covers({ team: 'Core', permission: 'admin' })).toEqual(['github_repository.all["api"]'])
    expect(await covers({ team: 'Core', repository: 'WEB' })).toEqual(['github_repository.all["web"]'])
    expect(await covers({ team: 'Core', permission: 'triage' })).toEqual([])
  })

  it('takes variables in its conditions, and a null for a value that is not there', async () => {
    await using drive = await driveGitHub(
      [rule('tidy', { where: { description: null }, except: { name: '${var.keep}' } }, { has_wiki: false })],
      { more: { variables: { keep: { type: 'string', default: 'web' } } } },
    )
    const owner = drive.github.as('octo-owner')
    for (const name of ['web', 'api']) owner.request('POST', '/orgs/acme/repos', { name })
    owner.request('POST', '/orgs/acme/repos', { name: 'said', description: 'Something' })
    const { plan } = await drive.check()
    expect([plan.changes.map(({ address }) => address), plan.unchecked]).toEqual([['github_repository.all["api"]'], []])
  })

  it('covers at once what a resource that leaves forgets', long, async () => {
    const web = {
      type: 'github_repository',
      name: 'site',
      spec: { name: 'web', has_wiki: true },
      lifecycle: { orphan: 'forget' },
    }
    const tidy = rule('tidy', {}, { has_wiki: false })
    await using drive = await withThree([web, tidy])
    await drive.check()
    drive.want([tidy])
    const { plan } = await drive.check()
    expect([plan.inSync, plan.changes.map(({ address, action }) => [address, action])]).toEqual([
      false,
      ['api', 'web', 'web-old'].map((name) => [`github_repository.all["${name}"]`, 'update']),
    ])
  })

  it('says which attribute a list does not show', async () => {
    await using drive = await withThree([rule('tidy', { where: { allow_auto_merge: true } }, { has_wiki: false })])
    const { plan } = await drive.check()
    expect(plan.unchecked).toMatchObject([
      { address: 'github_repository.tidy', detail: expect.stringContaining('does not show allow_auto_merge') },
    ])
  })
})

describe('a resource of the name that covered objects have', () => {
  it('is an ordinary one where no rule is about its type', long, async () => {
    const all = (names: readonly string[]) => ({
      type: 'github_repository',
      name: 'all',
      forEach: [...names],
      spec: { name: '${each.key}' },
    })
    await using drive = await driveGitHub([all(['a', 'b'])])
    await drive.settle()
    drive.want([all(['a'])])
    const { plan } = await drive.check()
    expect(plan.changes.map(({ address, action }) => [address, action])).toEqual([
      ['github_repository.all["b"]', 'delete'],
    ])
  })
})
