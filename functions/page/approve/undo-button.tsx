import type { Apply, Run } from '../../../core/index.ts'
import { useReader } from '../data/context.ts'
import { workspaceLink } from '../data/place.ts'
import { ProblemNote } from '../parts/states.tsx'
import { useAction } from '../parts/use-action.ts'

/** Plans the way back from an apply. The plan is read and approved as any other. */
export const UndoButton = ({ workspace, apply }: { readonly workspace: string; readonly apply: Apply }) => {
  const { api, may } = useReader()
  const action = useAction<Partial<Run>>()
  const isDone =
    apply.mode === 'execute' &&
    apply.undoes === undefined &&
    (apply.results?.applied ?? 0) > 0 &&
    apply.finishedAt !== undefined
  if (!isDone || !may('check', workspace)) return null
  const path = `/workspaces/${encodeURIComponent(workspace)}/applies/${encodeURIComponent(apply.id)}/undo`
  const plan = async () => {
    const run = await action.run(() => api.call<Partial<Run>>(path, { method: 'POST', query: { wait: '25s' } }))
    if (run?.id !== undefined) location.hash = workspaceLink(workspace, 'runs', run.id)
  }
  return (
    <div>
      {action.problem && <ProblemNote problem={action.problem} />}
      <button type="button" disabled={action.isRunning} onClick={() => void plan()}>
        {action.isRunning ? 'Planning …' : 'Plan the undo'}
      </button>
    </div>
  )
}
