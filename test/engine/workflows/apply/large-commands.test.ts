import { afterEach, beforeEach, expect, it } from 'vitest'
import { readLedger } from '../../../../core/engine/state/ledger.ts'
import { requestApply } from '../../../../core/engine/workflows/apply/request-apply.ts'
import { runApply } from '../../../../core/engine/workflows/apply/run-apply.ts'
import { checkWorkspace } from '../../../../core/engine/workflows/check/check-workspace.ts'
import { actor, temporaryFolder, testDeps, yaml } from '../../../builders/workspaces/workspace.ts'

/* Every command stands in the ledger whatever its size; a transaction of the store takes 4 MB. */

let folder = temporaryFolder()
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => folder.remove())

it('an apply logs twenty commands that are too large together for one transaction', async () => {
  const content = 'x'.repeat(250_000)
  const names = Array.from({ length: 20 }, (_, n) => `f${n}`)
  const bundle = yaml(
    [
      'workspace: large',
      `providers: { host: { source: host, with: { root: ${JSON.stringify(folder.path)} } } }`,
      'resources:',
      ...names.map((name) => `  - { type: host_file, name: ${name}, spec: { path: ${name}, content: ${content} } }`),
    ].join('\n'),
  )
  const { deps } = testDeps({ bundle })
  const { plan } = await checkWorkspace({ workspace: 'large', trigger: 'cli', actor }, deps)
  const digest = plan?.digests.commands ?? ''
  const { id } = await requestApply({ workspace: 'large', mode: 'check', digest, reason: 'size', actor }, deps)
  const apply = await runApply({ workspace: 'large', applyId: id }, deps)
  expect(apply).toMatchObject({ status: 'succeeded' })
  const logged: string[] = []
  for await (const { kind, command } of readLedger(deps.store, 'large')) {
    if (kind === 'logged') logged.push(String(command?.['address']))
  }
  expect(logged.toSorted()).toEqual(names.map((name) => `host_file.${name}`).toSorted())
})
