import { useMemo } from 'preact/hooks'
import type { Apply, Run } from '../../../../core/index.ts'
import { names, thousands, visible } from '../../../../core/pages/render/draw.ts'
import { changesIn, stateOfRun } from '../../data/health.ts'
import { workspaceLink } from '../../data/place.ts'
import { Name } from '../../parts/name.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { Time } from '../../parts/time.tsx'
import { TableRow } from '../../parts/window/table-row.tsx'
import { useWindow } from '../../parts/window/use-window.ts'
import { alikeRuns } from './alike.ts'

/** Height of a row, as long as none is drawn. */
const rowPx = 34

export const RunsTable = ({ workspace, runs }: { readonly workspace: string; readonly runs: readonly Run[] }) => {
  const stretches = useMemo(() => alikeRuns(runs), [runs])
  const { list, rows, count } = useWindow(stretches, ({ latest }) => latest.id, rowPx)
  return (
    <section aria-labelledby="checks">
      <h2 id="checks">
        Checks <small class="dim">{runs.length}</small>
      </h2>
      <table class="cards" aria-rowcount={count + 1}>
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Result</th>
            <th scope="col" class="number">
              To change
            </th>
            <th scope="col" class="number">
              Drifted
            </th>
            <th scope="col" class="number">
              Unchecked
            </th>
            <th scope="col">Started by</th>
          </tr>
        </thead>
        <tbody class="window" ref={list}>
          {rows.map((row) => {
            const {
              latest: { id, finishedAt, status, counts, differing },
              first,
              n,
              starters,
            } = row.item
            return (
              <TableRow key={row.key} row={row} columns={6}>
                <td>
                  <a href={workspaceLink(workspace, 'runs', id)}>
                    <Time at={finishedAt} form="second" />
                  </a>
                  {n > 1 && (
                    <span class="dim">
                      {' '}
                      and {n - 1} alike
                      {isSameMinute(first.finishedAt, finishedAt) || (
                        <>
                          {' '}
                          since <Time at={first.finishedAt} form="second" />
                        </>
                      )}
                    </span>
                  )}
                </td>
                <td>
                  <StateBadge state={stateOfRun({ status, counts })} />{' '}
                  {differing !== undefined && <Differing of={differing} />}
                </td>
                <td class="number" data-label="to change">
                  {counts && changesIn(counts)}
                </td>
                <td class="number" data-label="drifted">
                  {counts?.drifted}
                </td>
                <td class="number" data-label="unchecked">
                  {counts?.unchecked}
                </td>
                <td class="dim">
                  <Name of={names(starters.map(visible), 3)} />
                </td>
              </TableRow>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}

const Differing = ({ of: { first, count } }: { readonly of: NonNullable<Run['differing']> }) => (
  <span class="dim">
    {first.map((address, n) => (
      <>
        {n > 0 && ', '}
        <code>
          <Name of={visible(address)} />
        </code>
      </>
    ))}
    {count > first.length && ` and ${thousands(count - first.length)} more`}
  </span>
)

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
  const { list, rows, count } = useWindow(applies, ({ id }) => id, rowPx)
  if (applies.length === 0) return null
  return (
    <section aria-labelledby="applies">
      <h2 id="applies">
        Applies <small class="dim">{applies.length}</small>
      </h2>
      <table class="cards applies" aria-rowcount={count + 1}>
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Mode</th>
            <th scope="col">Result</th>
            <th scope="col">Who and why</th>
          </tr>
        </thead>
        <tbody class="window" ref={list}>
          {rows.map((row) => {
            const { id, requestedAt, mode, status, actor, reason, undoes } = row.item
            return (
              <TableRow key={row.key} row={row} columns={4}>
                <td>
                  <a href={workspaceLink(workspace, 'applies', id)}>
                    <Time at={requestedAt} form="second" />
                  </a>
                </td>
                <td>
                  {mode === 'check' ? 'check only' : 'execute'}
                  {undoes !== undefined && ', undo'}
                </td>
                <td>{statusWords[status]}</td>
                <td>
                  <b>
                    <Name of={actor.subject} />
                  </b>{' '}
                  {reason}
                </td>
              </TableRow>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}
