import { readFileSync } from 'node:fs'
import type { Command } from '../../../core/engine/schema/command.ts'
import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'
import type { Bundle } from '../../../core/engine/schema/stored/bundle.ts'
import { readLedger } from '../../../core/engine/state/ledger.ts'
import { urlWords } from '../../../core/engine/values/url.ts'
import { requestApply } from '../../../core/engine/workflows/apply/request-apply.ts'
import { runApply } from '../../../core/engine/workflows/apply/run-apply.ts'
import { checkWorkspace } from '../../../core/engine/workflows/check/check-workspace.ts'
import type { Deps } from '../../../core/engine/workflows/deps.ts'
import { actor, testDeps, yaml } from './workspace.ts'

const shipped = (example: string, file: string): string =>
  readFileSync(new URL(`../../../examples/${example}/${file}`, import.meta.url), 'utf8')

export interface ExampleOptions {
  /** What the workflows get in the place of what tests have. */
  readonly changes?: Partial<Deps>
  readonly example: 'waldur' | 'dataiku'
  readonly with: JsonObject
  /** By source: `env:KEY`. */
  readonly secrets: Readonly<Record<string, string>>
  /** Where the stand-in is, to be left out of what is compared. */
  readonly base: string
}

/** A resource of a workspace, as the configuration writes it. */
export type Wanted = JsonObject & { readonly type: string; readonly name: string }

/** The workspace of an example as it is, but for the address. */
export const shippedBundle = (example: ExampleOptions['example'], url: string): Bundle =>
  yaml(shipped(example, 'plumbline.yaml').replace(/http:\/\/127\.0\.0\.1:\d+/, url), {
    [`${example}.provider.yaml`]: shipped(example, `${example}.provider.yaml`),
  })

/** The workflows with the document of an example, over a stand-in of its API. */
export const driveExample = (options: ExampleOptions, resources: readonly Wanted[]) => {
  const bundleOf = (wanted: readonly Wanted[]) =>
    yaml(
      JSON.stringify({
        workspace: 'w',
        providers: { api: { source: 'rest', definition: './api.provider.yaml', with: options.with } },
        resources: wanted.map((each) => ({ provider: 'api', ...each })),
      }),
      { 'api.provider.yaml': shipped(options.example, `${options.example}.provider.yaml`) },
    )
  const drive = driveBundle(options, bundleOf(resources), 'w')
  const want = (next: readonly Wanted[]): void => {
    drive.current.bundle = bundleOf(next)
  }
  return { ...drive, want }
}

/** The workflows over any bundle of one workspace. */
export const driveBundle = (
  { secrets, base, changes = {} }: Pick<ExampleOptions, 'secrets' | 'base' | 'changes'>,
  bundle: Bundle,
  workspace: string,
) => {
  const given = testDeps({ bundle, ...changes })
  Object.assign(given.secrets, secrets)
  const check = async () => {
    const { run, plan } = await checkWorkspace({ workspace, trigger: 'cli', actor }, given.deps)
    if (plan === undefined) throw new Error(JSON.stringify(run.error))
    return { run, plan, digest: run.digests?.commands ?? '', lines: linesOf(plan.commands, base) }
  }
  const request = (digest: string, mode: 'check' | 'execute' = 'execute') =>
    requestApply({ workspace, mode, digest, reason: 'test', actor }, given.deps)
  const runAgain = (apply: string, deps = given.deps) => runApply({ workspace, applyId: apply }, deps)
  const apply = async (digest: string, mode: 'check' | 'execute' = 'execute') =>
    runAgain((await request(digest, mode)).id)
  const ledger = () => Array.fromAsync(readLedger(given.deps.store, workspace))
  return { ...given, check, request, runAgain, apply, ledger }
}

/** `METHOD path` and the body of each request, the base left out of bodies too. */
const linesOf = (commands: readonly Command[], base: string): readonly (readonly [string, Json?])[] =>
  commands.map(({ request: { method, url, body } }) =>
    body === undefined
      ? [`${method} ${urlWords(url).replaceAll(base, '')}`]
      : [
          `${method} ${urlWords(url).replaceAll(base, '')}`,
          JSON.parse(JSON.stringify(body).replaceAll(base, '')) as Json,
        ],
  )
