import { useMemo } from 'preact/hooks'
import type { Apply, Run } from '../../../../core/index.ts'
import { changesIn, stateOfRun } from '../../data/health.ts'
import { workspaceLink } from '../../data/place.ts'
import { StateBadge } from '../../parts/state-badge.tsx'
import { Time } from '../../parts/time.tsx'
import { useGradual } from '../../parts/use-gradual.ts'
import { alikeRuns } from './alike.ts'

export const RunsTable = ({ workspace, runs }: { readonly workspace: string; readonly runs: readonly Run[] }) => {
  const stretches = useMemo(() => alikeRuns(runs), [runs])
  const shown = useGradual(stretches, workspace)
  return (
    <section aria-labelledby="checks">
      <h2 id="checks">
        Checks <small class="dim">{runs.length}</small>
      </h2>
      <table class="cards">
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Result</th>
            <th scope="col" class="number">
              To change
            </th>
            <th scope="col" class="number">
              Unchecked
            </th>
            <th scope="col">Started by</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ latest: { id, finishedAt, status, counts, trigger, actor }, first, n }) => (
            <tr key={id}>
              <td>
                <a href={workspaceLink(workspace, 'runs', id)}>
                  <Time at={finishedAt} form="day" />
                </a>
                {n > 1 && (
                  <span class="dim">
                    {' '}
                    and {n - 1} alike
                    {isSameMinute(first.finishedAt, finishedAt) || (
                      <>
                        {' '}
                        since <Time at={first.finishedAt} form="day" />
                      </>
                    )}
                  </span>
                )}
              </td>
              <td>
                <StateBadge state={stateOfRun({ status, counts })} />
              </td>
              <td class="number" data-label="to change">
                {counts && changesIn(counts)}
              </td>
              <td class="number" data-label="unchecked">
                {counts?.unchecked}
              </td>
              <td class="dim">{trigger === 'schedule' ? 'the schedule' : actor.subject}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const isSameMinute = (one: string, other: string): boolean => one.slice(0, 16) === other.slice(0, 16)

const statusWords: Readonly<Record<Apply['status'], string>> = {
  queued: 'queued',
  running: 'running',
  succeeded: 'succeeded',
  not_converged: 'not converged',
  failed: 'failed',
  refused: 'refused',
}

export const AppliesTable = ({
  workspace,
  applies,
}: {
  readonly workspace: string
  readonly applies: readonly Apply[]
}) => {
  const shown = useGradual(applies, workspace)
  if (applies.length === 0) return null
  return (
    <section aria-labelledby="applies">
      <h2 id="applies">
        Applies <small class="dim">{applies.length}</small>
      </h2>
      <table class="cards applies">
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Mode</th>
            <th scope="col">Result</th>
            <th scope="col">Who and why</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ id, requestedAt, mode, status, actor, reason, undoes }) => (
            <tr key={id}>
              <td>
                <a href={workspaceLink(workspace, 'applies', id)}>
                  <Time at={requestedAt} form="day" />
                </a>
              </td>
              <td>
                {mode === 'check' ? 'check only' : 'execute'}
                {undoes !== undefined && ', undo'}
              </td>
              <td>{statusWords[status]}</td>
              <td>
                <b>{actor.subject}</b> {reason}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
