import { buildGraph } from '../../graph/resource-graph.ts'
import type { ResourceGraph } from '../../schema/stored/graph.ts'
import { loadRecorded } from '../../state/runs/recorded.ts'
import { getPlan, getRun, listRuns } from '../../state/runs/runs.ts'
import { requireWorkspace } from '../../state/workspaces/workspaces.ts'
import { defined } from '../../values/defined.ts'
import type { Deps } from '../deps.ts'
import { loadWorkspaceLater } from '../session/load/load-later.ts'

interface GraphRequest {
  readonly workspace: string
  /** The run whose actions are shown; the latest one with a plan if absent. */
  readonly run?: string | undefined
}

/**
 * The graph of the current configuration and records, with the actions of a run, if there is one. Reads nothing from
 * the targets. Throws WORKSPACE_NOT_FOUND, CONFIG_INVALID, RUN_NOT_FOUND.
 */
export const describeGraph = async (
  { workspace, run }: GraphRequest,
  deps: Pick<Deps, 'store' | 'config' | 'providers' | 'sources' | 'secretRules'>,
): Promise<ResourceGraph> => {
  const { store } = deps
  await requireWorkspace(store, workspace)
  const { resources: recorded } = await loadRecorded(store, workspace)
  const read = await loadWorkspaceLater(await deps.config.load(workspace), deps)
  const { expandRules } = await import('../session/rules/expand-rules.ts')
  const { configuration } = (await expandRules({ loaded: read, recorded })).loaded
  const runId = run ?? (await latest(store, workspace))
  if (runId !== undefined) await getRun(store, workspace, runId)
  const plan = runId === undefined ? undefined : await getPlan(store, workspace, runId)
  return buildGraph({ workspace, desired: configuration.resources, recorded, ...defined({ plan, runId }) })
}

const runsLookedAt = 20

const latest = async (store: Deps['store'], workspace: string): Promise<string | undefined> => {
  const { items } = await listRuns(store, workspace, { limit: runsLookedAt })
  return items.find(({ digests }) => digests !== undefined)?.id
}
