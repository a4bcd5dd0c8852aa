import type { ComponentChildren } from 'preact'
import type { Workspace } from '../../../core/index.ts'
import { useReader } from '../data/context.ts'
import type { PartProps } from '../data/part.ts'
import { workspaceLink } from '../data/place.ts'
import { useResource } from '../data/use-resource.ts'
import { late } from '../parts/late.tsx'
import { Empty, Shown } from '../parts/states.tsx'
import { Heading } from '../workspace/heading.tsx'
import { PlanOf } from '../workspace/plan/plan-of.tsx'

const Approve = late(async () => (await import('../approve/approve.tsx')).Approve)
const AppliedView = late(async () => (await import('../approve/applied.tsx')).AppliedView)
const History = late(async () => (await import('../workspace/history/history.tsx')).History)
const Alerts = late(async () => (await import('../workspace/alerts/alerts.tsx')).Alerts)
const Files = late(async () => (await import('../workspace/files/files.tsx')).Files)
const Ledger = late(async () => (await import('../ledger/ledger.tsx')).Ledger)

const tabs = [
  ['', 'Drift and plan'],
  ['history', 'History'],
  ['alerts', 'Alerts'],
  ['files', 'Files'],
  ['ledger', 'Ledger'],
] as const

const partOf = ([view = '', id]: readonly string[], props: PartProps): ComponentChildren => {
  const { workspace } = props
  const latest = workspace.lastRun?.id
  if (view === '') return <PlanOf {...props} runId={latest} />
  if (view === 'runs' && id !== undefined) return <PlanOf {...props} runId={id} />
  if (view === 'approve' && id !== undefined) return <Approve {...props} runId={id} />
  if (view === 'applies' && id !== undefined) return <AppliedView {...props} applyId={id} />
  if (view === 'history') return <History {...props} />
  if (view === 'alerts') return <Alerts {...props} />
  if (view === 'files') return <Files {...props} />
  if (view === 'ledger') return <Ledger {...props} seq={id} />
  return (
    <Empty>
      <p>A workspace has no view of this name.</p>
    </Empty>
  )
}

interface WorkspaceViewProps {
  readonly workspace: string
  readonly rest: readonly string[]
  readonly query: URLSearchParams
}

/** One workspace: its state, what can be done with it, and the part that the address names. */
export const WorkspaceView = ({ workspace, rest, query }: WorkspaceViewProps) => {
  const { api } = useReader()
  const read = useResource(
    workspace,
    (signal) => api.call<Workspace>(`/workspaces/${encodeURIComponent(workspace)}`, { signal }),
    { every: 5_000 },
  )
  const [view = ''] = rest
  return (
    <Shown of={read} what={workspace}>
      {(known) => (
        <>
          <Heading workspace={known} reload={read.reload} isRemoved={read.problem?.code === 'WORKSPACE_NOT_FOUND'} />
          <nav class="tabs" aria-label="Views of the workspace">
            {tabs.map(([name, title]) => (
              <a
                key={name}
                href={workspaceLink(workspace, ...(name === '' ? [] : [name]))}
                aria-current={name === view ? 'page' : undefined}
              >
                {title}
              </a>
            ))}
          </nav>
          {partOf(rest, { workspace: known, reload: read.reload, query })}
        </>
      )}
    </Shown>
  )
}
