import { useMemo } from 'preact/hooks'
import type { Plan, Run, Workspace } from '../../../../core/index.ts'
import { plain, reportOfPlan } from '../../../../core/pages/render/draw.ts'
import { useReader } from '../../data/context.ts'
import { seenBefore } from '../../data/health.ts'
import { type PartProps, storedPlan } from '../../data/part.ts'
import { workspaceLink } from '../../data/place.ts'
import { useResource } from '../../data/use-resource.ts'
import { Prose } from '../../parts/prose.tsx'
import { Empty, ProblemNote, Shown } from '../../parts/states.tsx'
import { Time } from '../../parts/time.tsx'
import { UndoOf } from '../../parts/undo-of.tsx'
import { Blocks } from './blocks.tsx'
import { facetsOf } from './facets.ts'
import { ReportLists } from './report-lists.tsx'

type PlanOfProps = PartProps & { readonly runId: string | undefined }

/** A check, and its plan if it did not fail. */
interface RunWithPlan {
  readonly run: Run
  readonly plan?: Plan
}

/** The latest check gives way to the next one when that has been read, so that nobody looks at an empty page meanwhile. */
const useChecked = (workspace: Workspace, runId: string | undefined) => {
  const { api } = useReader()
  const path = `/workspaces/${encodeURIComponent(workspace.id)}/runs/${encodeURIComponent(runId ?? '')}`
  const isLatest = runId === workspace.lastRun?.id
  return useResource<RunWithPlan>(
    runId && `run ${path}`,
    async (signal) => {
      const run = await api.call<Run>(path, { signal })
      if (!run.ok || run.value.error !== undefined) return run.ok ? { ...run, value: { run: run.value } } : run
      const plan = await api.call<Plan>(`${path}/plan`, { signal, accept: storedPlan })
      return plan.ok ? { ...plan, value: { run: run.value, plan: plan.value } } : plan
    },
    { group: isLatest ? `latest of ${workspace.id}` : undefined },
  )
}

/** The findings of a check: what changes, who changed it, and what could not be read. */
export const PlanOf = ({ workspace, runId, query }: PlanOfProps) => {
  const read = useChecked(workspace, runId)
  if (runId === undefined)
    return (
      <Empty>
        <p>Nothing was checked yet.</p>
      </Empty>
    )
  return (
    <Shown of={read} what="the plan">
      {({ run, plan }) => (
        <>
          {run.undoes !== undefined && (
            <h2>
              <UndoOf workspace={workspace.id} apply={run.undoes} />
            </h2>
          )}
          {run.undoes === undefined && runId !== workspace.lastRun?.id && (
            <p class="note warn">
              An earlier check, of <Time at={run.finishedAt} form="day" />.{' '}
              <a href={workspaceLink(workspace.id)}>Show the latest one</a>
            </p>
          )}
          {plan === undefined ? (
            <Failed run={run} />
          ) : (
            <PlanShown workspace={workspace} plan={plan} run={run} query={query} />
          )}
        </>
      )}
    </Shown>
  )
}

const Failed = ({ run: { error, undoes } }: { readonly run: Run }) =>
  error === undefined ? null : (
    <>
      <p>
        {undoes === undefined
          ? 'The check failed: nothing is known about the target now.'
          : 'The undo cannot be planned.'}
      </p>
      <ProblemNote problem={{ status: 0, code: error.code, detail: error.message, hint: error.hint }} />
    </>
  )

const PlanShown = ({
  workspace: { id, lastRun, openEpisodes },
  plan,
  run,
  query,
}: Pick<PartProps, 'workspace'> & {
  readonly plan: Plan
  readonly run: Run
  readonly query: URLSearchParams
}) => {
  const { may } = useReader()
  const report = useMemo(() => reportOfPlan(plan, { at: run.finishedAt, each: true }), [plan, run])
  const facets = useMemo(() => facetsOf(plan), [plan])
  const seen = run.id === lastRun?.id ? seenBefore({ counts: plan.counts, differ: openEpisodes?.differ }) : 0
  const canApprove = report.commands?.digest !== undefined
  return (
    <>
      <div class={`headline ${report.tone}`}>
        <p>
          <b>{plain(report.headline)}</b>
        </p>
        {canApprove && (
          <a class="button" href={workspaceLink(plan.workspace, 'approve', run.id)}>
            {may('apply', plan.workspace) ? 'Review and approve' : 'Show'} {plan.commands.length}{' '}
            {plan.commands.length === 1 ? 'command' : 'commands'}
          </a>
        )}
      </div>
      {seen > 0 && (
        <p class="note warn">
          {seen} of those that could not be checked differed when they were last read, and their alert is open.{' '}
          <a href={workspaceLink(id, 'alerts')}>Alerts</a>
        </p>
      )}
      {report.notes.map((note, n) => (
        <p key={n} class="note warn">
          <Prose of={note} />
        </p>
      ))}
      <Blocks report={report} facets={facets} query={query} />
      <ReportLists lists={report.lists} />
    </>
  )
}
