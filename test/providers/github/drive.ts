import type { JsonObject } from '../../../core/engine/schema/json.ts'
import { driveBundle, type Wanted } from '../../builders/workspaces/example-workspace.ts'
import { yaml } from '../../builders/workspaces/workspace.ts'
import { type Clock, standingClock } from '../../github/server/clock.ts'
import { type GitHubOptions, startGitHub } from '../../github/start-github.ts'

export type { Wanted }

/** The time at which the workflows of a test run: a token of an app is valid from now on. */
export const testTime = (): Clock => standingClock(Date.parse('2026-11-21T06:00:00Z'))

const permissions = [
  'administration',
  'issue_types',
  'members',
  'organization_actions_variables',
  'organization_administration',
  'organization_codespaces_secrets',
  'organization_custom_org_roles',
  'organization_dependabot_secrets',
  'organization_hooks',
  'organization_secrets',
  'repository_hooks',
]

/** What an app needs for all types. */
export const everyPermission: Readonly<Record<string, 'write' | 'admin'>> = {
  ...Object.fromEntries(permissions.map((name) => [name, 'write' as const])),
  organization_custom_properties: 'admin',
}

interface DriveOptions extends GitHubOptions {
  /** Further members of the workspace. */
  readonly more?: JsonObject
  /** Settings of the provider instead of the token. */
  readonly signIn?: (github: Awaited<ReturnType<typeof startGitHub>>) => {
    readonly with: JsonObject
    readonly secrets: Readonly<Record<string, string>>
  }
  /** A stand-in that runs already, for a second workspace over it; it is not closed. */
  readonly github?: Awaited<ReturnType<typeof startGitHub>>
}

/** The workflows with `source: github` over a stand-in of GitHub. */
export const driveGitHub = async (resources: readonly Wanted[] = [], options: DriveOptions = {}) => {
  const { github: running } = options
  const github = running ?? (await startGitHub({ clock: testTime(), ...options }))
  const { organization = 'acme', more = {}, signIn } = options
  const way = signIn?.(github) ?? {
    with: { token: { secret: 'env:TOKEN' } },
    secrets: { 'env:TOKEN': github.token(), 'env:VALUE': 'a value' },
  }
  const bundleOf = (wanted: readonly Wanted[], settings: JsonObject = {}) =>
    yaml(
      JSON.stringify({
        workspace: 'w',
        providers: {
          github: { source: 'github', with: { organization, baseUrl: github.url, ...way.with } },
        },
        resources: wanted,
        ...more,
        ...settings,
      }),
    )
  const drive = driveBundle({ secrets: way.secrets, base: github.url }, bundleOf(resources), 'w')
  const want = (next: readonly Wanted[], settings: JsonObject = {}): void => {
    drive.current.bundle = bundleOf(next, settings)
  }
  /** Applies what a check finds, and fails if that did not work. */
  const settle = async () => {
    const checked = await drive.check()
    const { unchecked, changes } = checked.plan
    if (unchecked.length > 0) throw new Error(JSON.stringify(unchecked))
    const blocked = changes.filter((change) => change.blocked !== undefined)
    if (blocked.length > 0) throw new Error(JSON.stringify(blocked))
    const applied = await drive.apply(checked.digest)
    if (applied.status !== 'succeeded') throw new Error(JSON.stringify(applied))
    return checked
  }
  return {
    ...drive,
    github,
    want,
    settle,
    [Symbol.asyncDispose]: async () => (running === undefined ? github.close() : undefined),
  }
}
