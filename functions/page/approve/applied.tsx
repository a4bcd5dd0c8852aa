import { useMemo, useState } from 'preact/hooks'
import type { Apply, ApplySending, Command, Plan } from '../../../core/index.ts'
import { applySentence, outcomeWords, restWords, visible } from '../../../core/pages/render/draw.ts'
import { useReader } from '../data/context.ts'
import { type PartProps, storedPlan } from '../data/part.ts'
import { linkTo } from '../data/place.ts'
import { useResource } from '../data/use-resource.ts'
import { ListBar, type SearchedList, useSearch } from '../parts/list-bar.tsx'
import { Said } from '../parts/raw.tsx'
import { Empty, ProblemNote, Shown } from '../parts/states.tsx'
import { Time } from '../parts/time.tsx'
import { UndoOf } from '../parts/undo-of.tsx'
import { itemProps } from '../parts/window/row-props.ts'
import type { OpenedRows } from '../parts/window/use-open.ts'
import { useWindow } from '../parts/window/use-window.ts'
import { CommandView } from './command-view.tsx'
import { Differing } from './differing.tsx'
import { queryOf } from './selection.ts'
import { UndoButton } from './undo-button.tsx'
import { isEnded } from './use-approval.ts'

/** The tone of a badge for the colour that the same words have in a terminal. */
const badgeTones: Readonly<Record<string, string>> = { green: 'in_sync', yellow: 'drifted', red: 'failed' }

const tones: Readonly<Partial<Record<Apply['status'], string>>> = {
  succeeded: 'good',
  not_converged: 'warn',
  failed: 'bad',
  refused: 'bad',
}

/** A note of its own shows the error with its hint. */
const withoutError = ({ error: _, ...apply }: Apply): Apply => apply

const freshMs = 1_000

/** An answer about many commands is large, and nobody reads a thousand lines each second. */
const againAfter = (apply: Apply): number | undefined =>
  isEnded(apply) ? undefined : Math.max(freshMs, apply.outcomes.length * 5)

/** An apply, command by command, while it runs and afterwards. */
export const AppliedView = ({ workspace, applyId, reload, query }: PartProps & { readonly applyId: string }) => {
  const { id } = workspace
  const { api } = useReader()
  const path = `/workspaces/${encodeURIComponent(id)}`
  const [every, setEvery] = useState<number | undefined>(freshMs)
  const apply = useResource(
    `apply ${applyId}`,
    async (signal) => {
      const answered = await api.call<Apply>(`${path}/applies/${encodeURIComponent(applyId)}`, { signal })
      if (answered.ok) setEvery(againAfter(answered.value))
      if (answered.ok && isEnded(answered.value)) reload()
      return answered
    },
    { every },
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
          <h2>
            {known.mode === 'check' && 'Check mode'}
            {known.mode === 'check' && known.undoes !== undefined && ': '}
            {known.undoes !== undefined && <UndoOf workspace={id} apply={known.undoes} />}
            {known.mode !== 'check' && known.undoes === undefined && 'Apply'}
          </h2>
          <p class={`note ${tones[known.status] ?? ''}`} role="status">
            <b>{visible(applySentence(withoutError(known)))}</b>
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
            <div class="note warn">
              Interrupted <Time at={known.interrupted.at} />, and tried again by itself:{' '}
              <Said text={known.interrupted.error.message} />
            </div>
          )}
          {known.error?.code === 'STALE_PLAN' && plan.value !== undefined && (
            <Differing workspace={workspace} apply={known} approved={plan.value} reload={reload} />
          )}
          <Outcomes key={applyId} apply={known} plan={plan.value} text={query.get('q') ?? ''} />
          <Left apply={known} />
          <Rest apply={known} />
          <UndoButton workspace={id} apply={known} />
        </>
      )}
    </Shown>
  )
}

/** One line of the list: a command of the plan, or an outcome of none, such as a change that is blocked. */
interface SentRow {
  readonly id: string
  readonly command: Command | undefined
}

/** Height of a command that is closed, as long as none is drawn. */
const sentPx = 72

interface OutcomesProps {
  readonly apply: Apply
  readonly plan: Plan | undefined
  /** What is searched first. */
  readonly text: string
}

const Outcomes = ({ apply, plan, text }: OutcomesProps) => {
  const outcomes = new Map(apply.outcomes.map((outcome) => [outcome.command, outcome]))
  const sent = useMemo((): readonly SentRow[] => {
    const commands = plan?.commands ?? []
    const known = new Set(commands.map(({ id }) => id))
    const others = [...outcomes.keys()].filter((id) => !known.has(id))
    return [
      ...commands.map((command) => ({ id: command.id, command })),
      ...others.map((id) => ({ id, command: undefined })),
    ]
  }, [plan, apply.outcomes.length])
  const textOf = ({ id, command }: SentRow): string => {
    const outcome = outcomes.get(id)
    return JSON.stringify([id, outcome, outcome && outcomeWords(outcome)[0], command])
  }
  const list = useSearch(sent, textOf, text)
  const found = useMemo(() => sent.filter(list.isFound), [sent, list.text])
  return (
    <>
      {sent.length > 1 && <ListBar list={list} what="the commands" found={found.length} all={sent.length} />}
      {sent.length > 0 && found.length === 0 && (
        <Empty>
          <p>Nothing matches the search.</p>
        </Empty>
      )}
      <SentList key={list.key} {...{ apply, outcomes, found, list }} />
    </>
  )
}

interface SentListProps {
  readonly apply: Apply
  readonly outcomes: ReadonlyMap<string, Apply['outcomes'][number]>
  readonly found: readonly SentRow[]
  readonly list: Pick<SearchedList<SentRow>, 'isOpen' | 'opened'>
}

const SentList = ({ apply, outcomes, found, list: { isOpen = false, opened } }: SentListProps) => {
  const sending = new Map(apply.progress?.sending.map((each) => [each.command, each]))
  const { list, rows, count } = useWindow(found, ({ id }) => id, sentPx)
  return (
    <ol class="chooser window" ref={list}>
      {rows.map((row) => (
        <SentView
          key={row.key}
          {...row.item}
          place={itemProps(row, count)}
          outcome={outcomes.get(row.key)}
          sending={sending.get(row.key)}
          isEnded={isEnded(apply)}
          isOpen={isOpen}
          opened={opened}
        />
      ))}
    </ol>
  )
}

interface SentViewProps extends SentRow {
  readonly place: ReturnType<typeof itemProps>
  readonly outcome: Apply['outcomes'][number] | undefined
  readonly sending: ApplySending | undefined
  readonly isEnded: boolean
  readonly isOpen: boolean
  readonly opened: OpenedRows
}

const SentView = ({ id, command, place, outcome, sending, isEnded, isOpen, opened }: SentViewProps) => (
  <li {...place}>
    <div>
      {outcome !== undefined && <OutcomeBadge outcome={outcome} />}
      {outcome === undefined && sending !== undefined && <SendingBadge sending={sending} />}
      {outcome === undefined && sending === undefined && <span class="badge">{isEnded ? 'not sent' : 'waiting'}</span>}{' '}
      <code class="address">{visible(id)}</code>{' '}
      {outcome?.httpStatus !== undefined && <span class="dim">HTTP {outcome.httpStatus}</span>}{' '}
      {outcome?.detail !== undefined && <Said text={outcome.detail} />}
    </div>
    {command !== undefined && <CommandView command={command} isOpen={isOpen} opened={opened} />}
  </li>
)

const SendingBadge = ({ sending: { since, attempt = 1, accepted } }: { readonly sending: ApplySending }) => (
  <>
    <span class="badge changes">{accepted ? 'accepted, the target is at work' : 'sending'}</span>{' '}
    <span class="dim">
      since <Time at={since} form="clock" />
      {attempt > 1 && `, attempt ${attempt}`}
    </span>
  </>
)

const OutcomeBadge = ({ outcome }: { readonly outcome: Apply['outcomes'][number] }) => {
  const [words, colour] = outcomeWords(outcome)
  return <span class={`badge ${badgeTones[colour] ?? ''}`}>{words}</span>
}

/** What no verdict says: what changed in more than the plan shows, and what cannot be read back. */
const Rest = ({ apply: { resources = [] } }: { readonly apply: Apply }) => {
  const told = resources.filter((resource) => restWords(resource).length > 0)
  return told.length === 0 ? null : (
    <section aria-labelledby="rest">
      <h2 id="rest">
        To look at <small class="dim">{told.length}</small>
      </h2>
      <dl class="list">
        {told.map((resource) => (
          <div key={resource.address}>
            <dt>
              <code>{visible(resource.address)}</code>
            </dt>
            <dd>{visible(restWords(resource).join('; '))}</dd>
          </div>
        ))}
      </dl>
    </section>
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
