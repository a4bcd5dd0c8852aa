import type { Workspace } from '../../../core/index.ts'
import { alertWords, coverageOf, findingWords, severityOf, stateOf } from '../data/health.ts'
import { workspaceLink } from '../data/place.ts'
import { StateBadge } from '../parts/state-badge.tsx'
import { Strip } from '../parts/strip.tsx'
import { Time } from '../parts/time.tsx'
import type { itemProps } from '../parts/window/row-props.ts'

/** `100 %` only if nothing is left out. */
const percent = (part: number): string => `${part === 1 ? 100 : Math.min(99, Math.floor(part * 100))} %`

/** What the columns are, where there is room for columns. A screen reader hears each row in words. */
export const FleetHead = () => (
  <div class="fleet-row head" aria-hidden="true">
    {['State', 'Workspace', 'Latest check', 'Compared', 'Checked', 'Last 30 days'].map((each) => (
      <span key={each}>{each}</span>
    ))}
  </div>
)

interface FleetRowProps {
  readonly workspace: Workspace
  readonly now: number
  readonly place: ReturnType<typeof itemProps>
}

/** One workspace in one line, or in a card where there is no room for a line. */
export const FleetRow = ({ workspace, now, place }: FleetRowProps) => {
  const { id, lastRun, paused, pendingCheck, openEpisodes, days } = workspace
  const coverage = coverageOf(workspace)
  const severity = severityOf(workspace)
  return (
    <li class="fleet-row" {...place}>
      <StateBadge state={stateOf(workspace, now)} />
      <a href={workspaceLink(id)} class="name clip" title={id}>
        {id}
      </a>
      <span class="finding">
        {findingWords(workspace)}
        {severity !== undefined && <span class={`tag severity ${severity}`}>{severity}</span>}
        {openEpisodes !== undefined && (
          <a href={workspaceLink(id, 'alerts')} class="tag">
            {alertWords(workspace)}
          </a>
        )}
        {paused !== undefined && <span class="tag">paused</span>}
      </span>
      <span class="number" title="Resources that the latest check has compared">
        {coverage === undefined ? '' : percent(coverage)}
      </span>
      <span class="when">
        {pendingCheck !== undefined ? 'checking …' : lastRun === undefined ? '' : <Time at={lastRun.finishedAt} />}
      </span>
      <Strip days={days} now={now} />
    </li>
  )
}
