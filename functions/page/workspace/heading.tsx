import { useState } from 'preact/hooks'
import type { Workspace } from '../../../core/index.ts'
import { useReader } from '../data/context.ts'
import { stateOf } from '../data/health.ts'
import { useNow } from '../data/use-now.ts'
import { ReasonDialog } from '../parts/reason-dialog.tsx'
import { StateBadge } from '../parts/state-badge.tsx'
import { Strip } from '../parts/strip.tsx'
import { Time } from '../parts/time.tsx'
import { CheckButton, CheckNote, useCheck } from './check-now.tsx'

interface HeadingProps {
  readonly workspace: Workspace
  readonly reload: () => void
  /** It was removed since it was read: nothing can be done about it any more. */
  readonly isRemoved: boolean
}

const NextCheck = ({
  workspace: { paused, pendingCheck, quarantined, nextCheckAt, lastRun },
}: Pick<HeadingProps, 'workspace'>) => (
  <p class="dim facts">
    {lastRun !== undefined && (
      <span>
        checked <Time at={lastRun.finishedAt} />
      </span>
    )}
    {pendingCheck !== undefined && (
      <span>
        a check is pending since <Time at={pendingCheck.at} />
      </span>
    )}
    {paused === undefined && nextCheckAt !== undefined && pendingCheck === undefined && (
      <span>
        next check <Time at={nextCheckAt} />
      </span>
    )}
    {paused === undefined && nextCheckAt === undefined && <span>no schedule</span>}
    {paused !== undefined && (
      <span>
        paused <Time at={paused.at} /> by {paused.by.subject}: {paused.reason}
      </span>
    )}
    {quarantined !== undefined && (
      <span>
        no check since <Time at={quarantined.since} />: {quarantined.error.message}
      </span>
    )}
  </p>
)

/** The name, the state, the next check, and what the reader may do about it. */
export const Heading = ({ workspace, reload, isRemoved }: HeadingProps) => {
  const { api, may } = useReader()
  const now = useNow()
  const check = useCheck(workspace, reload)
  const [isAsking, setIsAsking] = useState(false)
  const { id, paused, days } = workspace
  const path = `/workspaces/${encodeURIComponent(id)}`
  const verb = paused === undefined ? 'pause' : 'resume'
  return (
    <header class="heading">
      <div class="bar">
        <h1>{id}</h1>
        <StateBadge state={stateOf(workspace, now)} />
        <span class="grow" />
        {may('check', id) && !isRemoved && <CheckButton {...check} />}
        {may('apply', id) && !isRemoved && (
          <button type="button" onClick={() => setIsAsking(true)}>
            {paused === undefined ? 'Pause' : 'Resume'}
          </button>
        )}
      </div>
      <div class="bar">
        {!isRemoved && <NextCheck workspace={workspace} />}
        <Strip days={days} now={now} />
      </div>
      <CheckNote id={id} check={check} />
      {isAsking && (
        <ReasonDialog
          title={paused === undefined ? `Pause the checks of ${id}` : `Resume the checks of ${id}`}
          verb={paused === undefined ? 'Pause' : 'Resume'}
          draft={`${verb}:${id}`}
          send={(reason) => api.call(`${path}/${verb}`, { method: 'POST', body: { reason } })}
          close={(isDone) => {
            setIsAsking(false)
            if (isDone) reload()
          }}
        />
      )}
    </header>
  )
}
