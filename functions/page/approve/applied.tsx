import type { Apply, Plan } from '../../../core/index.ts'
import { visible } from '../../../core/pages/render/draw.ts'
import { useReader } from '../data/context.ts'
import { type PartProps, storedPlan } from '../data/part.ts'
import { linkTo } from '../data/place.ts'
import { useResource } from '../data/use-resource.ts'
import { ProblemNote, Shown } from '../parts/states.tsx'
import { Time } from '../parts/time.tsx'
import { CommandView } from './command-view.tsx'
import { Differing } from './differing.tsx'
import { queryOf } from './selection.ts'
import { UndoButton } from './undo-button.tsx'
import { isEnded } from './use-approval.ts'

const outcomeWords: Readonly<Record<Apply['outcomes'][number]['status'], string>> = {
  logged: 'logged, not sent',
  succeeded: 'done',
  failed: 'failed',
  skipped: 'skipped',
  found_done: 'was done already',
  unknown: 'not known',
  blocked: 'left out',
}

const outcomeTones: Readonly<Record<string, string>> = {
  succeeded: 'in_sync',
  found_done: 'in_sync',
  failed: 'failed',
  unknown: 'failed',
}

const headWords: Readonly<Record<Apply['status'], string>> = {
  queued: 'It is queued.',
  running: 'It is running.',
  succeeded: 'Done, and a new read shows what was approved.',
  not_converged: 'Sent, but a new read does not show what was approved.',
  failed: 'It failed.',
  refused: 'It was refused, and nothing was sent.',
}

const tones: Readonly<Partial<Record<Apply['status'], string>>> = {
  succeeded: 'good',
  not_converged: 'warn',
  failed: 'bad',
  refused: 'bad',
}

/** An apply, command by command, while it runs and afterwards. */
export const AppliedView = ({ workspace: { id }, applyId, reload }: PartProps & { readonly applyId: string }) => {
  const { api } = useReader()
  const path = `/workspaces/${encodeURIComponent(id)}`
  const apply = useResource(
    `apply ${applyId}`,
    async (signal) => {
      const answered = await api.call<Apply>(`${path}/applies/${encodeURIComponent(applyId)}`, { signal })
      if (answered.ok && isEnded(answered.value)) reload()
      return answered
    },
    { every: 1_000 },
  )
  const { runId, targets, exclude } = apply.value ?? {}
  const part = { ...(targets && { targets }), ...(exclude && { exclude }) }
  const plan = useResource(runId === undefined ? undefined : `plan of apply ${applyId}`, (signal) =>
    api.call<Plan>(`${path}/runs/${encodeURIComponent(runId ?? '')}/plan`, {
      signal,
      accept: storedPlan,
      query: queryOf(part),
    }),
  )
  return (
    <Shown of={apply} what="the apply">
      {(known) => (
        <>
          <h2>{known.mode === 'check' ? 'Check mode' : 'Apply'}</h2>
          <p class={`note ${tones[known.status] ?? ''}`} role="status">
            <b>
              {known.mode === 'check' && known.status === 'succeeded'
                ? 'Each command is in the ledger; none was sent.'
                : headWords[known.status]}
            </b>
          </p>
          <p class="dim facts">
            <span>
              {known.actor.subject}, <Time at={known.requestedAt} />: {known.reason}
            </span>
            <a href={linkTo(['w', id, 'ledger'], { apply: known.id })}>Its ledger entries</a>
          </p>
          {known.error !== undefined && (
            <ProblemNote
              problem={{ status: 0, code: known.error.code, detail: known.error.message, hint: known.error.hint }}
            />
          )}
          {known.interrupted !== undefined && !isEnded(known) && (
            <p class="note warn">
              Interrupted <Time at={known.interrupted.at} />, and tried again by itself:{' '}
              {known.interrupted.error.message}
            </p>
          )}
          {known.error?.code === 'STALE_PLAN' && plan.value !== undefined && (
            <Differing workspace={id} apply={known} approved={plan.value} />
          )}
          <Outcomes apply={known} plan={plan.value} />
          <Left apply={known} />
          <UndoButton workspace={id} apply={known} />
        </>
      )}
    </Shown>
  )
}

const Outcomes = ({ apply, plan }: { readonly apply: Apply; readonly plan: Plan | undefined }) => {
  const outcomes = new Map(apply.outcomes.map((outcome) => [outcome.command, outcome]))
  const commands = plan?.commands ?? []
  const known = new Set(commands.map(({ id }) => id))
  const others = apply.outcomes.filter(({ command }) => !known.has(command))
  return (
    <ol class="chooser">
      {commands.map((command) => {
        const outcome = outcomes.get(command.id)
        return (
          <li key={command.id}>
            <p>
              <span class={`badge ${outcomeTones[outcome?.status ?? ''] ?? ''}`}>
                {outcome === undefined ? (isEnded(apply) ? 'not sent' : 'waiting') : outcomeWords[outcome.status]}
              </span>{' '}
              <code class="address">{visible(command.id)}</code>{' '}
              {outcome?.httpStatus !== undefined && <span class="dim">HTTP {outcome.httpStatus}</span>}
              {outcome?.detail !== undefined && <span> {visible(outcome.detail)}</span>}
            </p>
            <CommandView command={command} isOpen={false} />
          </li>
        )
      })}
      {others.map(({ command, status, detail }) => (
        <li key={command}>
          <span class="badge">{outcomeWords[status]}</span> <code class="address">{visible(command)}</code>{' '}
          {detail !== undefined && visible(detail)}
        </li>
      ))}
    </ol>
  )
}

const Left = ({ apply: { left = [] } }: { readonly apply: Apply }) =>
  left.length === 0 ? null : (
    <section aria-labelledby="left">
      <h2 id="left">
        Still different <small class="dim">{left.length}</small>
      </h2>
      <dl class="list">
        {left.map(({ address, paths, detail, touched }) => (
          <div key={address}>
            <dt>
              <code>{visible(address)}</code>
            </dt>
            <dd>
              {[
                paths.map(visible).join(', '),
                detail && visible(detail),
                touched ? 'this apply was about it' : 'this apply was not about it',
              ]
                .filter((words) => words)
                .join('; ')}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
