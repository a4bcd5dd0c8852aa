import { type Apply, type Deps, openRecords, type Plan, putWorkspace, type Run } from '#core'
import type { Source } from './find-source.ts'

/** What `plumbline dev` itself does with the store, beside the functions that it runs. */
export interface DevStore {
  push(source: Source): Promise<void>
  /** The newest run. */
  latest(workspace: string): Promise<{ readonly run: Run; readonly plan?: Plan } | undefined>
  apply(workspace: string, id: string): Promise<Apply>
}

export const createDevStore = (deps: Deps, user: string): DevStore => ({
  push: async ({ id, bundle, folder }) => {
    const actor = { subject: `local:${user}`, via: 'cli' } as const
    await putWorkspace({ bundle: { ...bundle, folder }, actor, workspace: id }, deps)
  },
  latest: async (workspace) => {
    const records = await openRecords(deps.store, workspace)
    const [run] = (await records.runs({ limit: 1 })).items
    if (run === undefined) return undefined
    const plan = await records.plan(run.id)
    return { run, ...(plan === undefined ? {} : { plan }) }
  },
  apply: async (workspace, id) => (await openRecords(deps.store, workspace)).apply(id),
})
