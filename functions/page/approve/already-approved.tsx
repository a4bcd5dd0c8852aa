import type { Apply, Run } from '../../../core/index.ts'
import type { ApiPage } from '../data/api.ts'
import { useReader } from '../data/context.ts'
import { workspaceLink } from '../data/place.ts'
import { useResource } from '../data/use-resource.ts'
import { Time } from '../parts/time.tsx'

interface AlreadyApprovedProps {
  readonly workspace: string
  readonly run: Run
}

/** A reader who left the page while an approval was sent, or who comes later than somebody else, is told that it arrived. */
export const AlreadyApproved = ({ workspace, run }: AlreadyApprovedProps) => {
  const { api } = useReader()
  const path = `/workspaces/${encodeURIComponent(workspace)}/applies`
  const read = useResource(`${path} of ${run.id}`, (signal) =>
    api.call<ApiPage<Apply>>(path, { signal, query: { limit: '100' } }),
  )
  const applies = read.value?.items.filter(({ mode, runId }) => mode === 'execute' && runId === run.id) ?? []
  return applies.length === 0 ? null : (
    <p class="note warn" role="status">
      Commands of this check were approved before:
      {applies.map(({ id, actor, status, requestedAt }) => (
        <span key={id}>
          {' '}
          <a href={workspaceLink(workspace, 'applies', id)}>
            <Time at={requestedAt} />
          </a>{' '}
          by {actor.subject} ({status})
        </span>
      ))}
    </p>
  )
}
