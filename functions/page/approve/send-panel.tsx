import { useState } from 'preact/hooks'
import type { Apply, Plan, Run } from '../../../core/index.ts'
import { useReader } from '../data/context.ts'
import { workspaceLink } from '../data/place.ts'
import { Copy } from '../parts/copy.tsx'
import { ProblemNote } from '../parts/states.tsx'
import { useAction } from '../parts/use-action.ts'
import { keep, kept } from '../session/kept.ts'
import type { PlanPart } from './selection.ts'

interface SendPanelProps {
  readonly plan: Plan
  readonly part: PlanPart
  readonly run: Run
}

interface ApprovalDraft {
  readonly reason: string
  /** The apply that has logged these commands, in check mode. */
  readonly logged?: string
  /** Sent with the approval, so that a repetition after a lost answer is the same apply. */
  readonly key: string
}

const isEnded = ({ status }: Apply): boolean => status !== 'queued' && status !== 'running'

/** First check mode, which reads again and logs each command; then the approval of exactly these. */
export const SendPanel = ({ plan, part, run }: SendPanelProps) => {
  const { api, may } = useReader()
  const { workspace, digests, commands, refused } = plan
  const name = `approve:${digests.commands}`
  const [draft, setDraft] = useState<ApprovalDraft>(
    kept<ApprovalDraft>(name) ?? { reason: '', key: crypto.randomUUID() },
  )
  const action = useAction<Apply>()
  const [sent, setSent] = useState<Apply>()
  const put = (next: ApprovalDraft) => {
    setDraft(next)
    keep(name, next)
  }
  const post = (mode: 'check' | 'execute') =>
    action.run(() =>
      api.call<Apply>(`/workspaces/${encodeURIComponent(workspace)}/apply`, {
        method: 'POST',
        ...(mode === 'check' && { query: { wait: '25s' } }),
        headers: { 'idempotency-key': `${draft.key}-${mode}` },
        body: { mode, digest: digests.commands, ...part, runId: run.id, reason: draft.reason.trim() },
      }),
    )
  const logThem = async () => {
    const apply = await post('check')
    if (apply === undefined) return
    setSent(apply)
    if (isEnded(apply) && apply.error === undefined) put({ ...draft, logged: apply.id })
  }
  const sendThem = async () => {
    const apply = await post('execute')
    if (apply === undefined) return
    keep(name, undefined)
    location.hash = workspaceLink(workspace, 'applies', apply.id)
  }
  if (!may('apply', workspace))
    return <p class="note">You may read these commands. To approve them needs the right apply.</p>
  if (refused !== undefined) return <p class="note bad">They cannot be sent: {refused}</p>
  const isGrave = commands.some(({ grade }) => grade === 'irreversible' || grade === 'unknown')
  const isKnown = draft.reason.trim() !== ''
  const n = `${commands.length} ${commands.length === 1 ? 'command' : 'commands'}`
  return (
    <form class="send" onSubmit={(event) => event.preventDefault()}>
      <label class="field">
        Reason, for the ledger
        <textarea
          rows={2}
          maxLength={2_000}
          value={draft.reason}
          onInput={({ currentTarget: { value } }) => put({ ...draft, reason: value, key: crypto.randomUUID() })}
        />
      </label>
      <p class="dim digest">
        <code>{digests.commands}</code> <Copy text={digests.commands} what="the digest" />
      </p>
      {isGrave && (
        <p class="note warn">
          {may('irreversible', workspace)
            ? 'Some of them cannot be undone for certain.'
            : 'Some of them cannot be undone for certain: to approve these needs the right irreversible.'}
        </p>
      )}
      {action.problem && <ProblemNote problem={action.problem} />}
      <CheckModeNote workspace={workspace} n={n} logged={draft.logged} sent={sent} />
      <div class="bar">
        <button
          type="button"
          class={draft.logged === undefined ? 'main' : ''}
          disabled={!isKnown || action.isRunning}
          onClick={() => void logThem()}
        >
          1. Check mode: log {n}, send none
        </button>
        <button
          type="button"
          class={draft.logged === undefined ? '' : 'main'}
          disabled={
            !isKnown || action.isRunning || draft.logged === undefined || (isGrave && !may('irreversible', workspace))
          }
          onClick={() => void sendThem()}
        >
          2. Approve and send {n}
        </button>
      </div>
    </form>
  )
}

interface CheckModeNoteProps {
  readonly workspace: string
  /** `3 commands` */
  readonly n: string
  readonly logged: string | undefined
  readonly sent: Apply | undefined
}

/** What check mode has done so far. */
const CheckModeNote = ({ workspace, n, logged, sent }: CheckModeNoteProps) => {
  if (logged !== undefined)
    return (
      <p class="note good" role="status">
        Check mode has read the target again and logged the {n}; nothing was sent.{' '}
        <a href={workspaceLink(workspace, 'applies', logged)}>What was logged</a>
      </p>
    )
  return sent === undefined ? null : (
    <p class="note" role="status">
      Check mode is not done yet. <a href={workspaceLink(workspace, 'applies', sent.id)}>Watch it</a>
    </p>
  )
}
