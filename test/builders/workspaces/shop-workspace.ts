import type { Run } from '../../../core/engine/schema/stored/records.ts'
import { readLedger } from '../../../core/engine/state/ledger.ts'
import { defined } from '../../../core/engine/values/defined.ts'
import { requestApply } from '../../../core/engine/workflows/apply/request-apply.ts'
import { runApply } from '../../../core/engine/workflows/apply/run-apply.ts'
import { type Checked, checkWorkspace } from '../../../core/engine/workflows/check/check-workspace.ts'
import { type Shop, shopBundle, shopKey } from '../servers/fake-api.ts'
import { actor, testDeps } from './workspace.ts'

export const workspace = 'shop'

export const digestOf = ({ run }: { readonly run: Run }): string => run.digests?.commands ?? ''

/** The workflows over a shop, with everything of testDeps beside them. */
export const driveShop = (
  { url }: Pick<Shop, 'url'>,
  resources: readonly string[],
  changes: Parameters<typeof testDeps>[0] & Parameters<typeof shopBundle>[2] = {},
) => {
  const { more, timeoutMs, writeConcurrency, ...rest } = changes
  const options = defined({ more, timeoutMs, writeConcurrency })
  const given = testDeps({ bundle: shopBundle(url, resources, options), ...rest })
  given.secrets[shopKey.source] = shopKey.value
  const check = (): Promise<Checked> => checkWorkspace({ workspace, trigger: 'cli', actor }, given.deps)
  const request = (digest: string, mode: 'check' | 'execute' = 'execute') =>
    requestApply({ workspace, mode, digest, reason: 'stock-taking', actor }, given.deps)
  const runAgain = (apply: string) => runApply({ workspace, applyId: apply, patient: true }, given.deps)
  const apply = async (digest: string, mode: 'check' | 'execute' = 'execute') => {
    const { id } = await request(digest, mode)
    return runAgain(id)
  }
  const entries = () => Array.fromAsync(readLedger(given.deps.store, workspace))
  const configure = (next: readonly string[]) => {
    given.current.bundle = shopBundle(url, next, options)
  }
  return { ...given, check, request, apply, runAgain, entries, configure }
}
