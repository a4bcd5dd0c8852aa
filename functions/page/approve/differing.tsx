import { useMemo } from 'preact/hooks'
import type { Apply, Command, Plan, Run, Workspace } from '../../../core/index.ts'
import { commandWords, plain, type Row, reportOfPlan, visible } from '../../../core/pages/render/draw.ts'
import { useReader } from '../data/context.ts'
import { storedPlan } from '../data/part.ts'
import { workspaceLink } from '../data/place.ts'
import { useResource } from '../data/use-resource.ts'
import { Loading, ProblemNote } from '../parts/states.tsx'
import { useAction } from '../parts/use-action.ts'
import { RequestText } from './command-view.tsx'
import { differingOf, type ReadValue, readOtherwise } from './differing-of.ts'
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
          <Pairs approved={approved} current={now.value.plan} />
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

interface PairsProps {
  readonly approved: Plan
  readonly current: Plan
}

const rowsOf = (plan: Plan): ReadonlyMap<string, readonly Row[]> => {
  const blocks = reportOfPlan(plan, { each: true }).sections.flatMap((section) =>
    section.kind === 'changes' ? section.blocks : [],
  )
  return new Map(blocks.map(({ address, rows }) => [address, rows]))
}

const Pairs = ({ approved, current }: PairsProps) => {
  const pairs = differingOf(approved.commands, current.commands)
  const [before, now] = useMemo(() => [rowsOf(approved), rowsOf(current)] as const, [approved, current])
  if (pairs.length === 0) return <p>Now the commands are the same again.</p>
  return (
    <>
      {pairs.map((pair) => (
        <article key={pair.id}>
          <h3>
            <code>{visible(pair.id)}</code>
          </h3>
          {pair.isAlike && pair.approved !== undefined && pair.current !== undefined ? (
            <Alike
              approved={pair.approved}
              current={pair.current}
              values={readOtherwise(before.get(pair.approved.address) ?? [], now.get(pair.current.address) ?? [])}
            />
          ) : (
            <div class="sides">
              <Version title="Approved" command={pair.approved} />
              <Version title="Now" command={pair.current} />
            </div>
          )}
        </article>
      ))}
    </>
  )
}

interface AlikeProps {
  readonly approved: Command
  readonly current: Command
  readonly values: readonly ReadValue[]
}

/** The same request, planned against another target, or with another grade: once, and then what is not the same. */
const Alike = ({ approved, current, values }: AlikeProps) => {
  const words = [approved, current].map((command) => plain(commandWords(command)))
  return (
    <>
      <p class="dim">
        {values.length > 0
          ? 'The request is the same; the target that it was planned against is not.'
          : approved.grade === current.grade
            ? 'The request is the same; what is around it is not.'
            : 'The request is the same; its grade is not.'}
      </p>
      <RequestText request={current.request} />
      {approved.grade !== current.grade && (
        <p>
          Grade: <span class={`tag grade-${approved.grade}`}>{approved.grade}</span> when it was approved,{' '}
          <span class={`tag grade-${current.grade}`}>{current.grade}</span> now
        </p>
      )}
      {values.length > 0 && (
        <table class="read">
          <thead>
            <tr>
              <th scope="col">At the target</th>
              <th scope="col">Then</th>
              <th scope="col">Now</th>
            </tr>
          </thead>
          <tbody>
            {values.map(({ path, before, now }) => (
              <tr key={path}>
                <th scope="row">
                  <code>{visible(path)}</code>
                </th>
                <td>{before === undefined ? 'nothing' : <del>{before}</del>}</td>
                <td>{now === undefined ? 'nothing' : <ins>{now}</ins>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {words[0] !== words[1] && (
        <div class="sides">
          {words.map((text, n) => (
            <div key={text}>
              <h4>{n === 0 ? 'Approved' : 'Now'}</h4>
              <p>{text}</p>
            </div>
          ))}
        </div>
      )}
      {values.length === 0 && words[0] === words[1] && (
        <p>The plan shows no value that differs: the object has other values that it is not about.</p>
      )}
    </>
  )
}
