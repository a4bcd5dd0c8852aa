import type { JsonObject } from '../../../core/schema/json.ts'
import { driveBundle, type Wanted } from '../../builders/workspaces/example-workspace.ts'
import { yaml } from '../../builders/workspaces/workspace.ts'
import { type GitHubOptions, startGitHub } from '../../github/start-github.ts'

export type { Wanted }

interface DriveOptions extends GitHubOptions {
  /** Further members of the workspace. */
  readonly more?: JsonObject
  /** A stand-in that runs already, for a second workspace over it; it is not closed. */
  readonly github?: Awaited<ReturnType<typeof startGitHub>>
}

/** The workflows with `source: github` over a stand-in of GitHub. */
export const driveGitHub = async (resources: readonly Wanted[] = [], options: DriveOptions = {}) => {
  const { github: running } = options
  const github = running ?? (await startGitHub(options))
  const { organization = 'acme', more = {} } = options
  const bundleOf = (wanted: readonly Wanted[]) =>
    yaml(
      JSON.stringify({
        workspace: 'w',
        providers: {
          github: { source: 'github', with: { organization, token: { secret: 'env:TOKEN' }, baseUrl: github.url } },
        },
        resources: wanted,
        ...more,
      }),
    )
  const secrets = { 'env:TOKEN': github.token() }
  const drive = driveBundle({ secrets, base: github.url }, bundleOf(resources), 'w')
  const want = (next: readonly Wanted[]): void => {
    drive.current.bundle = bundleOf(next)
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
