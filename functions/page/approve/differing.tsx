import type { Apply, Command, Plan, Run, Workspace } from '../../../core/index.ts'
import { visible } from '../../../core/pages/render/draw.ts'
import { useReader } from '../data/context.ts'
import { storedPlan } from '../data/part.ts'
import { workspaceLink } from '../data/place.ts'
import { useResource } from '../data/use-resource.ts'
import { Loading, ProblemNote } from '../parts/states.tsx'
import { useAction } from '../parts/use-action.ts'
import { RequestText } from './command-view.tsx'
import { differingOf } from './differing-of.ts'
import { queryOf } from './selection.ts'

/** The latest check, if it is newer than the apply. */
interface Now {
  readonly runId: string
  readonly plan?: Plan
}

interface DifferingProps {
  readonly workspace: string
  readonly apply: Apply
  readonly approved: Plan
}

/** Why an approval does not hold any more: each command that differs, as it was approved and as it would be now. */
export const Differing = ({ workspace, apply, approved }: DifferingProps) => {
  const { api, may } = useReader()
  const path = `/workspaces/${encodeURIComponent(workspace)}`
  const check = useAction<Run>()
  const { targets, exclude } = apply
  const now = useResource<Now>(`now of ${apply.id}`, async (signal) => {
    const found = await api.call<Workspace>(path, { signal })
    if (!found.ok) return found
    const { lastRun } = found.value
    const isNewer =
      lastRun !== undefined && Date.parse(lastRun.finishedAt) >= Date.parse(apply.startedAt ?? apply.requestedAt)
    if (!isNewer) return { ok: true, status: 200, value: { runId: '' } }
    const query = queryOf({ ...(targets && { targets }), ...(exclude && { exclude }) })
    const plan = await api.call<Plan>(`${path}/runs/${encodeURIComponent(lastRun.id)}/plan`, {
      signal,
      accept: storedPlan,
      query,
    })
    return plan.ok ? { ok: true, status: 200, value: { plan: plan.value, runId: lastRun.id } } : plan
  })
  const checkNow = async () => {
    await check.run(() => api.call<Run>(`${path}/check`, { method: 'POST', query: { wait: '25s' } }))
    now.reload()
  }
  return (
    <section aria-labelledby="differs">
      <h2 id="differs">What differs from the approval</h2>
      {check.problem && <ProblemNote problem={check.problem} />}
      {now.problem && <ProblemNote problem={now.problem} retry={now.reload} />}
      {now.isLoading && now.value === undefined && <Loading what="what would be sent now" />}
      {now.value?.plan === undefined ? (
        !now.isLoading &&
        may('check', workspace) && (
          <button type="button" class="main" disabled={check.isRunning} onClick={() => void checkNow()}>
            {check.isRunning ? 'Checking …' : 'Check now, and compare'}
          </button>
        )
      ) : (
        <>
          <Pairs pairs={differingOf(approved.commands, now.value.plan.commands)} />
          {now.value.plan.commands.length > 0 && (
            <p>
              <a class="button" href={workspaceLink(workspace, 'approve', now.value.runId)}>
                Review the new commands
              </a>
            </p>
          )}
        </>
      )}
    </section>
  )
}

const Version = ({ title, command }: { readonly title: string; readonly command: Command | undefined }) => (
  <div>
    <h4>{title}</h4>
    {command === undefined ? <p class="dim">nothing</p> : <RequestText request={command.request} />}
  </div>
)

const Pairs = ({ pairs }: { readonly pairs: ReturnType<typeof differingOf> }) => {
  if (pairs.length === 0) return <p>Now the commands are the same again.</p>
  return (
    <>
      {pairs.map(({ id, approved, current, isAlike }) => (
        <article key={id}>
          <h3>
            <code>{visible(id)}</code>
          </h3>
          {isAlike && <p class="dim">The request is the same; what it was planned against, or its grade, is not.</p>}
          <div class="sides">
            <Version title="Approved" command={approved} />
            <Version title="Now" command={current} />
          </div>
        </article>
      ))}
    </>
  )
}
