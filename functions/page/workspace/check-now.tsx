import { useEffect, useState } from 'preact/hooks'
import { isPending } from '../../../core/engine/values/pending.ts'
import type { Run, Workspace } from '../../../core/index.ts'
import type { ApiPage } from '../data/api.ts'
import { useReader } from '../data/context.ts'
import { findingWords, stateOfRun, stateWords } from '../data/health.ts'
import { workspaceLink } from '../data/place.ts'
import { useResource } from '../data/use-resource.ts'
import { ProblemNote } from '../parts/states.tsx'
import { Time } from '../parts/time.tsx'
import { type StartedAction, useAction } from '../parts/use-action.ts'

interface CheckRequested {
  /** `scheduledFor` of the run. */
  readonly requestedAt: string
  readonly queued: boolean
}

interface CheckWatch {
  readonly action: Pick<StartedAction<CheckRequested>, 'problem'>
  /** Since when a check is queued or runs, whoever asked for it. */
  readonly since: string | undefined
  /** What the reader asked for was pending before. */
  readonly wasPending: boolean
  readonly ended: Run | undefined
  readonly isBusy: boolean
  readonly checkNow: () => Promise<void>
}

interface WatchedCheck extends CheckRequested {
  readonly since: string
  /** The workspace has named it: once it names it no more, it has ended, or is lost. */
  readonly isNamed: boolean
}

const pauseMs = 1_000
/** Of a check that the workspace names no more, and whose run is not there: it is lost, or its run comes late. */
const lostPauseMs = 30_000

/** A check that somebody has started, here or elsewhere, until its run is there. */
export const useCheck = (workspace: Workspace, reload: () => void): CheckWatch => {
  const { api } = useReader()
  const { id, pendingCheck } = workspace
  const path = `/workspaces/${encodeURIComponent(id)}`
  const action = useAction<CheckRequested>()
  const [watched, setWatched] = useState<WatchedCheck>()
  const [ended, setEnded] = useState<Run>()
  const pending = isPending(workspace, new Date()) ? pendingCheck : undefined
  useEffect(() => {
    if (pending === undefined) return
    const isOurs = pending.scheduledFor === watched?.requestedAt
    const known = isOurs ? watched : { requestedAt: pending.scheduledFor, since: pending.at, queued: true }
    setWatched({ ...known, isNamed: true })
  }, [pending?.scheduledFor])
  const isOver = ended !== undefined && ended.scheduledFor === watched?.requestedAt
  const isNamed = pending !== undefined || watched?.isNamed !== true
  useResource(
    watched === undefined || isOver ? undefined : `check ${id} ${watched.requestedAt}`,
    async (signal) => {
      const query = { scheduledFor: watched?.requestedAt }
      const answered = await api.call<ApiPage<Run>>(`${path}/runs`, { signal, query })
      const [run] = answered.ok ? answered.value.items : []
      if (run !== undefined) {
        setEnded(run)
        reload()
      }
      return answered
    },
    { every: isNamed ? pauseMs : lostPauseMs },
  )
  const checkNow = async () => {
    const asked = await action.run(() => api.call<CheckRequested>(`${path}/check`, { method: 'POST' }))
    if (asked !== undefined) setWatched({ ...asked, since: asked.requestedAt, isNamed: false })
    reload()
  }
  return {
    action,
    since: watched?.since,
    wasPending: watched?.queued === false,
    ended: isOver ? ended : undefined,
    isBusy: action.isRunning || (watched !== undefined && !isOver && isNamed),
    checkNow,
  }
}

export const CheckButton = ({ isBusy, since, checkNow }: CheckWatch) => (
  <button type="button" disabled={isBusy} onClick={() => void checkNow()}>
    {!isBusy && 'Check now'}
    {isBusy && since === undefined && 'Checking …'}
    {isBusy && since !== undefined && (
      <>
        Checking since <Time at={since} form="clock" />
      </>
    )}
  </button>
)

/** What became of it, or whose check it is that a reader waits for. */
export const CheckNote = ({ id, check }: { readonly id: string; readonly check: CheckWatch }) => {
  const { action, ended, since, wasPending } = check
  return (
    <>
      {action.problem && <ProblemNote problem={action.problem} />}
      <div role="status">
        {wasPending && since !== undefined && ended === undefined && (
          <p class="note">
            A check was pending already, since <Time at={since} form="clock" />: no other one is queued until it ends.
          </p>
        )}
        {ended !== undefined && (
          <p class={`note ${ended.status === 'failed' ? 'bad' : ended.status === 'in_sync' ? 'good' : 'warn'}`}>
            The check of <Time at={ended.startedAt} form="clock" /> has ended: {resultWords(ended)}.{' '}
            <a href={workspaceLink(id, 'runs', ended.id)}>What it found</a>
          </p>
        )}
      </div>
    </>
  )
}

const resultWords = (run: Run): string =>
  [stateWords[stateOfRun(run)], run.error?.message ?? findingWords({ lastRun: run })]
    .filter((words) => words)
    .join(', ')
