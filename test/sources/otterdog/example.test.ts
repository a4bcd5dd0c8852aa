import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { driveBundle } from '../../builders/workspaces/example-workspace.ts'
import { startGitHub } from '../../github/start-github.ts'

/* examples/otterdog, as its README describes it. */

const fileOf = (name: string): string =>
  readFileSync(new URL(`../../../examples/otterdog/${name}`, import.meta.url), 'utf8')

it('creates what the file says, and is in sync after it', async () => {
  const github = await startGitHub()
  const bundle = {
    entry: 'plumbline.yaml',
    files: {
      'plumbline.yaml': fileOf('plumbline.yaml').replace('http://127.0.0.1:11300', github.url),
      'otterdog/acme.json': fileOf('otterdog/acme.json'),
    },
  }
  const secrets = { 'env:GITHUB_TOKEN': github.token() }
  const one = driveBundle({ secrets, base: github.url }, bundle, 'acme-organisation')
  const { plan, digest } = await one.check()
  expect(plan.unchecked).toEqual([])
  expect(plan.changes.map(({ address }) => address)).toEqual([
    'module.acme.github_organization.this',
    'module.acme.github_organization_webhook.named["https://ci.acme.example/hook"]',
    'module.acme.github_team.core-team',
    'module.acme.github_team.docs',
    'module.acme.github_organization_ruleset.releases',
  ])
  expect((await one.apply(digest)).status).toBe('succeeded')
  const again = await one.check()
  expect({ inSync: again.plan.inSync, changes: again.plan.changes }).toEqual({ inSync: true, changes: [] })
  expect(github.violations).toEqual([])
  await github.close()
})
