import type { Apply, Run } from '../../../../core/index.ts'
import { useReader } from '../../data/context.ts'
import type { PartProps } from '../../data/part.ts'
import { useResource } from '../../data/use-resource.ts'
import { Empty, Shown } from '../../parts/states.tsx'
import { Plot } from './plot.tsx'
import { AppliesTable, RunsTable } from './tables.tsx'

/** A workspace that is checked each hour has 720 checks in 30 days. */
const mostRuns = 800
const mostApplies = 200
const shownMs = 30 * 86_400_000

/** How drift came and went in 30 days, and what was done about it. */
export const History = ({ workspace: { id, lastRun } }: PartProps) => {
  const { api } = useReader()
  const path = `/workspaces/${encodeURIComponent(id)}`
  const history = useResource(`history ${id} ${lastRun?.id}`, async (signal) => {
    const [runs, applies] = await Promise.all([
      api.all<Run>(`${path}/runs`, { signal, most: mostRuns }),
      api.all<Apply>(`${path}/applies`, { signal, most: mostApplies }),
    ])
    if (!runs.ok) return runs
    return applies.ok ? { ok: true, status: 200, value: { runs: runs.value, applies: applies.value } } : applies
  })
  return (
    <Shown of={history} what="the checks of 30 days">
      {({ runs, applies }) => {
        const since = Date.now() - shownMs
        const recent = runs.filter(({ finishedAt }) => Date.parse(finishedAt) >= since)
        if (recent.length === 0 && applies.length === 0)
          return (
            <Empty>
              <p>No check in 30 days.</p>
            </Empty>
          )
        return (
          <>
            <Plot runs={recent} applies={applies.filter(({ requestedAt }) => Date.parse(requestedAt) >= since)} />
            <AppliesTable workspace={id} applies={applies} />
            <RunsTable workspace={id} runs={recent} />
          </>
        )
      }}
    </Shown>
  )
}
