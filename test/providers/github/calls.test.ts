import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../core/engine/schema/json.ts'
import { loadReadHistory } from '../../../core/engine/state/runs/reads.ts'
import { declaredResources, fillOrganization } from '../../bench/github/organization.ts'
import { isLawRun } from '../../builders/laws.ts'
import { long } from '../../builders/long.ts'
import { driveGitHub } from './drive.ts'

/** What is promised is a ratio, so that few repositories show it too. */
const count = isLawRun ? 30 : 16

/** What was sent since the last look. */
const callsOf = ({ requests, forget }: Awaited<ReturnType<typeof driveGitHub>>['github']) => {
  const all = { sent: requests.length, counted: requests.filter(({ counted }) => counted).length }
  forget()
  return all
}

/** How many requests the last check expected: in all, and those that count. */
const forecastOf = ({ progress }: Awaited<ReturnType<typeof driveGitHub>>) => {
  const found = progress.findLast((event) => event.step === 'forecast')
  if (found?.step !== 'forecast') throw new Error('there is no forecast')
  return { sent: found.counted + found.free, counted: found.counted }
}

/** Within 10 %. */
const isNear = (expected: number, found: number): boolean => Math.abs(expected - found) <= 0.1 * found

describe(`${count} repositories with what is usual in them`, () => {
  it('cost few calls, and almost none that counts when nothing changed', async () => {
    await using drive = await driveGitHub(declaredResources(count), { limits: 'github' })
    fillOrganization(drive.github, count)
    expect((await drive.check()).plan).toMatchObject({ inSync: true })
    const cold = callsOf(drive.github)
    expect(cold.sent).toBeLessThanOrEqual(8 * count)
    expect([forecastOf(drive), cold]).toSatisfy(([told, found]) => isNear(told.sent, found.sent))
    expect((await drive.check()).plan).toMatchObject({ inSync: true })
    const warm = callsOf(drive.github)
    expect(warm.sent).toBeLessThanOrEqual(cold.sent)
    expect([forecastOf(drive), warm]).toSatisfy(([told, found]) => isNear(told.sent, found.sent))
    expect(forecastOf(drive).counted).toBeLessThanOrEqual(0.05 * cold.counted)
    expect(warm.counted).toBeLessThanOrEqual(0.05 * cold.counted)
    // The second check within a minute counts what the first one spent.
    const { spent = {} } = await loadReadHistory(drive.deps.store, 'w')
    expect(spent['github']?.reduce((sum, [, points]) => sum + points, 0)).toBe(cold.sent + warm.sent)
    expect(drive.github.limits.seen).toMatchObject({ primary: 0, secondary: 0 })
    expect(drive.github.violations).toEqual([])
  })

  it('take two counted reads for each write of an apply, whatever else is in the organisation', async () => {
    await using drive = await driveGitHub(declaredResources(count), { limits: 'github' })
    fillOrganization(drive.github, count)
    await drive.check()
    const owner = drive.github.as('octo-owner')
    for (let n = 0; n < 6; n += 1) {
      const path = `/repos/acme/service-0000${n}`
      owner.request('PATCH', path, { has_issues: false, delete_branch_on_merge: false })
      owner.request('PATCH', `${path}/actions/variables/ZONE_EU`, { name: 'ZONE_EU', value: 'x' })
      const [ruleset] = owner.request('GET', `${path}/rulesets`).body as readonly { readonly id: number }[]
      owner.request('PUT', `${path}/rulesets/${ruleset?.id}`, { enforcement: 'disabled' })
    }
    const { plan } = await drive.check()
    drive.github.forget()
    const { lines } = await drive.settle()
    const isWrite = ({ method, path }: { readonly method: string; readonly path: string }): boolean =>
      method !== 'GET' && !path.endsWith('/graphql')
    const { requests } = drive.github
    const first = requests.findIndex(isWrite)
    const during = requests.slice(first - 1, requests.findLastIndex(isWrite) + 3)
    const reads = during.filter((each) => each.counted && !isWrite(each))
    // Once more for each repository: its own change is the news of its ETag.
    expect([plan.commands.length, lines.length]).toEqual([18, 18])
    expect(reads.length).toBeLessThanOrEqual(2 * 18 + 6)
  })

  it('are read for a command as far as it is about them', async () => {
    const web = (spec: JsonObject) => ({ type: 'github_repository', name: 'web', spec: { name: 'web', ...spec } })
    const all = { topics: ['a'], dependabot_alerts: true, private_vulnerability_reporting: false, has_wiki: true }
    await using drive = await driveGitHub([web(all)], { limits: 'github' })
    await drive.settle()
    drive.want([web({ ...all, has_wiki: false, topics: ['b'] })])
    await drive.check()
    drive.github.forget()
    await drive.settle()
    const { requests } = drive.github
    const writes = requests.flatMap(({ method }, at) => (method === 'GET' || method === 'POST' ? [] : [at]))
    const between = requests.slice(writes[0], writes.at(-1)).map(({ path }) => path.replace(/\?.*/, ''))
    expect(between).toEqual(['/repos/acme/web', '/repos/acme/web'])
    expect(drive.github.violations).toEqual([])
  })

  it('of a command are not misled by what does not apply', long, async () => {
    const acme = (description: string) => ({
      type: 'github_organization',
      name: 'acme',
      spec: { description, immutable_releases: 'all', immutable_releases_repositories: ['web'] },
    })
    const web = { type: 'github_repository', name: 'web', spec: { name: 'web' } }
    await using drive = await driveGitHub([acme('One'), web])
    await drive.settle()
    drive.want([acme('Two'), web])
    const { lines } = await drive.settle()
    expect(lines.map(([line]) => line)).toEqual(['PATCH /orgs/acme'])
  })
})
