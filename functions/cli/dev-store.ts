import { type Apply, type Deps, getApply, getPlan, listRuns, type Plan, putWorkspace, type Run } from '#core'
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
    const [run] = (await listRuns(deps.store, workspace, { limit: 1 })).items
    if (run === undefined) return undefined
    const plan = await getPlan(deps.store, workspace, run.id)
    return { run, ...(plan === undefined ? {} : { plan }) }
  },
  apply: (workspace, id) => getApply(deps.store, workspace, id),
})
