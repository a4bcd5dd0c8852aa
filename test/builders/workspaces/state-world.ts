import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Transport } from '../../../core/engine/transport/transport.ts'
import { requestApply } from '../../../core/engine/workflows/apply/request-apply.ts'
import { runApply } from '../../../core/engine/workflows/apply/run-apply.ts'
import { checkWorkspace } from '../../../core/engine/workflows/check/check-workspace.ts'
import { putWorkspace } from '../../../core/engine/workflows/workspace/put-workspace.ts'
import { actor, temporaryFolder, testDeps, yaml } from './workspace.ts'

export const approver = { subject: 'grace', via: 'api', issuer: 'https://login.acme.example' } as const

/** A stored workspace `acme` of files, each with the content `right`; none of them exists yet. */
export const stateWorld = async (
  names: readonly string[],
  given: { readonly wire?: (inner: Transport) => Transport } = {},
) => {
  const folder = temporaryFolder()
  const workspace = 'acme'
  const bundleOf = (files: readonly string[]) =>
    yaml(
      [
        `workspace: ${workspace}`,
        `providers: { files: { source: host, with: { root: ${JSON.stringify(folder.path)} } } }`,
        `resources:${files.length === 0 ? ' []' : ''}`,
        ...files.map((name) => `  - { type: host_file, name: ${name}, spec: { path: ${name}, content: right } }`),
      ].join('\n'),
    )
  const world = testDeps({ bundle: bundleOf(names), ...given })
  const { deps, current } = world
  await putWorkspace({ bundle: current.bundle, actor }, deps)
  const check = () => checkWorkspace({ workspace, trigger: 'cli', actor }, deps)
  return {
    ...world,
    folder,
    workspace,
    check,
    configure: async (files: readonly string[]) => {
      current.bundle = bundleOf(files)
      await putWorkspace({ bundle: current.bundle, actor }, deps)
    },
    write: (name: string, content: string) => writeFileSync(join(folder.path, name), content),
    /** Requests what the next check finds, without executing it. */
    request: async () => {
      const { run } = await check()
      const digest = run.digests?.commands ?? ''
      return requestApply({ workspace, mode: 'execute', digest, reason: 'repair', actor: approver }, deps)
    },
    execute: (applyId: string) => runApply({ workspace, applyId }, deps),
  }
}

export type StateWorld = Awaited<ReturnType<typeof stateWorld>>
