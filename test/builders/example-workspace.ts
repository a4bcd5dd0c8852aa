import { readFileSync } from 'node:fs'
import type { Command } from '../../core/schema/command.ts'
import type { Json, JsonObject } from '../../core/schema/json.ts'
import { readLedger } from '../../core/state/ledger.ts'
import { checkWorkspace } from '../../core/workflows/check-workspace.ts'
import { requestApply } from '../../core/workflows/request-apply.ts'
import { runApply } from '../../core/workflows/run-apply.ts'
import { actor, testDeps, yaml } from './workspace.ts'

const example = (name: string): string =>
  readFileSync(new URL(`../../examples/${name}/${name}.provider.yaml`, import.meta.url), 'utf8')

export interface ExampleOptions {
  readonly example: 'waldur' | 'dataiku'
  readonly with: JsonObject
  /** By source: `env:KEY`. */
  readonly secrets: Readonly<Record<string, string>>
  /** Where the stand-in is, to be left out of what is compared. */
  readonly base: string
}

/** A resource of a workspace, as the configuration writes it. */
export type Wanted = JsonObject & { readonly type: string; readonly name: string }

/** The workflows with the document of an example, over a stand-in of its API. */
export const driveExample = (options: ExampleOptions, resources: readonly Wanted[]) => {
  const bundleOf = (wanted: readonly Wanted[]) =>
    yaml(
      JSON.stringify({
        workspace: 'w',
        providers: { api: { source: 'rest', definition: './api.provider.yaml', with: options.with } },
        resources: wanted.map((each) => ({ provider: 'api', ...each })),
      }),
      { 'api.provider.yaml': example(options.example) },
    )
  const given = testDeps({ bundle: bundleOf(resources) })
  Object.assign(given.secrets, options.secrets)
  const check = async () => {
    const { run, plan } = await checkWorkspace({ workspace: 'w', trigger: 'cli', actor }, given.deps)
    if (plan === undefined) throw new Error(JSON.stringify(run.error))
    return { run, plan, digest: run.digests?.commands ?? '', lines: linesOf(plan.commands, options.base) }
  }
  const request = (digest: string, mode: 'check' | 'execute' = 'execute') =>
    requestApply({ workspace: 'w', mode, digest, reason: 'test', actor }, given.deps)
  const runAgain = (apply: string, deadline?: Date) =>
    runApply({ workspace: 'w', apply, ...(deadline === undefined ? {} : { deadline }) }, given.deps)
  const apply = async (digest: string, mode: 'check' | 'execute' = 'execute') =>
    runAgain((await request(digest, mode)).id)
  const ledger = () => Array.fromAsync(readLedger(given.deps.store, 'w'))
  const want = (next: readonly Wanted[]): void => {
    given.current.bundle = bundleOf(next)
  }
  return { ...given, check, request, runAgain, apply, ledger, want }
}

/** `METHOD path` and the body of each request, the base left out of bodies too. */
export const linesOf = (commands: readonly Command[], base: string): readonly (readonly [string, Json?])[] =>
  commands.map(({ request: { method, url, body } }) =>
    body === undefined
      ? [`${method} ${url.replaceAll(base, '')}`]
      : [`${method} ${url.replaceAll(base, '')}`, JSON.parse(JSON.stringify(body).replaceAll(base, '')) as Json],
  )
