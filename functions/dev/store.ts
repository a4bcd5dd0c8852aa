import { type Apply, type Deps, defined, openRecords, type Plan, putWorkspace, type Run } from '#core'
import { claimOf } from '../adapters/files/origin.ts'
import type { Host } from '../cli/process/host.ts'
import type { Source } from '../cli/workspace/find-source.ts'

/** What `plumbline dev` itself does with the store, beside the functions that it runs. */
export interface DevStore {
  /** Rejects with WORKSPACE_CLAIMED. */
  push(source: Source): Promise<void>
  /** The newest run. */
  latest(workspace: string): Promise<{ readonly run: Run; readonly plan?: Plan } | undefined>
  apply(workspace: string, id: string): Promise<Apply>
}

interface DevStoreOptions {
  readonly deps: Deps
  readonly host: Pick<Host, 'user' | 'variables'>
  /** Whether other machines use the same store. */
  readonly shared: boolean
  readonly moved: (workspace: string, from: string) => void
}

export const createDevStore = ({ deps, host, shared, moved }: DevStoreOptions): DevStore => ({
  push: async ({ id, read, folder }) => {
    const actor = { subject: `local:${host.user}`, via: 'cli' } as const
    const wish = { workspace: id, folder, variables: host.variables, shared, takeOver: false }
    const claim = await claimOf({ ...wish, moved: (from) => moved(id, from) })
    await putWorkspace({ bundle: read, actor, workspace: id, claim }, deps)
  },
  latest: async (workspace) => {
    const records = await openRecords(deps.store, workspace)
    const [run] = (await records.runs({ limit: 1 })).items
    if (run === undefined) return undefined
    const plan = await records.plan(run.id)
    return { run, ...defined({ plan }) }
  },
  apply: async (workspace, id) => (await openRecords(deps.store, workspace)).apply(id),
})
