import type { Apply, Command, Plan, Run, Workspace } from '../../../core/index.ts'
import {
  commandWords,
  count,
  plain,
  type ReadValue,
  readOtherwise,
  type SideWords,
  unread,
  visible,
} from '../../../core/pages/render/draw.ts'
import type { ApiPage } from '../data/api.ts'
import { useReader } from '../data/context.ts'
import { storedPlan } from '../data/part.ts'
import { workspaceLink } from '../data/place.ts'
import { useResource } from '../data/use-resource.ts'
import { Loading, ProblemNote } from '../parts/states.tsx'
import { Time } from '../parts/time.tsx'
import { useAction } from '../parts/use-action.ts'
import { RequestText } from './command-view.tsx'
import { differingOf } from './differing-of.ts'
import { queryOf } from './selection.ts'

interface DifferingProps {
  readonly workspace: Workspace
  readonly apply: Apply
  readonly approved: Plan
  /** Reads the workspace again, which names the latest check. */
  readonly reload: () => void
}

/** Why an approval does not hold any more: each command that differs, as it was approved and as the latest check plans it. */
export const Differing = ({ workspace: { id, lastRun }, apply, approved, reload }: DifferingProps) => {
  const { api, may } = useReader()
  const path = `/workspaces/${encodeURIComponent(id)}`
  const check = useAction<Run>()
  const { targets, exclude, startedAt = apply.requestedAt } = apply
  const latest = lastRun !== undefined && Date.parse(lastRun.finishedAt) >= Date.parse(startedAt) ? lastRun : undefined
  const isRead = latest !== undefined && latest.status !== 'failed'
  const now = useResource(
    isRead ? `${latest.id} for ${apply.id}` : undefined,
    (signal) =>
      api.call<Plan>(`${path}/runs/${encodeURIComponent(latest?.id ?? '')}/plan`, {
        signal,
        accept: storedPlan,
        query: queryOf({ ...(targets && { targets }), ...(exclude && { exclude }) }),
      }),
    { group: apply.id },
  )
  const checkNow = async () => {
    await check.run(() => api.call<Run>(`${path}/check`, { method: 'POST', query: { wait: '25s' } }))
    reload()
  }
  return (
    <section aria-labelledby="differs">
      <h2 id="differs">What differs from the {apply.mode === 'check' ? 'commands that were read' : 'approval'}</h2>
      <AppliedSince path={path} apply={apply} />
      {check.problem && <ProblemNote problem={check.problem} />}
      {now.problem && <ProblemNote problem={now.problem} retry={now.reload} />}
      {isRead && now.isLoading && now.value === undefined && <Loading what="what would be sent now" />}
      {latest !== undefined && (
        <p class="dim">
          {isRead ? 'Now: the latest check, of' : 'Now: nothing is known of the target. The latest check has failed,'}{' '}
          <Time at={latest.finishedAt} form="day" />. What the refused apply has read itself is not kept.
        </p>
      )}
      {!isRead && may('check', id) && (
        <button type="button" class="main" disabled={check.isRunning} onClick={() => void checkNow()}>
          {check.isRunning ? 'Checking …' : 'Check now, and compare'}
        </button>
      )}
      {isRead && now.value !== undefined && (
        <>
          <Pairs approved={approved} current={now.value} />
          {now.value.commands.length > 0 && (
            <p>
              <a class="button" href={workspaceLink(id, 'approve', latest.id)}>
                Review the new commands
              </a>
            </p>
          )}
        </>
      )}
    </section>
  )
}

/** Which check was approved, and what other applies have changed between it and the refusal. */
const AppliedSince = ({ path, apply }: { readonly path: string; readonly apply: Apply }) => {
  const { api } = useReader()
  const { id, workspace, runId, requestedAt, finishedAt = requestedAt } = apply
  const since = useResource(`since ${id}`, async (signal) => {
    const run = await api.call<Run>(`${path}/runs/${encodeURIComponent(runId)}`, { signal })
    if (!run.ok) return run
    const applies = await api.call<ApiPage<Apply>>(`${path}/applies`, { signal, query: { limit: '100' } })
    if (!applies.ok) return applies
    const isBetween = (at: string | undefined) => at !== undefined && at >= run.value.startedAt && at <= finishedAt
    const value = applies.value.items.filter(
      (each) =>
        each.id !== id && each.mode === 'execute' && (each.results?.applied ?? 0) > 0 && isBetween(each.finishedAt),
    )
    return { ok: true, status: 200, value: { run: run.value, applies: value } }
  })
  return (
    <>
      {since.value !== undefined && (
        <p class="dim">
          Then: the check whose commands these are, of <Time at={since.value.run.finishedAt} form="day" />.
        </p>
      )}
      {since.value?.applies.map(({ id: other, actor, finishedAt: at = '', results, reason }) => (
        <p key={other} class="note">
          <a href={workspaceLink(workspace, 'applies', other)}>An apply of {actor.subject}</a> has changed{' '}
          {count(results?.applied ?? 0, 'resource')} since the commands were planned, <Time at={at} form="day" />:{' '}
          {reason}
        </p>
      ))}
    </>
  )
}

const Version = ({ title, command }: { readonly title: string; readonly command: Command | undefined }) => (
  <div>
    <h4>{title}</h4>
    {command === undefined ? <p class="dim">it was not there</p> : <RequestText request={command.request} />}
  </div>
)

interface PairsProps {
  readonly approved: Plan
  readonly current: Plan
}

const Pairs = ({ approved, current }: PairsProps) => {
  const pairs = differingOf(approved.commands, current.commands)
  if (pairs.length === 0) return <p>Now the commands are the same again.</p>
  const missed = new Map(current.unchecked.map(({ address, detail }) => [address, detail]))
  return (
    <>
      <Gone
        commands={pairs.flatMap((pair) => (pair.current === undefined ? (pair.approved ?? []) : []))}
        missed={missed}
      />
      {pairs
        .filter((pair) => pair.current !== undefined)
        .map((pair) => (
          <article key={pair.id}>
            <h3>
              <code>{visible(pair.id)}</code>
            </h3>
            {pair.isAlike && pair.approved !== undefined && pair.current !== undefined ? (
              <Alike
                approved={pair.approved}
                current={pair.current}
                values={readOtherwise(approved, current, pair.current.address)}
              />
            ) : (
              <>
                <div class="sides">
                  <Version title="Approved" command={pair.approved} />
                  <Version title="Now" command={pair.current} />
                </div>
                <Values
                  values={pair.current === undefined ? [] : readOtherwise(approved, current, pair.current.address)}
                />
              </>
            )}
          </article>
        ))}
    </>
  )
}

interface GoneProps {
  readonly commands: readonly Command[]
  /** Why what could not be read is unknown, by address. */
  readonly missed: ReadonlyMap<string, string>
}

/** What would not be sent any more: it is done, or nobody knows. */
const Gone = ({ commands, missed }: GoneProps) =>
  commands.length === 0 ? null : (
    <>
      <h3>
        Not planned any more <small class="dim">{commands.length}</small>
      </h3>
      <ul>
        {commands.map(({ id, address }) => (
          <li key={id}>
            <code>{visible(id)}</code>{' '}
            <span class="dim">
              {missed.has(address) ? `could not be read now: ${visible(missed.get(address) ?? '')}` : 'not needed now'}
            </span>
          </li>
        ))}
      </ul>
    </>
  )

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
      <Values values={values} />
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

const Side = ({ of, tag: Tag }: { readonly of: SideWords; readonly tag: 'ins' | 'del' }) => {
  if (of === unread) return <span class="dim">could not be read</span>
  return of === undefined ? <span class="dim">nothing</span> : <Tag>{of}</Tag>
}

const Values = ({ values }: { readonly values: readonly ReadValue[] }) =>
  values.length === 0 ? null : (
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
            <th scope="row">{path === '' ? 'the object' : <code>{visible(path)}</code>}</th>
            <td>
              <Side of={before} tag="del" />
            </td>
            <td>
              <Side of={now} tag="ins" />
              {now === before && ', another one'}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
