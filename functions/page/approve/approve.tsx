import { useMemo, useRef, useState } from 'preact/hooks'
import type { Plan, Run } from '../../../core/index.ts'
import { type Report, reportOfPlan } from '../../../core/pages/render/draw.ts'
import { useReader } from '../data/context.ts'
import { type PartProps, storedPlan } from '../data/part.ts'
import { workspaceLink } from '../data/place.ts'
import { useResource } from '../data/use-resource.ts'
import { Empty, ProblemNote, Shown } from '../parts/states.tsx'
import { Time } from '../parts/time.tsx'
import { UndoOf } from '../parts/undo-of.tsx'
import { keep, kept } from '../session/kept.ts'
import { AlreadyApproved } from './already-approved.tsx'
import { Chooser } from './chooser.tsx'
import { NotAmong } from './not-among.tsx'
import { addressesOf, type PlanPart, partOf, queryOf } from './selection.ts'
import { SendPanel } from './send-panel.tsx'
import { reasonOf } from './use-approval.ts'

type ApproveProps = PartProps & { readonly runId: string }

/** What a reader has decided so far; it outlives a sign-in. */
interface ChoiceDraft {
  readonly left: readonly string[]
}

/** The commands of a check: read them, choose, have them logged in check mode, and send exactly these. */
export const Approve = ({ workspace: { id, lastRun }, runId, query }: ApproveProps) => {
  const { api } = useReader()
  const path = `/workspaces/${encodeURIComponent(id)}/runs/${encodeURIComponent(runId)}`
  const read = useResource(path, async (signal) => {
    const [run, plan] = await Promise.all([
      api.call<Run>(path, { signal }),
      api.call<Plan>(`${path}/plan`, { signal, accept: storedPlan }),
    ])
    if (!run.ok) return run
    return plan.ok ? { ok: true, status: 200, value: { run: run.value, plan: plan.value } } : plan
  })
  return (
    <Shown of={read} what="the commands">
      {({ run, plan }) => (
        <>
          <h2>
            Approve commands
            {run.undoes !== undefined && (
              <>
                : <UndoOf workspace={id} apply={run.undoes} />
              </>
            )}{' '}
            <small class="dim">
              planned <Time at={run.finishedAt} />
            </small>
          </h2>
          {isOutdated(run, lastRun) && (
            <p class="note warn">
              A newer check plans other commands, so an apply of these will be refused.{' '}
              <a href={workspaceLink(id, 'approve', lastRun.id)}>Review the newer ones</a>
            </p>
          )}
          <AlreadyApproved workspace={id} run={run} />
          <Commands key={runId} path={path} run={run} plan={plan} text={query.get('q') ?? ''} />
        </>
      )}
    </Shown>
  )
}

interface CommandsProps {
  readonly path: string
  readonly run: Run
  readonly plan: Plan
  readonly text: string
}

const Commands = (props: CommandsProps) => {
  const { run, plan } = props
  const report = useMemo(() => reportOfPlan(plan, { each: true }), [plan])
  return (
    <>
      <NotAmong run={run} report={report} />
      {plan.commands.length === 0 ? (
        <Empty>
          <p>This check plans no command.</p>
        </Empty>
      ) : (
        <Choice {...props} report={report} />
      )}
    </>
  )
}

/** A later check plans other commands. An undo is no check. */
const isOutdated = (run: Run, lastRun: PartProps['workspace']['lastRun']): lastRun is NonNullable<typeof lastRun> =>
  run.undoes === undefined &&
  lastRun !== undefined &&
  lastRun.id !== run.id &&
  lastRun.digests?.commands !== run.digests?.commands

/** Whether something that was not sent yet is still there, as after a sign-in. */
const hasDraft = (choice: string, run: Run): boolean =>
  (kept<ChoiceDraft>(choice)?.left.length ?? 0) > 0 || (kept<string>(reasonOf(run)) ?? '') !== ''

const Choice = ({ path, run, plan, text, report }: CommandsProps & { readonly report: Report }) => {
  const { api } = useReader()
  const draft = `choice:${run.id}`
  const [isBroughtBack, setIsBroughtBack] = useState(hasDraft(draft, run))
  const all = addressesOf(plan.commands)
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set(kept<ChoiceDraft>(draft)?.left ?? []))
  const part: PlanPart | undefined = partOf(all, left)
  const isWhole = left.size === 0
  const isNone = left.size === all.length
  const query = part && queryOf(part)
  // What the chosen ones need comes along, so the server says what would be sent.
  const narrowed = useResource(isWhole || isNone || !query ? undefined : `${path} ${JSON.stringify(query)}`, (signal) =>
    api.call<Plan>(`${path}/plan`, { signal, accept: storedPlan, query: query ?? {} }),
  )
  const choose = (next: ReadonlySet<string>) => {
    setLeft(next)
    keep(draft, { left: [...next] })
  }
  const chosen = isWhole ? plan : isNone ? { ...plan, commands: [] } : narrowed.value
  // The panel stays in its place while it is asked what would be sent.
  const latest = useRef(plan)
  if (chosen !== undefined) latest.current = chosen
  const shown = latest.current
  const startAnew = () => {
    for (const name of [draft, reasonOf(run)]) keep(name, undefined)
    setLeft(new Set())
    setIsBroughtBack(false)
  }
  return (
    <div class="approve">
      {isBroughtBack && (
        <p class="note" role="status">
          What you chose and wrote here before is back.{' '}
          <button type="button" class="quiet small" onClick={startAnew}>
            Start anew
          </button>
        </p>
      )}
      <Chooser {...{ plan, report, text, left, choose }} sent={chosen} isAsked={narrowed.isLoading} />
      {part === undefined && !isNone && (
        <p class="note warn">The API cannot be asked for a part of so many resources: choose all, or fewer.</p>
      )}
      {!isWhole && narrowed.problem !== undefined && <ProblemNote problem={narrowed.problem} retry={narrowed.reload} />}
      <SendPanel
        key={`${shown.digests.commands} ${shown.commands.length} ${isBroughtBack}`}
        plan={shown}
        part={part ?? {}}
        run={run}
        isReady={part !== undefined && chosen !== undefined && !isNone}
      />
    </div>
  )
}
