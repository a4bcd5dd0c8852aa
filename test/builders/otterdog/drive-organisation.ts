import type { JsonObject } from '../../../core/engine/schema/json.ts'
import { defined } from '../../../core/engine/values/defined.ts'
import { pick } from '../../../core/engine/values/members.ts'
import { startGitHub } from '../../github/start-github.ts'
import type { World } from '../../github/state/shapes.ts'
import { everyPermission, testTime } from '../../providers/github/drive.ts'
import { driveBundle } from '../workspaces/example-workspace.ts'
import { textOf } from './organisation.ts'

/** That the files name. */
const secrets = { 'env:TOKEN': 'aaaa', 'env:HOOK': 'bbbb', 'env:DEPLOY': 'cccc' }

/** Settings that no request changes are as the file says: somebody has set them on the pages of GitHub. */
const setByHand = ({ organizations }: World, { settings }: JsonObject): void => {
  const { plan, two_factor_requirement, default_branch_name, ...others } = settings as JsonObject
  const names = Object.keys(others).filter((name) => /^(members_can_(change|delete|create_teams)|readers_)/.test(name))
  const live = organizations.get('acme')?.settings ?? {}
  Object.assign(live, pick(others, names), {
    ...defined({
      two_factor_requirement_enabled: two_factor_requirement,
      default_repository_branch: default_branch_name,
    }),
    ...(plan !== undefined && { plan: { ...(live['plan'] as JsonObject), name: plan } }),
  })
}

const permissions = {
  ...everyPermission,
  ...Object.fromEntries(
    [
      'actions',
      'actions_variables',
      'administration',
      'contents',
      'environments',
      'pages',
      'repository_custom_properties',
      'secrets',
      'security_events',
      'vulnerability_alerts',
      'workflows',
    ].map((name) => [name, 'write']),
  ),
}

/** The workflows with an organisation file over a stand-in of GitHub. */
export const driveOrganisation = async (organisation: JsonObject) => {
  const github = await startGitHub({ members: ['ada', 'bob'], clock: testTime() })
  // A person who creates a team is in it; an app is no person.
  const { id: app, installation, privateKey } = github.app({ permissions })
  // GitHub itself has this one, and a check without an app means it.
  github.app({ slug: 'github-actions' })
  setByHand(github.world, organisation)
  const bundleOf = (written: JsonObject) => ({
    entry: 'plumbline.json',
    files: {
      'plumbline.json': JSON.stringify({
        workspace: 'w',
        providers: {
          hub: {
            source: 'github',
            with: {
              organization: 'acme',
              app,
              installation,
              privateKey: { secret: 'env:GITHUB' },
              baseUrl: github.url,
            },
          },
        },
        modules: [{ name: 'acme', source: 'otterdog', with: { file: './otterdog/acme.json', provider: 'hub' } }],
      }),
      'otterdog/acme.json': textOf(written),
    },
  })
  const driven = driveBundle(
    { secrets: { ...secrets, 'env:GITHUB': privateKey }, base: github.url },
    bundleOf(organisation),
    'w',
  )
  const want = (next: JsonObject): void => {
    driven.current.bundle = bundleOf(next)
  }
  return { ...driven, github, want, [Symbol.asyncDispose]: () => github.close() }
}
