import { describe, expect, it } from 'vitest'
import { long } from '../../builders/long.ts'
import { driveGitHub, type Wanted } from './drive.ts'

const plans = ['free', 'team', 'enterprise'] as const
type OrganizationPlan = (typeof plans)[number]

const web: Wanted = { type: 'github_repository', name: 'web', spec: { name: 'web', visibility: 'private' } }
const scanning = (state: string): Wanted => ({
  type: 'github_code_scanning',
  name: 'web',
  spec: { repository: 'web', state },
})
const rules = { name: 'main', target: 'branch', enforcement: 'active', rules: [{ type: 'deletion' }] }
const ruleset: Wanted = { type: 'github_ruleset', name: 'web', spec: { repository: 'web', ...rules } }
const outerRuleset: Wanted = { type: 'github_organization_ruleset', name: 'all', spec: rules }
const lacksScanning = (plan: OrganizationPlan): boolean => plan !== 'enterprise'

const on = async (plan: OrganizationPlan, ...resources: readonly Wanted[]) => {
  const drive = await driveGitHub([web], { plan })
  await drive.settle()
  drive.want([web, ...resources])
  return drive
}

describe.each(plans)('an organisation with the plan %s', (plan) => {
  it('has code scanning off where it is off or not offered, and nothing is sent for that', long, async () => {
    await using drive = await on(plan, scanning('not-configured'))
    const { plan: found } = await drive.check()
    expect(found).toMatchObject({ inSync: true, complete: true, commands: [] })
    expect(drive.github.violations).toEqual([])
  })

  it(
    'has a plan for code scanning that shall be on, and the words of GitHub where it is not offered',
    long,
    async () => {
      await using drive = await on(plan, scanning('configured'))
      const { plan: found, digest } = await drive.check()
      expect(found.changes).toMatchObject([{ address: 'github_code_scanning.web', action: 'update' }])
      const apply = await drive.apply(digest)
      if (lacksScanning(plan)) {
        expect(apply.status).toBe('failed')
        expect(apply.error?.message).toContain('Code Security must be enabled')
      } else expect(apply.status).toBe('succeeded')
    },
  )

  it('tells which feature is not offered, and names no permission for it', long, async () => {
    await using drive = await on(plan, ruleset, outerRuleset)
    const { plan: found } = await drive.check()
    const told = found.unchecked.map(({ address, reason, permission }) => ({ address, reason, permission }))
    if (plan === 'free') {
      expect(told).toEqual([
        { address: 'github_ruleset.web', reason: 'not_offered', permission: undefined },
        { address: 'github_organization_ruleset.all', reason: 'not_offered', permission: undefined },
      ])
      expect(found.unchecked[0]?.detail).toMatch(/Upgrade to GitHub Pro/)
      for (const { detail } of found.unchecked) expect(detail).not.toMatch(/administration|needs/)
    } else {
      expect(told).toEqual([])
      await drive.settle()
    }
  })
})

describe('a refusal for another reason', () => {
  it('is still a missing permission', async () => {
    await using drive = await on('team', scanning('not-configured'))
    drive.github.faults.add({
      kind: 'status',
      status: 403,
      body: JSON.stringify({ message: 'Resource not accessible by integration' }),
      when: ({ path }) => path.endsWith('/code-scanning/default-setup'),
    })
    const { plan } = await drive.check()
    expect(plan.unchecked).toMatchObject([{ address: 'github_code_scanning.web', reason: 'forbidden' }])
  })
})
